import { EXIT, type ExitCode, GaveUpError, InterruptedError, UsageError } from '../../errors.ts';
import { withResolvers } from '../../prompts/with-resolvers.ts';
import { formatDuration, plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import { isPing } from '../../webhooks/deliveries/read-delivery.ts';
import type { Delivery } from '../../webhooks/deliveries/received-store.ts';
import type { ListenOptions } from './delivery-options.ts';

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

/** A ping is none of those that were asked for, unless that was. */
export const doesCount = (delivery: Delivery, { trigger }: Pick<ListenOptions, 'trigger'>): boolean =>
  !isPing(delivery) || trigger.includes(delivery.type ?? '');

/** `--respond 500` and `slow` make the service try again: `--count` is of the attempts of one delivery then. */
export const countsAttempts = (respond: ListenOptions['respond']): boolean =>
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
  /** Those of them whose signature is not valid. */
  invalid = 0;
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

  /** True: no more are needed. */
  countOne(delivery: Delivery): boolean {
    if (!doesCount(delivery, this.#options)) return false;
    const { nth, verdict } = delivery;
    this.taken += 1;
    if (verdict !== 'valid') this.invalid += 1;
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
    const { count, for: forMs = 0, filter, respond, verify } = this.#options;
    const isHeld = count !== undefined && verify !== undefined && verify !== 'off';
    if (count === undefined || this.#counted >= count) {
      return isHeld && this.invalid > 0 ? EXIT.rejected : EXIT.done;
    }
    const came = `${this.#counted} of ${counted(count, respond)} came`;
    if (end === 'stopped') throw new InterruptedError(`Interrupted: ${came}.`);
    throw new GaveUpError(`${came} within ${formatDuration(forMs)}.`, {
      hint: `See what came${filter.length > 0 ? ', also what --filter left out,' : ''} with \`eventreg webhooks deliveries\`.`,
    });
  }
}
