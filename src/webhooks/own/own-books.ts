import { join } from 'node:path';
import type { WebhookBody, WebhookRecord } from '../../service/contracts/webhook.ts';
import { assignments, flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { RunLocks } from '../../sqlite/run-locks.ts';
import { WebhookDatabase } from '../deliveries/webhook-database.ts';

const OWN = rowCodec({
  /** The `listen` that it is for: random, and part of its name. */
  listen: value<string>(),
  /** Where it is made: the address that webhooks are created at. */
  service: value<string>(),
  name: value<string>(),
  url: value<string>(),
  /** Proven: a record has shown it together with our name or address. */
  webhookId: value<string | undefined>(),
  /** As the service shows them, where it writes them in its own way; the id may be an integer. */
  shownId: value<string | number | undefined>(),
  shownName: value<string | undefined>(),
  shownUrl: value<string | undefined>(),
  /** The service has said that it made it, or has shown it. */
  isMade: flag(),
  /** Its list has shown it since we changed it last. */
  isListed: flag(),
  /** What our last change has made of its name and address has been shown. */
  isSettled: flag(),
  /** The list of its service has shown some webhook of ours. */
  listShows: flag('EXISTS (SELECT 1 FROM own_shown WHERE own_shown.service = own_webhook.service)'),
  /** Milliseconds since 1970. */
  at: value<number>(),
});

/** What a webhook is like, but for its secret, which nobody shows and nobody keeps. */
export type Described = Omit<WebhookBody, 'signing_secret_encrypted'>;

/** `at`: in milliseconds since 1970. */
const SET = rowCodec({ body: json<Partial<Described>>(), hasSecret: flag(), at: value<number>() });

/** What create or update of this machine has set last of a webhook, and whether that has a secret. */
export type SetWebhook = RowOf<typeof SET>;

const UNSET: SetWebhook = { body: {}, hasSecret: false, at: 0 };

/** A webhook that a `listen` makes, or may have made. */
export type OwnWebhook = RowOf<typeof OWN>;

/** What is known of it before it is made. */
export type OwnIntent = Pick<OwnWebhook, 'listen' | 'service' | 'name' | 'url' | 'at'>;

type Shown = Pick<WebhookRecord, 'name' | 'url'> & Partial<Pick<WebhookRecord, 'shownId'>>;

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
  begin({ listen, service, name, url, at }: OwnIntent): OwnWebhook {
    this.#locks.take(listen);
    this.#file.run(
      'INSERT OR REPLACE INTO own_webhook (listen, service, name, url, at) VALUES (?, ?, ?, ?, ?)',
      [listen, service, name, url, at],
    );
    const own = this.find(listen);
    if (own === undefined) throw new Error(`The webhook of listen ${listen} is not in the books.`);
    return own;
  }

  /** What became known of it; of an id only what is proven. */
  note(listen: string, known: Partial<OwnWebhook>): void {
    const { sql, values } = assignments(known);
    this.#file.run(`UPDATE own_webhook SET ${sql} WHERE listen = ?`, [...values, listen]);
  }

  /** How the service writes its name and its address. */
  noteShown(listen: string, { name, url, shownId }: Shown): void {
    this.#file.run(
      `UPDATE own_webhook SET shown_name = coalesce(?, shown_name), shown_url = coalesce(?, shown_url),
       shown_id = coalesce(?, shown_id), is_settled = max(is_settled, ?) WHERE listen = ?`,
      [name, url, shownId, Number(name !== undefined && url !== undefined), listen],
    );
  }

  noteListed(listen: string, shown: Shown): void {
    this.#file.transaction(() => {
      this.noteShown(listen, shown);
      this.note(listen, { isMade: true, isListed: true });
      this.#file.run(
        'INSERT OR IGNORE INTO own_shown (service) SELECT service FROM own_webhook WHERE listen = ?',
        [listen],
      );
    });
  }

  /** Before a change: the service may write its name anew, and a list leave it out from now on. */
  noteChanging(listen: string): void {
    this.note(listen, { isListed: false, isSettled: false });
  }

  /** It is gone, or is nobody's business of ours any more. */
  forget(listen: string): void {
    this.#file.run('DELETE FROM own_webhook WHERE listen = ?', [listen]);
    this.#locks.forget(listen);
  }

  /** Those whose `listen` is no more, at any service; first those that can show what a list shows. */
  leftovers(nowMs: number): OwnWebhook[] {
    this.#file.run('DELETE FROM own_webhook WHERE webhook_id IS NULL AND is_listed = 0 AND at < ?', [
      nowMs - FORGOTTEN_MS,
    ]);
    const all = this.#file.read(OWN, 'FROM own_webhook ORDER BY webhook_id IS NULL, at');
    return all.filter(({ listen }) => !this.#locks.isOwn(listen) && !this.#locks.isHeld(listen));
  }

  find($listen: string): OwnWebhook | undefined {
    return this.#file.readOne(OWN, 'FROM own_webhook WHERE listen = $listen', { $listen });
  }

  setOf($service: string, $id: string): SetWebhook {
    const where = 'FROM set_webhook WHERE service = $service AND webhook_id = $id';
    return this.#file.readOne(SET, where, { $service, $id }) ?? UNSET;
  }

  /** The id of one that this machine has set at a service, and has not deleted. */
  setAt(service: string): string | undefined {
    const sql = 'SELECT webhook_id AS id FROM set_webhook WHERE service = ? AND at > 0';
    return this.#file.get<{ id: string }>(sql, [service])?.id;
  }

  /** Without values: it is gone, or may not be as it was set. */
  noteSet(service: string, id: string, { body, hasSecret, at }: SetWebhook = UNSET): void {
    const values = [service, id, JSON.stringify(body), Number(hasSecret), at];
    this.#file.run('INSERT OR REPLACE INTO set_webhook VALUES (?, ?, ?, ?, ?)', values);
  }

  close(): void {
    this.#locks.close();
    this.#file.close();
  }
}
