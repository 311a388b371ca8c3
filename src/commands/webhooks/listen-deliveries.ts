import type { Runtime } from '../../runtime.ts';
import { matches } from '../../webhooks/deliveries/filter-deliveries.ts';
import type { Arrival, Delivery, ReceivedStore } from '../../webhooks/deliveries/received-store.ts';
import { type BytesSender, messageHeaders, pairsOf } from '../../webhooks/deliveries/send-bytes.ts';
import type { Reply } from '../../webhooks/receive/receiver.ts';
import { parseScheme, type WantedScheme } from '../../webhooks/signing/parse-scheme.ts';
import { verify } from '../../webhooks/signing/verify.ts';
import type { ListenOptions } from './delivery-options.ts';
import { EXIT, type ExitCode, GaveUpError, InterruptedError, UsageError } from '../../errors.ts';
import { withResolvers } from '../../prompts/with-resolvers.ts';
import { formatDuration } from '../../report/words/duration.ts';
import { plural } from '../../report/words/number.ts';

/** What taking deliveries takes. */
interface TakingParts {
  options: Pick<ListenOptions, 'forwardTo' | 'filter' | 'respond' | 'count'>;
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

type Judgement = Pick<Delivery, 'verdict' | 'why'>;

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

/** Why a listen ends without a failure. */
type End = 'count' | 'time' | 'stopped';

/** Throws UsageError for flags that exclude each other. */
export function refuseContradictions({ publicUrl, tunnel, respond, forwardTo }: ListenOptions): void {
  if (publicUrl !== undefined && tunnel !== undefined) {
    throw new UsageError('--public-url and --tunnel are two ways in: give one of them.');
  }
  if (respond !== undefined && forwardTo !== undefined) {
    throw new UsageError(
      '--respond and --forward-to contradict each other: what a forward answers goes back.',
    );
  }
}

/** `--respond 500` and `slow` make the service try again: `--count` is of the attempts of one delivery then. */
const countsAttempts = (respond: ListenOptions['respond']): boolean =>
  respond === '500' || respond === 'slow';

const counted = (count: number, respond: ListenOptions['respond']): string =>
  countsAttempts(respond)
    ? plural(count, 'attempt of one delivery', 'attempts of one delivery')
    : plural(count, 'delivery', 'deliveries');

/** What ends a listen: `Ctrl-C or 6 deliveries, for 25 s at most`. */
export function endsIn({ count, for: forMs, respond }: ListenOptions): string {
  const or = count === undefined ? '' : ` or ${counted(count, respond)}`;
  return `Ctrl-C${or}${forMs === undefined ? '' : `, for ${formatDuration(forMs)} at most`}`;
}

/** When a listen is over. */
export class ListenEnd {
  readonly #options: ListenOptions;
  readonly #over = withResolvers<End>();
  /** Deliveries that were asked for. */
  taken = 0;
  /** How many of those that `--count` is about have come. */
  #counted = 0;

  constructor(options: ListenOptions) {
    this.#options = options;
    // What fails before anybody waits is heard of then.
    this.#over.promise.catch(() => undefined);
  }

  stop(): void {
    this.#over.resolve('stopped');
  }

  fail(error: Error): void {
    this.#over.reject(error);
  }

  /** `nth`: how manieth attempt it is. True: no more are needed. */
  countOne({ nth }: { nth: number }): boolean {
    this.taken += 1;
    this.#counted = countsAttempts(this.#options.respond) ? Math.max(this.#counted, nth) : this.taken;
    if (this.#counted !== this.#options.count) return false;
    this.#over.resolve('count');
    return true;
  }

  /** The time holds for getting ready, too; listening then begins it anew. Aborts when it is over, unless `ready` was called. */
  limitStart({ clock }: Runtime): { signal: AbortSignal; ready: () => void } {
    const late = new AbortController();
    const resting = new AbortController();
    const { for: forMs } = this.#options;
    if (forMs !== undefined) {
      const why = new GaveUpError(`Not ready to listen within ${formatDuration(forMs)}.`, {
        hint: 'Nothing was received. Give it more time with --for, or see with --verbose what it waits for.',
      });
      const time = clock.sleep(forMs, resting.signal, { ref: false });
      time.then(() => late.abort(why)).catch(() => undefined);
    }
    return { signal: late.signal, ready: () => resting.abort(new InterruptedError()) };
  }

  /** Resolves at the count, at the end of the time, or at Ctrl-C; rejects with what failed. */
  async wait({ clock, stopping }: Runtime): Promise<End> {
    const resting = new AbortController();
    const stop = (): void => this.stop();
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop, { once: true });
    if (this.#options.for !== undefined) {
      const time = clock.sleep(this.#options.for, resting.signal);
      time.then(() => this.#over.resolve('time')).catch(() => undefined);
    }
    try {
      return await this.#over.promise;
    } finally {
      stopping.removeEventListener('abort', stop);
      resting.abort(new InterruptedError());
    }
  }

  /** What the command ends with; throws where fewer came than were asked for. */
  exitCode(end: End): ExitCode {
    const { count, for: forMs = 0, filter, respond } = this.#options;
    if (count === undefined || this.#counted >= count) return EXIT.done;
    const came = `${this.#counted} of ${counted(count, respond)} came`;
    if (end === 'stopped') throw new InterruptedError(`Interrupted: ${came}.`);
    throw new GaveUpError(`${came} within ${formatDuration(forMs)}.`, {
      hint: `See what came${filter.length > 0 ? ', also what --filter left out,' : ''} with \`eventreg webhooks deliveries\`.`,
    });
  }
}
