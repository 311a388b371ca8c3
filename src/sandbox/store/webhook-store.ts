import type { WebhookBody } from '../../service/contracts/webhook.ts';
import { assignments, flag, insertion, json, rowCodec, value } from '../../sqlite/row-codec.ts';
import type { SandboxFile } from './database.ts';

export type SandboxWebhook = WebhookBody & { webhook_id: number };

const WEBHOOK = rowCodec({
  webhook_id: value<number>(),
  event_id: value<number>(),
  name: value<string>(),
  webhook_url: value<string>(),
  triggers: json<string[]>(),
  active: flag(),
  config: json<Record<string, unknown>>(),
  signing_secret_encrypted: value<string>(),
});

/** Webhooks, in the same file as the registrations. */
export class WebhookStore {
  readonly #file: SandboxFile;

  constructor(file: SandboxFile) {
    this.#file = file;
  }

  create(body: WebhookBody): SandboxWebhook {
    const { sql, values } = insertion('webhooks', body);
    return { ...body, webhook_id: this.#file.insert(sql, values) };
  }

  /** Undefined when there is no such webhook; keys that are not in the change stay. */
  update(id: number, change: Partial<WebhookBody>): SandboxWebhook | undefined {
    const old = this.find(id);
    if (old === undefined) return undefined;
    const { sql, values } = assignments({ ...old, ...change });
    this.#file.run(`UPDATE webhooks SET ${sql} WHERE webhook_id = ?`, [...values, id]);
    return { ...old, ...change };
  }

  /** What waits for it is not delivered any more. */
  delete(id: number): boolean {
    return this.#file.transaction(() => {
      this.#file.run(
        `UPDATE deliveries SET state = 'dead', due_at = NULL, why = 'the webhook was deleted'
         WHERE webhook_id = ? AND due_at IS NOT NULL`,
        [id],
      );
      return this.#file.run('DELETE FROM webhooks WHERE webhook_id = ?', [id]) > 0;
    });
  }

  find($id: number): SandboxWebhook | undefined {
    return this.#file.readOne(WEBHOOK, 'FROM webhooks WHERE webhook_id = $id', { $id });
  }

  list(): SandboxWebhook[] {
    return this.#file.read(WEBHOOK, 'FROM webhooks ORDER BY webhook_id');
  }

  count(): number {
    return this.#file.count('FROM webhooks');
  }
}
