import { type Arithmetic, createMemoryLedger, type Ledger } from '../ledger.ts';
import type { SharedBudget } from './shared-budget.ts';
import { SteadyTime } from '../steady-time.ts';

const SQLITE_BUSY = 5;

/** What a process goes by that goes alone. */
export interface Alone {
  ledger: Ledger;
  pacer: Arithmetic;
  /** In which its tickets are valid; undefined when there never was a shared one. */
  era: string | undefined;
}

/** Goes on with what the file says. */
export function goAlone(shared: SharedBudget): Alone {
  const { pacer, time } = shared.copy();
  return aloneWith(pacer, time, shared.era);
}

/** Goes on with a pacer. */
export function aloneWith(pacer: Arithmetic, time = new SteadyTime(), era?: string): Alone {
  return { ledger: createMemoryLedger(pacer, time), pacer, era };
}

/** What `work` gives, or undefined when the file or its folder is at fault: pacing stops nobody. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isOfTheFile(error)) return undefined;
    throw error;
  }
}

/** Somebody else has the file for a moment: it is as good as ever. */
export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === SQLITE_BUSY;
}

/** SQLite says so, or the system, or whoever opened the file; any other error is a mistake of ours. */
function isOfTheFile(error: unknown): boolean {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return code === 'ERR_SQLITE_ERROR' || code === 'EUNUSABLE' || typeof errno === 'number';
}
