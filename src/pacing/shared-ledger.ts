import type { Clock } from './clock.ts';
import type { Ledger, Turn } from './ledger.ts';
import type { Answer, Budget } from './pacer.ts';
import { type Alone, aloneWith, goAlone, quietly } from './shared-alone.ts';
import { isLimiting, SharedBudget, type UnderWay } from './shared-budget.ts';
import type { SharedRows } from './shared-rows.ts';
import { type MakePacer, SIGN_MS, SharedState } from './shared-state.ts';

export interface SharedLedgerOptions {
  /** Opens the account's rows of the pacing file, at first use. */
  open: () => SharedRows;
  clock: Clock;
  makePacer: MakePacer;
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
  readonly #closing = new AbortController();
  #isSigning = false;

  constructor(options: SharedLedgerOptions) {
    this.#options = options;
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
    if (this.#shared?.isShared === true && !this.#isSigning) void this.#signWhileUnderWay();
    return { ticket: this.#lastTicket };
  }

  answered(number: number, now: number, answer: Answer): void {
    if (this.#alone !== undefined && isLimiting(answer)) this.#share(now);
    const request = this.#settle(number);
    if (request === undefined) return;
    this.#use(
      (shared) => shared.answered(request, now, answer),
      ({ ledger, era }) => era === request.era && ledger.answered(request.ticket, now, answer),
    );
  }

  lost(number: number, now: number): void {
    const request = this.#settle(number);
    if (request === undefined) return;
    this.#use(
      (shared) => shared.lost(request, now),
      ({ ledger, era }) => era === request.era && ledger.lost(request.ticket, now),
    );
  }

  budget(now: number): Budget {
    return this.#use(
      (shared) => shared.budget(now),
      ({ ledger }) => ledger.budget(now),
    );
  }

  close(now: number): void {
    this.#closing.abort();
    const shared = this.#shared;
    if (shared === undefined) return;
    for (const number of this.#underWay.keys()) this.lost(number, now);
    const learnt = this.#alone?.pacer;
    this.#alone ??= goAlone(shared);
    this.#shared = undefined;
    quietly(() => {
      if (learnt !== undefined && this.#lastTicket > 0) shared.bringIn(now, learnt, [], false);
      shared.close(now);
    });
  }

  get #era(): string | undefined {
    return this.#alone === undefined ? this.#shared?.era : this.#alone.era;
  }

  /** Books with everybody; alone once there is nothing to share, or the file fails. */
  #use<T>(together: (shared: SharedBudget) => T, alone: (alone: Alone) => T): T {
    if (this.#alone === undefined) {
      this.#shared ??= this.#open();
      const shared = this.#shared;
      if (shared?.limited === false) this.#alone = goAlone(shared);
      else if (shared !== undefined) {
        const done = quietly(() => ({ result: together(shared) }));
        if (done !== undefined) return done.result;
        this.#shared = undefined;
        this.#alone = goAlone(shared);
      }
    }
    this.#alone ??= aloneWith(this.#options.makePacer());
    return alone(this.#alone);
  }

  #open(): SharedBudget | undefined {
    const { open, makePacer } = this.#options;
    return quietly(() => new SharedBudget(new SharedState(open(), makePacer)));
  }

  /** There is something to share now: requests under way go into the file, as does what was learnt. */
  #share(now: number): void {
    const [shared, alone] = [this.#shared, this.#alone];
    if (shared === undefined || alone === undefined) return;
    const mine = [...this.#underWay.values()].filter(({ era }) => era === alone.era);
    const tickets = quietly(() => shared.bringIn(now, alone.pacer, mine, true));
    if (tickets === undefined) {
      this.#shared = undefined;
      return;
    }
    this.#alone = undefined;
    for (const [index, request] of mine.entries()) {
      request.ticket = tickets[index] ?? request.ticket;
      request.era = shared.era;
    }
  }

  #settle(number: number): UnderWay | undefined {
    const request = this.#underWay.get(number);
    this.#underWay.delete(number);
    return request;
  }

  #ask(now: number, leave: number, wanted: number): Turn {
    return this.#use(
      (shared) => shared.take(now, leave, wanted),
      ({ ledger }) => ledger.take(now, leave, wanted),
    );
  }

  /** Alone, an answer is waited for that nobody will get: what was remembered is wrong. */
  #isStuck(turn: Turn): boolean {
    if ('ticket' in turn || Number.isFinite(turn.delayMs)) return false;
    return this.#alone !== undefined && this.#underWay.size === 0;
  }

  async #signWhileUnderWay(): Promise<void> {
    const { clock } = this.#options;
    this.#isSigning = true;
    while (!this.#closing.signal.aborted && this.#shared?.isShared === true && this.#underWay.size > 0) {
      await clock.sleep(SIGN_MS, this.#closing.signal).catch(() => undefined);
      if (this.#alone === undefined && !this.#closing.signal.aborted) {
        this.#use(
          (shared) => shared.giveSign(clock.now()),
          () => undefined,
        );
      }
    }
    this.#isSigning = false;
  }
}
