import type { Pacer } from './pacer.ts';
import type { Answer, Budget } from './pacer-state.ts';
import { SteadyTime } from './steady-time.ts';

/** The arithmetic that a ledger books with: a pacer. Of what `toJSON` gives another one can be made. */
export type Arithmetic = Pick<Pacer, 'delayMs' | 'sent' | 'answered' | 'lost' | 'budget'> & {
  toJSON(): unknown;
};

/** A request may go, or has to wait. Times in milliseconds. */
export type Turn = { ticket: number } | Wait;

export interface Wait {
  /** Infinity while an answer, or somebody else's turn, comes first. */
  delayMs: number;
  /** When to ask again whatever happens here: other processes may have changed the delay by then. */
  againMs: number;
}

/** Where every request is booked, by whoever spends from the same budget. `now`: milliseconds since 1970. */
export interface Ledger {
  /** Books a request that leaves `leadMs` from now, if it may. `leave`, `wanted`: as in `Pacer.delayMs`, this one too. */
  take(now: number, leave?: number, wanted?: number, leadMs?: number): Turn;
  answered(ticket: number, now: number, answer: Answer): void;
  /** Its answer will never come. */
  lost(ticket: number, now: number): void;
  budget(now: number): Budget;
  /** Keeps what was learnt. Nothing is taken afterwards. */
  close(now: number): void;
}

/** The ledger of a process that shares its budget with none it knows of. */
export function createMemoryLedger(
  pacer: Omit<Arithmetic, 'toJSON'>,
  time: SteadyTime = new SteadyTime(),
): Ledger {
  return {
    take(now, leave, wanted, leadMs = 0) {
      const at = time.at(now) + leadMs;
      const delayMs = pacer.delayMs(at, leave, wanted);
      return delayMs <= 0 ? { ticket: pacer.sent(at) } : { delayMs, againMs: Number.POSITIVE_INFINITY };
    },
    answered: (ticket, now, answer) => pacer.answered(ticket, time.at(now), answer),
    lost: (ticket, now) => pacer.lost(ticket, time.at(now)),
    budget: (now) => budgetByClock(pacer.budget(time.at(now)), time),
    close: () => undefined,
  };
}

/** A budget whose times are the clock's. */
export function budgetByClock(budget: Budget, time: SteadyTime): Budget {
  return {
    ...budget,
    refillsAtMs: time.toClock(budget.refillsAtMs),
    confirmedAtMs: time.toClock(budget.confirmedAtMs),
    ...(budget.beside && { beside: budgetByClock(budget.beside, time) }),
  };
}
