import type { BudgetView, Tally } from '../../src/report/views/events.ts';
import type { ProgressEvent } from '../../src/report/progress/progress-state.ts';

const NONE: Tally = { total: 5_000, sent: 0, failed: 0, uncertain: 0, notSent: 0 };
const UNKNOWN: BudgetView = {
  limit: undefined,
  remaining: undefined,
  windowMs: undefined,
  refillsAtMs: undefined,
};

export function budgetView(known: Partial<BudgetView> = {}): BudgetView {
  return { ...UNKNOWN, ...known };
}

export function sending(tally: Partial<Tally>, budget: Partial<BudgetView> = {}): ProgressEvent {
  return { type: 'sending', tally: { ...NONE, ...tally }, budget: () => budgetView(budget) };
}

export function waiting(
  untilMs: number,
  why: 'budget' | 'retry' = 'budget',
  budget?: Partial<BudgetView>,
): ProgressEvent {
  return { type: 'waiting', untilMs, why, budget: budget && budgetView(budget) };
}
