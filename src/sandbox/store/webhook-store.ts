import type { WebhookBody } from '../../service/contracts/webhook.ts';
import type { Database } from '../../sqlite/private-database.ts';
import { inTransaction } from './database.ts';

/** A webhook as it is kept. */
export type SandboxWebhook = WebhookBody & { webhook_id: number };

type WebhookRow = ReturnType<typeof toRow> & { id: number };

/** Webhooks, in the same file as the registrations. */
export class WebhookStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  create(body: WebhookBody): SandboxWebhook {
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO webhooks (event_id, name, webhook_url, triggers, active, config, signing_secret)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(...Object.values(toRow(body)));
    return { ...body, webhook_id: Number(lastInsertRowid) };
  }

  /** Undefined when there is no such webhook; keys that are not in the change stay. */
  update(id: number, change: Partial<WebhookBody>): SandboxWebhook | undefined {
    const old = this.find(id);
    if (old === undefined) return undefined;
    const webhook: SandboxWebhook = { ...old, ...change };
    this.#database
      .prepare(
        `UPDATE webhooks SET event_id = ?, name = ?, webhook_url = ?, triggers = ?, active = ?, config = ?,
         signing_secret = ? WHERE id = ?`,
      )
      .run(...Object.values(toRow(webhook)), id);
    return webhook;
  }

  /** What waits for it is not delivered any more. */
  delete(id: number): boolean {
    return inTransaction(this.#database, () => {
      this.#database
        .prepare(
          `UPDATE deliveries SET state = 'dead', due_at = NULL, why = 'the webhook was deleted'
           WHERE webhook_id = ? AND due_at IS NOT NULL`,
        )
        .run(id);
      return this.#database.prepare('DELETE FROM webhooks WHERE id = ?').run(id).changes > 0;
    });
  }

  find(id: number): SandboxWebhook | undefined {
    const row = this.#database.prepare('SELECT * FROM webhooks WHERE id = ?').get(id);
    return row === undefined ? undefined : toWebhook(row as WebhookRow);
  }

  list(): SandboxWebhook[] {
    const rows = this.#database.prepare('SELECT * FROM webhooks ORDER BY id').all() as WebhookRow[];
    return rows.map(toWebhook);
  }

  count(): number {
    const row = this.#database.prepare('SELECT count(*) AS total FROM webhooks').get();
    return (row as { total: number }).total;
  }
}

/** The columns in their order, but for the id. */
function toRow(webhook: WebhookBody) {
  return {
    event_id: webhook.event_id,
    name: webhook.name,
    webhook_url: webhook.webhook_url,
    triggers: JSON.stringify(webhook.triggers),
    active: webhook.active ? 1 : 0,
    config: JSON.stringify(webhook.config),
    signing_secret: webhook.signing_secret_encrypted,
  };
}

function toWebhook({ id, signing_secret, ...row }: WebhookRow): SandboxWebhook {
  return {
    webhook_id: id,
    ...row,
    triggers: JSON.parse(row.triggers) as string[],
    active: row.active === 1,
    config: JSON.parse(row.config) as Record<string, unknown>,
    signing_secret_encrypted: signing_secret,
  };
}
