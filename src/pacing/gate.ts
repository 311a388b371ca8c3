import type { Clock } from './clock.ts';
import type { Ledger, Turn, Wait } from './ledger.ts';
import type { Answer, Budget } from './pacer-state.ts';
import { WaitingLine } from './waiting-line.ts';
import { workersWanted } from './workers-wanted.ts';

export interface GateWishes {
  clock: Clock;
  ledger: Ledger;
  /** How long it takes from its turn until a request leaves that `leads`; no time unless told. */
  leadMs?: (() => number) | undefined;
  /** Requests of each window that are kept for other people; none unless told. */
  leave?: number;
  /** Longest time that may be spent waiting for the budget, all waits together; without end unless told. */
  maxWaitMs?: number | undefined;
  /** Makes the error for everybody who waits when the next wait, of `delayMs`, would use up more than that. */
  tooLong?: (waitedMs: number, delayMs: number) => Error;
  /** Told when a request has to wait, and until when (milliseconds since 1970). */
  onWait?: (untilMs: number, budget: Budget) => void;
  /** Told of each answer before it lets go whoever comes next. */
  onAnswer?: (answer: Answer) => void;
}

/** So long the number of workers stays: whoever asks before every row would read the pacing file as often. */
const WORKERS_FOR_MS = 100;
/** However long the delay, the ledger is asked again after this: the clock may have been set. */
const LONGEST_SLEEP_MS = 60_000;

/** Holds every request of the process until the ledger lets it go, first come, first served. */
export class Gate {
  readonly #ledger: Ledger;
  readonly #wishes: GateWishes;
  readonly #line = new WaitingLine(() => this.#moveOn());
  /** Ends the sleep of whoever waits. */
  #sleep: AbortController | undefined;
  /** Spent waiting for the budget so far, and the wait that goes on. */
  #waitedMs = 0;
  #waits: { sinceMs: number; mostMs: number } | undefined;
  #announcedMs = Number.NaN;
  /** The wait that was too long. */
  #gaveUpMs: number | undefined;
  #expected = 0;
  /** When the first request came. */
  #beganMs: number | undefined;
  #workers: { wanted: number; atMs: number } | undefined;

  constructor(wishes: GateWishes) {
    this.#ledger = wishes.ledger;
    this.#wishes = wishes;
  }

  /** Resolves with a ticket when it may leave; rejects with the signal's reason. `leads`: it leaves `leadMs` later. */
  enter(signal: AbortSignal, leads = false): Promise<number> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.#gaveUpMs !== undefined) return Promise.reject(this.#tooLong(this.#gaveUpMs));
    if (this.#line.length > 0) return this.#line.join(signal, leads);
    const now = this.#wishes.clock.now();
    this.#beganMs ??= now;
    const turn = this.#take(now, 1, leads);
    if ('ticket' in turn) return Promise.resolve(turn.ticket);
    const entered = this.#line.join(signal, leads);
    this.#wait(turn, now);
    return entered;
  }

  answered(ticket: number, answer: Answer): void {
    this.#wishes.onAnswer?.(answer);
    this.#ledger.answered(ticket, this.#wishes.clock.now(), answer);
    this.#moveOn();
  }

  lost(ticket: number): void {
    this.#ledger.lost(ticket, this.#wishes.clock.now());
    this.#moveOn();
  }

  budget(): Budget {
    return this.#ledger.budget(this.#wishes.clock.now());
  }

  /** How many are still to come: what fits into what is left need not be spread. Until told, as many as wait. */
  expect(requests: number): void {
    this.#expected = requests;
    this.#moveOn();
  }

  /** How many requests should be under way at the same time, by what is known now. */
  workersWanted(): number {
    const now = this.#wishes.clock.now();
    if (this.#workers === undefined || Math.abs(now - this.#workers.atMs) >= WORKERS_FOR_MS) {
      const sinceMs = this.#beganMs ?? Number.POSITIVE_INFINITY;
      this.#workers = { wanted: workersWanted(this.budget(), sinceMs, this.#wishes.leadMs?.()), atMs: now };
    }
    return this.#workers.wanted;
  }

  #take(now: number, waiting: number, leads: boolean): Turn {
    const wanted = Math.max(waiting, this.#expected);
    const turn = this.#ledger.take(now, this.#wishes.leave, wanted, leads ? this.#wishes.leadMs?.() : 0);
    if ('ticket' in turn) this.#expected = Math.max(0, this.#expected - 1);
    return turn;
  }

  /** Lets go whoever may, after anything that may have changed the delay. */
  #moveOn(): void {
    try {
      this.#letGo();
    } catch (error) {
      // Nobody else would hear of it: this may be the end of a sleep.
      this.#wake();
      this.#line.dismiss(() => error);
    }
  }

  #letGo(): void {
    const now = this.#wishes.clock.now();
    // A clock that jumped does not count for more than was slept.
    const { sinceMs, mostMs } = this.#waits ?? { sinceMs: now, mostMs: 0 };
    this.#waitedMs += Math.min(Math.max(0, now - sinceMs), mostMs);
    this.#waits = undefined;
    while (this.#line.length > 0) {
      const turn = this.#take(now, this.#line.length, this.#line.leads);
      if (!('ticket' in turn)) return this.#wait(turn, now);
      this.#line.serve(turn.ticket);
    }
    this.#wake();
  }

  /** Waiting for an answer is no waiting for the budget: it is as long as the service takes. */
  #wait({ delayMs, againMs }: Wait, now: number): void {
    if (Number.isFinite(delayMs)) {
      if (this.#waitedMs + delayMs > (this.#wishes.maxWaitMs ?? Number.POSITIVE_INFINITY))
        return this.#giveUp(delayMs);
      this.#announce(now + delayMs, now);
      // Whoever was told may have called everybody off.
      if (this.#line.length === 0) return;
    }
    const sleepMs = Math.ceil(Math.min(delayMs, againMs, LONGEST_SLEEP_MS));
    if (Number.isFinite(delayMs)) this.#waits = { sinceMs: now, mostMs: sleepMs };
    if (Number.isFinite(Math.min(delayMs, againMs))) this.#sleepFor(sleepMs);
    else this.#wake();
  }

  #sleepFor(sleepMs: number): void {
    this.#wake();
    const sleep = new AbortController();
    this.#sleep = sleep;
    const end = (): void => {
      if (this.#sleep !== sleep) return;
      this.#sleep = undefined;
      this.#moveOn();
    };
    // A sleep that is cut short rejects, and nobody listens any more.
    void this.#wishes.clock.sleep(sleepMs, sleep.signal).then(end, () => undefined);
  }

  #wake(): void {
    this.#sleep?.abort();
    this.#sleep = undefined;
  }

  /** Asking again often gives the same time again, give or take a rounding. */
  #announce(untilMs: number, now: number): void {
    if (Math.abs(untilMs - this.#announcedMs) < 1) return;
    this.#announcedMs = untilMs;
    this.#wishes.onWait?.(untilMs, this.#ledger.budget(now));
  }

  #giveUp(delayMs: number): void {
    this.#gaveUpMs = delayMs;
    this.#wake();
    this.#line.dismiss(() => this.#tooLong(delayMs));
  }

  #tooLong(delayMs: number): Error {
    return (
      this.#wishes.tooLong?.(this.#waitedMs, delayMs) ??
      new Error(`Waited ${this.#waitedMs} ms for the budget.`)
    );
  }
}
