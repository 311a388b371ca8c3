import { GuardError } from '../../errors.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { wholeNumber } from './options.ts';
import { timeSpan } from './time-span.ts';

/** Flags of commands that may have to wait for the request budget. */
export const budgetOptions = {
  /** Requests of each window that are kept for other people. */
  leave: wholeNumber(0).default(0),
  /** The longest that the command waits for the budget in all, in milliseconds. Undefined: without end. */
  maxWait: timeSpan.optional(),
};

export interface BudgetOptions {
  leave: number;
  maxWait?: number | undefined;
}

/** What is wrong with keeping so much back: of a window of `limit` requests nothing would be left to send. */
export function leavesNothing({ leave }: BudgetOptions, limit: number | undefined): GuardError | undefined {
  if (limit === undefined || limit <= 0 || leave < limit) return undefined;
  return new GuardError(
    'leave',
    `--leave ${formatCount(leave)} keeps back every request: the service allows ${plural(limit, 'request', 'requests')} a window.`,
    {
      hint: `Leave at most ${formatCount(limit - 1)}. Nothing is lost: with a smaller --leave it goes on.`,
    },
  );
}
