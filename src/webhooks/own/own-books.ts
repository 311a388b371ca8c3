import { join } from 'node:path';
import { flag, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { RunLocks } from '../../sqlite/run-locks.ts';
import { WebhookDatabase } from '../deliveries/webhook-database.ts';

const OWN = rowCodec({
  /** The `listen` that it is for. */
  listen: value<string>(),
  service: value<string>(),
  name: value<string>(),
  url: value<string>(),
  /** Undefined while the service has not told it. */
  webhookId: value<string | undefined>(),
  /** The service has changed it once: there is a path for that. */
  canUpdate: flag(),
  /** Milliseconds since 1970. */
  at: value<number>(),
});

/** A webhook that a `listen` makes, or may have made. */
export type OwnWebhook = RowOf<typeof OWN>;

/** After this nobody looks any more for one that the service never showed. */
const FORGOTTEN_MS = 30 * 24 * 3_600_000;

/** Which webhooks this machine has made at services. Every write is on the disk when its function returns. */
export class OwnBooks {
  readonly #file: WebhookDatabase;
  readonly #locks: RunLocks;

  constructor(stateDir: string) {
    this.#file = new WebhookDatabase(stateDir);
    this.#locks = new RunLocks(join(stateDir, 'webhooks'));
  }

  /** Before the request that makes it. From now on it is this process's, until that ends. */
  begin({ listen, service, name, url, at }: OwnWebhook): void {
    this.#locks.take(listen);
    this.#file.run(
      'INSERT OR REPLACE INTO own_webhook (listen, service, name, url, at) VALUES (?, ?, ?, ?, ?)',
      [listen, service, name, url, at],
    );
  }

  noteId(listen: string, webhookId: string): void {
    this.#file.run('UPDATE own_webhook SET webhook_id = ? WHERE listen = ?', [webhookId, listen]);
  }

  noteUpdated(listen: string): void {
    this.#file.run('UPDATE own_webhook SET can_update = 1 WHERE listen = ?', [listen]);
  }

  noteUrl(listen: string, url: string): void {
    this.#file.run('UPDATE own_webhook SET url = ? WHERE listen = ?', [url, listen]);
  }

  /** It is gone, or is nobody's business of ours any more. */
  forget(listen: string): void {
    this.#file.run('DELETE FROM own_webhook WHERE listen = ?', [listen]);
    this.#locks.forget(listen);
  }

  /** Those at a service whose `listen` is no more. */
  leftovers(service: string, nowMs: number): OwnWebhook[] {
    this.#file.run('DELETE FROM own_webhook WHERE webhook_id IS NULL AND at < ?', [nowMs - FORGOTTEN_MS]);
    const all = this.#read('service', service);
    return all.filter(({ listen }) => !this.#locks.isOwn(listen) && !this.#locks.isHeld(listen));
  }

  find(listen: string): OwnWebhook | undefined {
    return this.#read('listen', listen)[0];
  }

  close(): void {
    this.#locks.close();
    this.#file.close();
  }

  #read(column: 'listen' | 'service', $wanted: string): OwnWebhook[] {
    return this.#file.read(OWN, `FROM own_webhook WHERE ${column} = $wanted ORDER BY at`, { $wanted });
  }
}
