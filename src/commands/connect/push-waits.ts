import type { Clock } from '../../pacing/clock.ts';
import type { Budget } from '../../pacing/pacer-state.ts';
import type { BudgetView, Reporter } from '../../report/views/events.ts';
import type { BudgetOptions } from '../options/budget-options.ts';

/** With requests paced evenly nearly every one waits a little. Less than SHOWN_WAIT_MS: what is shown is told until it ends. */
const LEAST_TOLD_MS = 2_000;

interface Waits {
  /** A request waits for the budget, until then (milliseconds since 1970). */
  onWait: (untilMs: number, budget: Budget) => void;
  /** A request waits before it is tried again. */
  onRetryWait: (untilMs: number) => void;
}

/** Tells of waits that are long enough to be noticed. */
export function waits(reporter: Reporter, clock: Clock, options: BudgetOptions): Waits {
  const isNoticed = (untilMs: number): boolean => untilMs - clock.now() >= LEAST_TOLD_MS;
  return {
    onWait(untilMs, budget) {
      if (!isNoticed(untilMs)) return;
      reporter.report({ type: 'waiting', untilMs, why: 'budget', budget: viewOf(options, budget) });
    },
    onRetryWait(untilMs) {
      if (isNoticed(untilMs)) reporter.report({ type: 'waiting', untilMs, why: 'retry', budget: undefined });
    },
  };
}

/** What is known of the budget, with what this command may take of it. */
export function viewOf({ leave, maxWait }: BudgetOptions, budget: Budget): BudgetView {
  return { ...budget, leave, maxWaitMs: maxWait };
}
