import type { Runtime } from '../../runtime.ts';
import { type Arrival, matches } from '../../webhooks/deliveries/read-delivery.ts';
import type { Delivery, ReceivedStore } from '../../webhooks/deliveries/received-store.ts';
import { type BytesSender, messageHeaders, pairsOf } from '../../webhooks/deliveries/send-bytes.ts';
import type { Reply } from '../../webhooks/receive/receiver.ts';
import { parseScheme, type WantedScheme } from '../../webhooks/signing/parse-scheme.ts';
import { verify } from '../../webhooks/signing/verify.ts';
import type { ListenOptions } from './delivery-options.ts';
import { countsAttempts, doesCount } from './listen-end.ts';

/** What taking deliveries takes. */
interface TakingParts {
  options: Pick<ListenOptions, 'forwardTo' | 'filter' | 'respond' | 'count' | 'trigger'>;
  clock: Runtime['clock'];
  store: ReceivedStore;
  sender: BytesSender;
  service: string;
  listen: string;
  /** Undefined: signatures are not looked at. */
  scheme: WantedScheme | undefined;
  secret: string;
  /** Where the service calls. */
  url: () => string;
  /** Told of each that was asked for, once it is answered; of one that is to wait for its answer, when it has come. */
  onTaken: (delivery: Delivery) => void;
  /** Told of the first that a filter leaves out. */
  onLeftOut: (delivery: Delivery) => void;
  /** Told of a scheme that was found out. */
  onScheme: (name: string) => void;
  /** Told what keeps deliveries from being stored. */
  onFailure: (error: Error) => void;
}

type Judgement = Pick<Delivery, 'verdict' | 'why'> & Partial<Pick<Delivery, 'scheme'>>;

const SLOW_MS = 60_000;
const ANSWER_HEADERS = ['content-type', 'content-encoding', 'retry-after'];

/** Stores each delivery before anything else, then forwards it or answers as was asked for. */
export class Taking {
  readonly #parts: TakingParts;
  readonly #noting = new Set<Promise<void>>();
  /** The scheme that was found out last. */
  #found: WantedScheme | undefined;
  /** How many more of those that are asked for are taken. */
  #room: number;
  /** Those that a filter left out. */
  leftOut = 0;

  constructor(parts: TakingParts) {
    this.#parts = parts;
    const { count, respond } = parts.options;
    this.#room = count === undefined || countsAttempts(respond) ? Number.POSITIVE_INFINITY : count;
  }

  /**
   * Answers when it is on the disk. Rejects when it cannot be stored, and once as many have come as were asked for: the
   * service will send it again.
   */
  async take(arrival: Arrival, gone: AbortSignal): Promise<Reply> {
    const { store, service, listen, options, onTaken, onFailure } = this.#parts;
    if (this.#room === 0) throw new Error('As many have come as were asked for.');
    const isWanted = matches(arrival, options.filter);
    if (isWanted) this.#room -= 1;
    const known = isWanted ? this.#knownStatus() : 200;
    const delivery = await store
      .add(arrival, { service, listen, ...this.#judge(arrival), answer: known })
      .catch((error: Error) => {
        onFailure(error);
        throw error;
      });
    if (!isWanted) this.#leaveOut(delivery);
    else if (!doesCount(delivery, options)) this.#room += 1;
    const isSlow = options.respond === 'slow';
    if (isWanted && isSlow) onTaken(delivery);
    const { error, ...reply } = known === undefined ? await this.#answer(arrival, gone) : { status: known };
    // Whoever has hung up meanwhile was not answered.
    const answer = known ?? (gone.aborted ? undefined : reply.status);
    if (known === undefined && answer !== undefined) this.#note(delivery.no, answer, error);
    if (isWanted && !isSlow) onTaken({ ...delivery, answer, error });
    return reply;
  }

  /** Takes no more: enough have come. */
  refuse(): void {
    this.#room = 0;
  }

  /** Resolves when all that is to be written is. */
  async settle(): Promise<void> {
    while (this.#noting.size > 0) await Promise.all(this.#noting);
  }

  #leaveOut(delivery: Delivery): void {
    this.leftOut += 1;
    if (this.leftOut === 1) this.#parts.onLeftOut(delivery);
  }

  #note(no: number, status: number, error: string | undefined): void {
    const noting = this.#parts.store
      .noteAnswer(no, status, error)
      .catch(this.#parts.onFailure)
      .finally(() => this.#noting.delete(noting));
    this.#noting.add(noting);
  }

  #judge({ headers, body, atMs }: Arrival): Judgement {
    const { scheme, secret, url, onScheme } = this.#parts;
    if (scheme === undefined) return { verdict: 'not verified', why: undefined };
    const request = { headers: pairsOf(headers), body, url: url(), nowMs: atMs };
    // What has fitted once is likely to fit again, and the others need not be tried.
    const before = this.#found && verify(this.#found, secret, request);
    if (before?.verdict.startsWith('valid')) return before;
    const found = verify(scheme, secret, request);
    if (scheme === 'auto' && found.scheme !== undefined) {
      this.#found = parseScheme(found.scheme);
      onScheme(found.scheme);
    }
    return found;
  }

  /** What it is answered with, where that needs no waiting: written with it, as one write. */
  #knownStatus(): number | undefined {
    const { forwardTo, respond } = this.#parts.options;
    if (forwardTo !== undefined || respond === 'slow') return undefined;
    return respond === '500' ? 500 : 200;
  }

  async #answer({ headers, body }: Arrival, gone: AbortSignal): Promise<Reply & { error?: string }> {
    const { options, clock, sender } = this.#parts;
    if (options.forwardTo !== undefined) {
      const sent = await sender.send(new URL(options.forwardTo), messageHeaders(headers), body);
      if (sent.status === undefined)
        return { status: sent.why === 'timeout' ? 504 : 502, error: sent.message };
      const kept = Object.entries(sent.headers).filter(([name]) => ANSWER_HEADERS.includes(name));
      return { status: sent.status, headers: Object.fromEntries(kept), body: sent.body };
    }
    await clock.sleep(SLOW_MS, gone, { ref: false }).catch(() => undefined);
    return { status: 200 };
  }
}
