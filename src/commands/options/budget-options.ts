import * as z from 'zod';
import { GuardError } from '../../errors.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { wholeNumber } from './options.ts';
import { type Allowance, parseAllowance } from '../../sync/decide/delete-guard.ts';

const UNITS_MS = { h: 3_600_000, m: 60_000, s: 1_000 } as const;
const SPAN = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;
const EXAMPLES = 'for example 90s, 15m, 2h or 1h30m';

/** A length of time on the command line, in milliseconds: `90s`, `15m`, `1h30m`, `0`. */
export const timeSpan: z.ZodType<number> = z.unknown().transform((value, context) => {
  // What an answer changes is parsed again: then it is a number already.
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.replaceAll(/\s/g, '').toLowerCase() : '';
  if (text === '0') return 0;
  const parts = SPAN.exec(text);
  if (text !== '' && parts !== null) {
    const [, hours = 0, minutes = 0, seconds = 0] = parts;
    return Number(hours) * UNITS_MS.h + Number(minutes) * UNITS_MS.m + Number(seconds) * UNITS_MS.s;
  }
  const message = /^\d+$/.test(text)
    ? `${text} what? Add a unit, ${EXAMPLES}`
    : `takes hours, minutes and seconds, ${EXAMPLES}; 0 for no waiting at all`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

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

/** Ends all waiting of a command as soon as it is known that its `--leave` leaves nothing to wait for. */
interface LeaveGuard {
  /** Aborts then, with the error that says so. */
  signal: AbortSignal;
  /** Judges a limit, if there is one. */
  heed(limit: number | undefined): void;
}

export function guardLeave(leave: number): LeaveGuard {
  const halt = new AbortController();
  return {
    signal: halt.signal,
    heed(limit) {
      const tooMuchKept = leavesNothing({ leave }, limit);
      if (tooMuchKept !== undefined && !halt.signal.aborted) halt.abort(tooMuchKept);
    },
  };
}

/** How many registrations may be deleted when nothing else is said. */
export const DEFAULT_MAX_DELETE: Allowance = { kind: 'number', value: 50, assumed: true };

/** `--max-delete`: a number of registrations, or a share of those that are there. */
export const maxDelete: z.ZodType<Allowance> = z.union(
  [
    z.custom<Allowance>((value) => typeof value === 'object' && value !== null && 'kind' in value),
    z.string().transform((text, context) => {
      const limit = parseAllowance(text);
      if (limit !== undefined) return limit;
      context.addIssue({ code: 'custom', message: 'no limit' });
      return z.NEVER;
    }),
  ],
  'takes a whole number or a share, for example 50 or 10%',
);
