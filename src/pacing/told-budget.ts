import { freshState, type PacerState } from './pacer-state.ts';

/** What a service lets through, as it is known without asking it. */
interface ToldBudget {
  /** Requests a window. */
  limit: number;
  /** Length of the window in milliseconds. */
  windowMs: number;
}

/** What a pacer knows of a service that began at `now`, in milliseconds since 1970: nothing of its window is a guess. */
export function toldBudget({ limit, windowMs }: ToldBudget, now: number): PacerState {
  const fresh = freshState();
  const began = { ...fresh.began, afterMs: now };
  return { ...fresh, limit, windowMs, isSure: true, confirmedMs: now, began };
}
