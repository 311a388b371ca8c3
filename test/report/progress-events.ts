import type { BudgetView, Tally } from '../../src/report/events.ts';
import type { ProgressEvent } from '../../src/report/progress-state.ts';

const NONE: Tally = { total: 5_000, sent: 0, failed: 0, uncertain: 0, notSent: 0 };
const UNKNOWN: BudgetView = { limit: undefined, remaining: undefined, windowMs: undefined };

export function sending(tally: Partial<Tally>, budget: Partial<BudgetView> = {}): ProgressEvent {
  return { type: 'sending', tally: { ...NONE, ...tally }, budget: { ...UNKNOWN, ...budget } };
}

export function waiting(
  untilMs: number,
  tally: Partial<Tally> = {},
  why: 'budget' | 'retry' = 'budget',
): ProgressEvent {
  return { type: 'waiting', untilMs, why, tally: { ...NONE, ...tally }, budget: UNKNOWN };
}
