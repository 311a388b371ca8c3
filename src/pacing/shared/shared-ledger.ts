import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Ledger, Turn } from '../ledger.ts';
import type { Answer, Budget } from '../pacer-state.ts';
import { SteadyTime } from '../steady-time.ts';
import { isLimiting, LOOK_MS, type MakePacer, SharedBudget, SIGN_MS } from './shared-budget.ts';
import { isBusy, isOfTheFile, type RowFile, type SharedRow } from './shared-row.ts';

interface SharedLedgerOptions {
  /** Opens the account's row of the pacing file, at first use. */
  open: () => RowFile;
  clock: Clock;
  makePacer: MakePacer;
  /** Told when the file is closed at the end: all that was learnt is in it. */
  onClosed?: (now: number) => void;
}

/** What is held for longer than this is held for good. */
const BUSY_MS = 5000;

/**
 * The ledger of all processes of this machine that use one account, one client together: each operation is one short
 * transaction. Where nothing is limited, or the file cannot be used, each goes apart: that is twice as fast.
 */
export class SharedLedger implements Ledger {
  readonly #options: SharedLedgerOptions;
  readonly #time: SteadyTime;
  readonly #id = randomUUID();
  /** Undefined until first use, and when a transaction may have left it half changed. */
  #known: SharedBudget | undefined;
  /** What the last transaction that went well left in the file. */
  #row: SharedRow | undefined;
  /** Undefined until first use, and once it has failed. */
  #file: RowFile | undefined;
  #isTogether = true;
  #busySinceMs: number | undefined;
  /** What happened and is not in the file yet: it goes before anything else. */
  #unbooked: ((budget: SharedBudget) => void)[] = [];
  #lastNumber = 0;
  #signing: AbortController | undefined;

  constructor(options: SharedLedgerOptions) {
    this.#options = options;
    this.#time = new SteadyTime(options.clock.steadyMs);
  }

  take(now: number, leave = 0, wanted = Number.POSITIVE_INFINITY, leadMs = 0): Turn {
    const number = this.#lastNumber + 1;
    const turn = this.#book(now, (budget) => budget.take(number, now, leave, wanted, leadMs));
    if (turn === undefined) return { delayMs: Number.POSITIVE_INFINITY, againMs: LOOK_MS };
    if ('ticket' in turn) this.#lastNumber = number;
    return turn;
  }

  answered(number: number, now: number, answer: Answer): void {
    const apart = this.#known;
    if (!this.#isTogether && this.#file !== undefined && apart !== undefined && isLimiting(answer)) {
      this.#known = undefined;
      this.#isTogether = true;
      this.#unbooked.push((budget) => budget.bringIn(apart, now));
    }
    this.#bookFirst(now, (budget) => budget.answered(number, now, answer));
  }

  lost(number: number, now: number): void {
    this.#bookFirst(now, (budget) => budget.lost(number, now));
  }

  budget(now: number): Budget {
    return this.#book(now, (budget) => budget.budget(now)) ?? this.#budget.budget(now);
  }

  close(now: number): void {
    if (this.#file !== undefined) {
      this.#known = undefined;
      this.#isTogether = true;
      this.#bookFirst(now, (budget) => budget.leave(now));
    }
    this.#closeFile();
    this.#goApart(now);
    this.#options.onClosed?.(now);
  }

  get #budget(): SharedBudget {
    if (this.#known === undefined) {
      this.#known = new SharedBudget(this.#id, this.#options.makePacer, this.#time);
      if (this.#row !== undefined) this.#known.load(this.#row);
    }
    return this.#known;
  }

  /** What cannot be booked at once is booked before anything else. */
  #bookFirst(now: number, work: (budget: SharedBudget) => void): void {
    this.#unbooked.push(work);
    this.#book(now, () => undefined);
  }

  /** Undefined while somebody else has the file. */
  #book<T>(now: number, work: (budget: SharedBudget) => T): T | undefined {
    try {
      const done = this.#isTogether ? this.#transact(work) : undefined;
      if (done !== undefined) return done.result;
    } catch (error) {
      this.#known = undefined;
      if (!isOfTheFile(error)) throw error;
      if (isBusy(error) && this.#isBriefly(now)) return undefined;
      this.#closeFile();
    }
    if (this.#isTogether) this.#goApart(now);
    for (const late of this.#unbooked.splice(0)) late(this.#budget);
    return work(this.#budget);
  }

  /** Undefined when there is nothing to share. */
  #transact<T>(work: (budget: SharedBudget) => T): { result: T } | undefined {
    const file = (this.#file ??= this.#options.open());
    const { done, row } = file.transact(() => {
      const budget = this.#budget;
      const found = file.read();
      if (found !== undefined) budget.load(found);
      for (const late of this.#unbooked) late(budget);
      const result = budget.limited === false ? undefined : { result: work(budget) };
      const left = budget.save();
      if (left.memory !== found?.memory || left.sharing !== found.sharing) file.write(left);
      return { done: result, row: left };
    });
    this.#row = row;
    this.#unbooked = [];
    this.#busySinceMs = undefined;
    this.#keepSigning();
    return done;
  }

  #isBriefly(now: number): boolean {
    this.#busySinceMs ??= now;
    return Math.abs(now - this.#busySinceMs) <= BUSY_MS;
  }

  #goApart(now: number): void {
    this.#isTogether = false;
    this.#keepSigning();
    this.#budget.part(now);
  }

  #closeFile(): void {
    try {
      this.#file?.close();
    } catch (error) {
      if (!isOfTheFile(error)) throw error;
    }
    this.#file = undefined;
  }

  /** While a request is under way, also when nobody else is there: whoever comes would take a silent process for dead. */
  #keepSigning(): void {
    const isNeeded = this.#isTogether && this.#budget.underWay > 0;
    if (!isNeeded) {
      this.#signing?.abort();
      this.#signing = undefined;
    } else if (this.#signing === undefined) {
      this.#signing = new AbortController();
      void this.#sign(this.#signing.signal);
    }
  }

  async #sign(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      await clock.sleep(SIGN_MS, signal, { ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const now = clock.now();
      this.#book(now, (budget) => budget.sign(now));
    }
  }
}
