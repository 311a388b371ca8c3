import type { Clock } from '../clock.ts';
import type { Ledger, Turn } from '../ledger.ts';
import type { Answer } from '../pacer.ts';
import type { Budget } from '../pacer-state.ts';
import { type Alone, aloneWith, goAlone, isBusy, quietly } from './shared-alone.ts';
import { isLimiting, SharedBudget, type UnderWay } from './shared-budget.ts';
import type { SharedRows } from './shared-rows.ts';
import { Signs } from './shared-signs.ts';
import { type MakePacer, SharedState } from './shared-state.ts';
import { LOOK_MS } from './shared-take.ts';

interface SharedLedgerOptions {
  /** Opens the account's rows of the pacing file, at first use. */
  open: () => SharedRows;
  clock: Clock;
  makePacer: MakePacer;
}

/** What is held for longer than this is held for good. */
const BUSY_MS = 5000;

/** How something is booked. `busy`: what comes of it while somebody else has the file. */
interface Ways<T> {
  together: (shared: SharedBudget) => T;
  alone: (alone: Alone) => T;
  busy: () => T;
}

/**
 * The ledger of all processes of this machine that use one account: together they are one client. While
 * the service names no limit and refuses nothing there is nothing to share, and each goes alone; also
 * when the file cannot be used, which stops nobody.
 */
export function createSharedLedger(options: SharedLedgerOptions): Ledger {
  return new SharedLedger(options);
}

class SharedLedger implements Ledger {
  readonly #options: SharedLedgerOptions;
  /** Undefined until first use, and once the file has failed. */
  #shared: SharedBudget | undefined;
  #alone: Alone | undefined;
  #lastTicket = 0;
  readonly #underWay = new Map<number, UnderWay>();
  readonly #signs: Signs;
  #busySinceMs: number | undefined;
  /** What happened while somebody else had the file. */
  #unbooked: Ways<void>[] = [];

  constructor(options: SharedLedgerOptions) {
    this.#options = options;
    this.#signs = new Signs(options.clock, (now) => this.#giveSign(now));
  }

  take(now: number, leave = 0, wanted = Number.POSITIVE_INFINITY): Turn {
    let turn = this.#ask(now, leave, wanted);
    if (this.#isStuck(turn)) {
      this.#alone = aloneWith(this.#options.makePacer());
      turn = this.#ask(now, leave, wanted);
    }
    if (!('ticket' in turn)) return turn;
    this.#lastTicket += 1;
    this.#underWay.set(this.#lastTicket, { ticket: turn.ticket, sentAtMs: now, era: this.#era });
    if (this.#alone === undefined) this.#signs.start();
    return { ticket: this.#lastTicket };
  }

  answered(number: number, now: number, answer: Answer): void {
    if (this.#alone !== undefined && isLimiting(answer)) this.#share(now);
    const request = this.#settle(number);
    if (request === undefined) return;
    this.#book(now, {
      together: (shared) => shared.answered(request, now, answer),
      alone({ ledger, era }) {
        if (era === request.era) ledger.answered(request.ticket, now, answer);
      },
    });
  }

  lost(number: number, now: number): void {
    const request = this.#settle(number);
    if (request === undefined) return;
    this.#book(now, {
      together: (shared) => shared.lost(request, now),
      alone({ ledger, era }) {
        if (era === request.era) ledger.lost(request.ticket, now);
      },
    });
  }

  budget(now: number): Budget {
    const known = (): Alone =>
      this.#shared === undefined ? aloneWith(this.#options.makePacer()) : goAlone(this.#shared);
    return this.#use(now, {
      together: (shared) => shared.budget(now),
      alone: ({ ledger }) => ledger.budget(now),
      busy: () => known().ledger.budget(now),
    });
  }

  close(now: number): void {
    this.#signs.stop();
    const shared = this.#shared;
    if (shared === undefined) return;
    for (const number of this.#underWay.keys()) this.lost(number, now);
    this.#alone ??= goAlone(shared);
    this.#shared = undefined;
    quietly(() => shared.close(now));
  }

  /** Returns whether more signs are needed. */
  #giveSign(now: number): boolean {
    const nothing = (): void => undefined;
    if (this.#alone !== undefined) return false;
    this.#use(now, { together: (shared) => shared.giveSign(now), alone: nothing, busy: nothing });
    return this.#alone === undefined;
  }

  get #era(): string | undefined {
    return this.#alone === undefined ? this.#shared?.era : this.#alone.era;
  }

  /** Books with everybody; alone once there is nothing to share, or the file fails. */
  #use<T>(now: number, ways: Ways<T>): T {
    if (this.#alone === undefined) {
      const done = quietly(() => this.#together(now, ways));
      if (done !== undefined) return done.result;
      this.#leave();
    }
    this.#alone ??= aloneWith(this.#options.makePacer());
    for (const late of this.#unbooked.splice(0)) late.alone(this.#alone);
    return ways.alone(this.#alone);
  }

  /** Undefined when there is nothing to share. */
  #together<T>(now: number, { together, busy }: Ways<T>): { result: T } | undefined {
    try {
      const shared = (this.#shared ??= this.#open());
      for (let [late] = this.#unbooked; late !== undefined; [late] = this.#unbooked) {
        late.together(shared);
        this.#unbooked.shift();
      }
      if (shared.limited === false) {
        this.#alone = goAlone(shared);
        return undefined;
      }
      const result = together(shared);
      this.#busySinceMs = undefined;
      return { result };
    } catch (error) {
      if (!isBusy(error)) throw error;
      this.#busySinceMs ??= now;
      if (Math.abs(now - this.#busySinceMs) > BUSY_MS) throw error;
      return { result: busy() };
    }
  }

  /** What cannot be booked at once is booked before anything else. */
  #book(now: number, ways: Omit<Ways<void>, 'busy'>): void {
    const busy = (): void => void this.#unbooked.push({ ...ways, busy });
    this.#use(now, { ...ways, busy });
  }

  #open(): SharedBudget {
    const { open, makePacer } = this.#options;
    return new SharedBudget(new SharedState(open(), makePacer));
  }

  /** The file has failed, unless there is nothing to share. */
  #leave(): void {
    const shared = this.#shared;
    if (shared === undefined || this.#alone !== undefined) return;
    this.#alone = goAlone(shared);
    this.#abandon(shared);
  }

  #abandon(shared: SharedBudget): void {
    this.#shared = undefined;
    quietly(() => shared.abandon());
  }

  /** There is something to share now: requests under way go into the file, as does what was learnt. */
  #share(now: number): void {
    const [shared, alone] = [this.#shared, this.#alone];
    if (shared === undefined || alone === undefined) return;
    const mine = [...this.#underWay.values()].filter(({ era }) => era === alone.era);
    const tickets = quietly(() => this.#bringIn(shared, now, alone, mine));
    if (tickets === undefined) return this.#abandon(shared);
    if (tickets === 'busy') return;
    this.#alone = undefined;
    for (const [index, request] of mine.entries()) {
      request.ticket = tickets[index] ?? request.ticket;
      request.era = shared.era;
    }
  }

  /** The next answer that tells of a limit will try again. */
  #bringIn(
    shared: SharedBudget,
    now: number,
    { pacer }: Alone,
    mine: readonly UnderWay[],
  ): number[] | 'busy' {
    try {
      return shared.bringIn(now, pacer, mine);
    } catch (error) {
      if (isBusy(error)) return 'busy';
      throw error;
    }
  }

  #settle(number: number): UnderWay | undefined {
    const request = this.#underWay.get(number);
    this.#underWay.delete(number);
    if (this.#underWay.size === 0) this.#signs.stop();
    return request;
  }

  #ask(now: number, leave: number, wanted: number): Turn {
    return this.#use<Turn>(now, {
      together: (shared) => shared.take(now, leave, wanted),
      alone: ({ ledger }) => ledger.take(now, leave, wanted),
      busy: () => ({ delayMs: Number.POSITIVE_INFINITY, againMs: LOOK_MS }),
    });
  }

  /** Alone, an answer is waited for that nobody will get: what was remembered is wrong. */
  #isStuck(turn: Turn): boolean {
    if ('ticket' in turn || Number.isFinite(turn.delayMs)) return false;
    return this.#alone !== undefined && this.#underWay.size === 0;
  }
}
