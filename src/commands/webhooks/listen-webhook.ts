import { randomBytes } from 'node:crypto';
import { EventregError, GaveUpError, InterruptedError, ServiceError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import {
  type OwnParts,
  readWebhookList,
  nameOf,
  shownOf,
  webhookService,
} from '../../webhooks/own/find-own.ts';
import { changeOwn, makeOwn, type MadeWebhook } from '../../webhooks/own/make-own.ts';
import { OwnBooks, type OwnWebhook } from '../../webhooks/own/own-books.ts';
import { type OwnFate, removeOwn } from '../../webhooks/own/remove-own.ts';
import type { Connection } from '../connect/connection.ts';
import { setOperations } from '../../service/endpoints.ts';
import { seenOf, whyTellsNothing } from '../../webhooks/own/evidence.ts';
import type { GlobalOptions } from '../options/options.ts';
import { typedCommand } from '../options/help.ts';
import { eventNumber, newWebhookBody } from './webhook-body.ts';
import type { ListenOptions } from './delivery-options.ts';

/** The webhook of one listen, from before it is made until it is gone. */
export class ListenWebhook {
  /** Of this listen, and of nothing else anywhere. */
  readonly listen = randomBytes(8).toString('hex');
  readonly #connection: Connection;
  readonly #runtime: Runtime;
  readonly #books: OwnBooks;
  #made: MadeWebhook | undefined;

  constructor(connection: Connection, runtime: Runtime) {
    this.#connection = connection;
    this.#runtime = runtime;
    this.#books = new OwnBooks(runtime.paths.state);
  }

  /** Its id as the service writes it, once it is made. */
  get shownId(): string | number | undefined {
    return this.#made && (this.booked?.shownId ?? this.#made.webhookId);
  }

  /** What is in the books of it. */
  get booked(): OwnWebhook | undefined {
    return this.#books.find(this.listen);
  }

  /** The address that the service shows for it, where that is not ours. */
  get otherUrl(): string | undefined {
    const { url, shownUrl } = this.booked ?? { url: '' };
    return seenOf(url, shownUrl) === 'otherwise' ? shownUrl : undefined;
  }

  /** Reads the list before anything is made: what killed ones have left, and why it can prove nothing of ours. */
  async look(): Promise<{ left: readonly string[]; whyNothing: string | undefined }> {
    const list = await readWebhookList(this.#connection.client.webhooks);
    const left = shownOf(this.#books, webhookService(this.#connection), list, this.#runtime.clock.now());
    return { left, whyNothing: whyTellsNothing(list) };
  }

  async make(url: string, triggers: readonly string[], secret: string): Promise<void> {
    const { client } = this.#connection;
    const name = `eventreg listen ${this.listen}`;
    const eventId = eventNumber((await client.getEvent()).eventId);
    const described = newWebhookBody({ url, name, trigger: triggers }, eventId);
    const body = { ...described, signing_secret_encrypted: secret };
    const at = this.#runtime.clock.now();
    const intent = { listen: this.listen, service: webhookService(this.#connection), name, url, at };
    this.#made = await makeOwn(intent, body, this.#parts('client'));
  }

  /** Lets the service call another address. Throws ServiceError where it says that it does not. */
  async move(url: string): Promise<void> {
    const made = this.#made;
    if (made === undefined) return;
    this.#books.note(this.listen, { url, shownUrl: undefined });
    const body = { ...made.body, webhook_url: url };
    this.#made = { ...made, url, body };
    const why = await changeOwn(this.#made, body, this.#parts('client'));
    if (why !== undefined) throw new ServiceError(`The webhook of this listen is not on any more: ${why}`);
  }

  /** Deletes it and proves it, also after Ctrl-C. Throws a ServiceError when something is left; undefined: there was nothing. */
  async remove(options: GlobalOptions): Promise<OwnFate | undefined> {
    const own = this.booked;
    if (own === undefined) return undefined;
    const fate = await removeOwn({ ...this.#made, ...own }, this.#parts('closing')).catch(
      (error: unknown): OwnFate => {
        if (!(error instanceof InterruptedError || error instanceof GaveUpError)) throw error;
        return { result: 'left', why: error.message, mend: [] };
      },
    );
    if (fate.result === 'left') throw leftError([[this.booked ?? own, fate]], options);
    return fate;
  }

  close(): void {
    this.#books.close();
  }

  #parts(which: 'client' | 'closing'): OwnParts {
    const { clock, stopping, aborting } = this.#runtime;
    const { webhooks } = this.#connection[which];
    return { client: webhooks, books: this.#books, clock, stopping, aborting };
  }
}

/** What deletes what was left. */
export const cleanupCommand = (options: GlobalOptions): string =>
  typedCommand(['webhooks', 'listen', '--cleanup'], options);

/** What to do about one that is still there: another try only where that may come to something else. */
export function leftHint(id: string | undefined, { mend }: OwnFate, options: GlobalOptions): string {
  if (mend?.length === 0) return `Delete what is left with: ${cleanupCommand(options)}`;
  const which = id === undefined ? 'it by its name' : `webhook ${id}`;
  if (mend === undefined) return `Delete ${which} in the service itself.`;
  const again = `Where there is another way, ${setOperations(...mend)} Then: ${cleanupCommand(options)}.`;
  return `${again} Or delete ${which} in the service itself.`;
}

/** Whether nothing shows that one is there. */
export const isUnsure = ([own, fate]: readonly [OwnWebhook, OwnFate]): boolean =>
  !own.isMade || fate.isUnsure === true;

/** The error for webhooks that are still there. */
export function leftError(
  fates: readonly (readonly [OwnWebhook, OwnFate])[],
  options: GlobalOptions,
): ServiceError {
  const left = fates.map(([own]) => own);
  const which = left.map(nameOf).join(', ');
  const hints = new Set(fates.map(([own, fate]) => leftHint(own.webhookId, fate, options)));
  const [s, is] = left.length === 1 ? ['', 'is'] : ['s', 'are'];
  const may = fates.some(isUnsure) ? 'may be' : is;
  return new ServiceError(`Webhook${s} ${which} ${may} left at the service.`, {
    details: [...new Set(fates.flatMap(([, { why }]) => why ?? []))],
    hint: [...hints].join(' '),
  });
}

/** Does the work, and removes the webhook whatever becomes of it. */
export async function withWebhook<Why>(
  webhook: ListenWebhook,
  options: ListenOptions,
  tellLeft: (fate: OwnFate) => void,
  work: () => Promise<Why>,
): Promise<{ why: Why; fate: OwnFate | undefined }> {
  let why: Why;
  try {
    why = await work();
  } catch (error) {
    const fate = await webhook.remove(options).catch((left: unknown) => {
      if (!(left instanceof EventregError)) throw left;
      const { message, hint = '', details } = left;
      const cause = error instanceof Error ? error.message : String(error);
      throw new ServiceError(message, { hint, details: [...new Set([...details, cause])], cause: error });
    });
    if (fate?.result === 'inactive' || fate?.result === 'unseen') tellLeft(fate);
    throw error;
  }
  return { why, fate: await webhook.remove(options) };
}
