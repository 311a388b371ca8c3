import type { WebhookBody } from '../../service/contracts/webhook.ts';
import type { Database } from './database.ts';

/** A webhook as it is kept. */
export type SandboxWebhook = WebhookBody & { webhook_id: number };

/** One delivery that was tried. Either a status or an error is there. */
export interface SandboxDelivery {
  webhookId: number;
  url: string;
  body: string;
  status: number | undefined;
  error: string | undefined;
  /** Milliseconds since 1970, when the delivery ended. */
  at: number;
}

const DELIVERIES_KEPT = 1000;

type WebhookRow = ReturnType<typeof toRow> & { id: number };

/** Webhooks and their last deliveries, in the same file as the registrations. */
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
    const old = this.list().find((webhook) => webhook.webhook_id === id);
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

  delete(id: number): boolean {
    return this.#database.prepare('DELETE FROM webhooks WHERE id = ?').run(id).changes > 0;
  }

  list(): SandboxWebhook[] {
    const rows = this.#database.prepare('SELECT * FROM webhooks ORDER BY id').all() as WebhookRow[];
    return rows.map(toWebhook);
  }

  count(): number {
    const row = this.#database.prepare('SELECT count(*) AS total FROM webhooks').get();
    return (row as { total: number }).total;
  }

  /** Keeps the delivery, and forgets the oldest ones. */
  recordDelivery(delivery: SandboxDelivery): void {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO deliveries (webhook_id, url, body, status, error, at) VALUES (?, ?, ?, ?, ?, ?)')
      .run(
        delivery.webhookId,
        delivery.url,
        delivery.body,
        delivery.status ?? null,
        delivery.error ?? null,
        delivery.at,
      );
    this.#database
      .prepare('DELETE FROM deliveries WHERE seq <= ?')
      .run(Number(lastInsertRowid) - DELIVERIES_KEPT);
  }

  /** The last deliveries, oldest first. */
  deliveries(): SandboxDelivery[] {
    const rows = this.#database
      .prepare('SELECT webhook_id AS webhookId, url, body, status, error, at FROM deliveries ORDER BY seq')
      .all() as { [Key in keyof SandboxDelivery]: SandboxDelivery[Key] | null }[];
    return rows.map(
      (row) =>
        ({ ...row, status: row.status ?? undefined, error: row.error ?? undefined }) as SandboxDelivery,
    );
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
