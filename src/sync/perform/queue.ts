import { isQueued, type QueuedRow, queuedRow, queuedRows, readState } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { Looks, type LookWish } from './looks.ts';

/** A row has waited for its turn so long that it has to be looked at again, or is not to be sent any more: it is taken anew. */
export class WaitedTooLongError extends Error {}

/** So many of what may do harm go before one of them is looked at, then so many more; after that all. */
export const STEPS = [10, 100, 1000];

/**
 * The pending rows of one depth in the order in which they are sent: those that are new first, then updates as the
 * service lists them, looked at again where that is called for. Shared by all workers: each row is taken once.
 */
export class Queue {
  readonly #context: SendContext;
  readonly #depth: number;
  readonly looks: Looks | undefined;
  readonly #rows: Generator<QueuedRow>;
  /** Rows that were kept back, by number. */
  readonly #again: number[] = [];
  #line: Promise<unknown> = Promise.resolve();
  #step = 0;
  /** What has been taken in this step of that which may do harm. */
  #taken: QueuedRow[] = [];

  constructor(context: SendContext, depth: number, wish: LookWish | undefined) {
    this.#context = context;
    this.#depth = depth;
    this.looks = wish && new Looks(context, depth, wish);
    this.#rows = pendingRows(context, depth);
  }

  /** Nothing is left to take. */
  get isEmpty(): boolean {
    const { journal, run } = this.#context;
    return queuedRows(journal, run, { depth: this.#depth, limit: 1 }).length === 0;
  }

  /** The next row, looked at again if need be; undefined when there is none, or a step is done. Throws what reading throws. */
  next(): Promise<QueuedRow | undefined> {
    // One look at a time: it may show what the next one would.
    const turn = this.#line.then(() => this.#take());
    this.#line = turn.catch(() => undefined);
    return turn;
  }

  /** Puts a row back that was not sent. */
  putBack({ seq }: QueuedRow): void {
    this.#again.push(seq);
    this.#taken = this.#taken.filter((row) => row.seq !== seq);
  }

  /** Begins the next step, and returns what was taken in the one before. */
  nextStep(): readonly QueuedRow[] {
    const taken = this.#taken;
    this.#taken = [];
    this.#step += 1;
    return taken;
  }

  /** Why a row may not leave any more as it was taken; undefined where it may. */
  whyNot(row: QueuedRow): Error | undefined {
    const { journal, run, clock } = this.#context;
    const isOld = this.looks?.isOld(row, () => clock.now()) === true;
    return isOld || !isQueued(journal, run, row.seq) ? new WaitedTooLongError() : undefined;
  }

  /** A row as it is listed now; undefined where that has made something else of it. */
  async lookedAt(row: QueuedRow): Promise<QueuedRow | undefined> {
    await this.looks?.lookAtFirst(row);
    return this.#pending(row.seq);
  }

  #pending(seq: number): QueuedRow | undefined {
    const { journal, run } = this.#context;
    return readState(journal, run, seq) === 'pending' ? queuedRow(journal, run, seq) : undefined;
  }

  async #take(): Promise<QueuedRow | undefined> {
    const { journal, run } = this.#context;
    while (this.#taken.length < (STEPS[this.#step] ?? Number.POSITIVE_INFINITY)) {
      const seq = this.#again.shift();
      const row = seq === undefined ? this.#rows.next().value : queuedRow(journal, run, seq);
      if (seq === undefined && row === undefined) return undefined;
      if (row === undefined) continue;
      await this.looks?.lookBefore(row, this.#leavesAtMs);
      // What was looked at, alone or with others, may have come to something else.
      const isAsRead = seq === undefined && this.looks?.hasSeen(row.seq) !== true;
      const now = isAsRead ? row : this.#pending(row.seq);
      if (now === undefined) continue;
      // It sends what the file does not say, or registers somebody who is like others.
      const mayDoHarm = now.plan === 'update' || now.near !== undefined;
      if (mayDoHarm && this.#step < STEPS.length) this.#taken.push(now);
      return now;
    }
    return undefined;
  }

  /** When a row that is taken now can leave: a look that waits for the budget is newer than a row that does. */
  readonly #leavesAtMs = (): number => {
    const { clock, budget, limits } = this.#context;
    const { remaining, refillsAtMs } = budget();
    const isSpent = remaining !== undefined && remaining <= limits.workers();
    return Math.max(clock.now(), isSpent ? (refillsAtMs ?? 0) : 0);
  };
}

function* pendingRows({ journal, run }: SendContext, depth: number): Generator<QueuedRow, undefined> {
  for (let after: { position: number; seq: number } | undefined; ; ) {
    const page = queuedRows(journal, run, { depth, after, limit: 200 });
    const last = page.at(-1);
    if (last === undefined) return undefined;
    yield* page;
    after = last;
  }
}

/** Those who ask something of the service, one thing after the other, until nothing is left or something halts them all. */
export class Crew {
  protected readonly context: SendContext;
  /** What has halted them. */
  error: Error | undefined;

  constructor(context: SendContext) {
    this.context = context;
  }

  get halted(): boolean {
    return this.error !== undefined || this.context.stopping.aborted;
  }

  halt(error: unknown): void {
    this.error ??= error instanceof Error ? error : new Error(String(error));
    this.context.halt();
  }

  /** Works with as many as are `wanted` until `next` finds nothing. `told` resolves once its outcome may be told. */
  async work(wanted: () => number, next: () => Promise<{ told?: Promise<void> } | undefined>): Promise<void> {
    await workTogether(wanted, async (goesOn) => {
      let told: Promise<void> | undefined;
      while (!this.halted) {
        try {
          const done = goesOn() ? await next() : undefined;
          if (done === undefined) break;
          // What was kept back ends before the outcome of what was asked before it is on the disk.
          await told;
          told = done.told;
        } catch (error) {
          this.halt(error);
        }
      }
      await told;
    });
  }
}

/**
 * Has as many workers at once as `wanted` says, at least one, until the first ends by itself: nothing is left to take
 * then. Each asks `goesOn` before it takes anything; one that is too many hears no, and ends. Workers must not reject.
 */
export async function workTogether(
  wanted: () => number,
  work: (goesOn: () => boolean) => Promise<void>,
): Promise<void> {
  const working = new Set<Promise<void>>();
  let count = 0;
  let isOver = false;

  const begin = async (): Promise<void> => {
    count += 1;
    let isTooMany = false;
    // None takes anything before all that are wanted have been begun.
    await Promise.resolve();
    await work(() => {
      isTooMany = count > adjust();
      if (isTooMany) count -= 1;
      return !isTooMany;
    });
    if (isTooMany) return;
    count -= 1;
    isOver = true;
  };
  const adjust = (): number => {
    const most = Math.max(1, wanted());
    const missing = isOver ? 0 : most - count;
    for (let nth = 0; nth < missing; nth += 1) {
      const worker = begin().finally(() => working.delete(worker));
      working.add(worker);
    }
    return most;
  };

  adjust();
  while (working.size > 0) await Promise.all(working);
}
