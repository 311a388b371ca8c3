import { randomBytes } from 'node:crypto';
import { GaveUpError, InterruptedError, ServiceError, UsageError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { type OwnParts, readWebhookList } from '../../webhooks/own/find-own.ts';
import { changeOwn, makeOwn, type MadeWebhook } from '../../webhooks/own/make-own.ts';
import { OwnBooks, type OwnWebhook } from '../../webhooks/own/own-books.ts';
import { type OwnFate, removeOwn } from '../../webhooks/own/remove-own.ts';
import type { Connection } from '../connect/connection.ts';
import { nameOf, shownOf, webhookService } from '../connect/left-webhooks.ts';
import type { GlobalOptions } from '../options/options.ts';
import { typedCommand } from '../options/help.ts';
import { eventNumber, newWebhookBody } from './webhook-body.ts';
import { startTunnel } from '../../webhooks/receive/tunnel.ts';
import { localWay, publicWay, tunnelWay, type WayIn, type WayParts } from '../../webhooks/receive/way-in.ts';
import type { ListenOptions } from './delivery-options.ts';
import type { Call } from '../terminal/terminal.ts';

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

  get id(): string | undefined {
    return this.#made?.webhookId;
  }

  /** What is in the books of it, in words. */
  get left(): string {
    const own = this.#books.find(this.listen);
    return own === undefined ? this.listen : nameOf(own);
  }

  /** The address that the service shows for it, where that is not ours. */
  get otherUrl(): string | undefined {
    const { url, shownUrl = url } = this.#books.find(this.listen) ?? { url: '' };
    return shownUrl === url ? undefined : shownUrl;
  }

  /** Ids, or names, of what killed ones have left at this service, as far as it can be told. */
  async leftovers(): Promise<readonly string[]> {
    const service = webhookService(this.#connection);
    const left = this.#books.leftovers(this.#runtime.clock.now()).filter((own) => own.service === service);
    return left.length === 0 ? [] : shownOf(left, await readWebhookList(this.#connection.client.webhooks));
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
    const own = this.#books.find(this.listen);
    if (own === undefined) return undefined;
    const fate = await removeOwn({ ...this.#made, ...own }, this.#parts('closing')).catch(
      (error: unknown): OwnFate => {
        if (error instanceof InterruptedError) return { result: 'left', why: 'interrupted' };
        if (error instanceof GaveUpError) return { result: 'left', why: error.message };
        throw error;
      },
    );
    if (fate.result === 'left')
      throw leftError(
        [this.#books.find(this.listen) ?? own],
        fate.why,
        `Delete what is left with: ${cleanupCommand(options)}`,
      );
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

/** The error for webhooks that are still there. */
export function leftError(left: readonly OwnWebhook[], why: string | undefined, hint: string): ServiceError {
  const which = left.map(nameOf).join(', ');
  const [s, is] = left.length === 1 ? ['', 'is'] : ['s', 'are'];
  const may = left.every(({ isMade }) => isMade) ? is : 'may be';
  return new ServiceError(`Webhook${s} ${which} ${may} left at the service.`, {
    details: why === undefined ? [] : [why],
    hint,
  });
}

/** Throws UsageError where the service could not get to this machine. */
export function requireWayIn({ publicUrl, tunnel }: ListenOptions, isLocal: boolean): void {
  if (isLocal || publicUrl !== undefined || tunnel !== undefined) return;
  throw new UsageError('The service cannot call this machine: it needs an address that leads here.', {
    hint: 'Give --public-url with one of your own, --tunnel "cloudflared tunnel --url {url}" with a command that makes one, or --sandbox.',
  });
}

/** What is waited for before anything can come; undefined: nothing. */
export function waitForWay({ publicUrl, tunnel, for: forMs }: ListenOptions): string | undefined {
  if (publicUrl === undefined && tunnel === undefined) return undefined;
  const what =
    publicUrl === undefined ? 'the tunnel has an address that leads here' : `${publicUrl} leads here`;
  const begins = forMs === undefined ? '' : '; --for begins then';
  return `Waiting until ${what}, for a minute at most${begins}.`;
}

/** Opens what leads deliveries to the receiver. `end` is told how to end it. */
export async function openWay(
  { options: { publicUrl, tunnel }, runtime }: Call<ListenOptions>,
  parts: WayParts,
  end: (close: () => Promise<void>) => void,
): Promise<WayIn> {
  if (publicUrl !== undefined) return await publicWay(publicUrl, parts);
  if (tunnel === undefined) return localWay(parts);
  const { cwd, env, clock, killGroup } = runtime;
  const started = startTunnel(tunnel, parts.receiver.url, { cwd, env, clock, killGroup });
  end(() => started.stop());
  return await tunnelWay(started, parts);
}
