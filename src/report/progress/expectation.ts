import { formatDuration } from '../words/duration.ts';
import type { BudgetView } from '../views/events.ts';
import { formatCount, plural } from '../words/number.ts';
import { formatRate } from '../words/rate.ts';

/** So few take no time that is worth a word. */
const FEW_REQUESTS = 50;
const NOT_KNOWN = '. How long it takes is not known yet';

/** Requests of each window that this command may use; undefined while no limit is known. */
export function ownLimit({ limit, leave = 0 }: BudgetView): number | undefined {
  return limit === undefined || limit <= leave ? undefined : limit - leave;
}

/** How long requests take at the rate that the service allows, in milliseconds; undefined while it is not known. */
export function expectedMs(requests: number, budget: BudgetView): number | undefined {
  const own = ownLimit(budget);
  if (own === undefined || budget.windowMs === undefined) return undefined;
  return (requests / own) * budget.windowMs;
}

/** Whether what is left of the window is enough for them. */
export function isWithinBudget(requests: number, { remaining, leave = 0 }: BudgetView): boolean {
  return remaining !== undefined && requests <= remaining - leave;
}

/**
 * What so many requests come to, to be put behind them: ` at 30 a minute: about 2 h 47 min`, or that it is not known.
 * Undefined when the service names no limit, or the limit leaves none.
 */
export function describeExpectation(requests: number, budget: BudgetView): string | undefined {
  const own = ownLimit(budget);
  if (own === undefined) return undefined;
  const { remaining = 0, windowMs, leave = 0 } = budget;
  const rate = ` at ${formatRate(own, windowMs)}`;
  if (isWithinBudget(requests, budget))
    return `${rate}: ${formatCount(remaining - leave)} may go now${keptWords(budget)}`;
  const knownMs = expectedMs(requests, budget);
  if (knownMs !== undefined) return `${rate}: about ${formatDuration(knownMs)}${keptWords(budget)}`;
  return `${keptWords(budget)}${NOT_KNOWN}`;
}

function keptWords({ limit = 0, leave = 0 }: BudgetView): string {
  return leave > 0 ? `, ${formatCount(leave)} of ${formatCount(limit)} kept for others` : '';
}

/** `5,050 requests (50 of them to read)`: one a row, and those that only read. */
export function formatRequests(requests: number, rows: number): string {
  const all = plural(requests, 'request', 'requests');
  return requests > rows ? `${all} (${formatCount(requests - rows)} of them to read)` : all;
}

/** What is about to be asked of the service. */
interface Expectation {
  /** Rows to send, or registrations to delete. */
  rows: number;
  /** With what is read besides. */
  requests: number;
  budget: BudgetView;
}

/**
 * `5,000 requests at 30 a minute: about 2 h 47 min.` and, where `--max-wait` is shorter, that it ends before.
 * Undefined when there is nothing to wait for: few requests, or a limit that leaves none.
 */
export function formatExpectation({ rows, requests, budget }: Expectation): string | undefined {
  const expectation = isWithinBudget(requests, budget) ? undefined : expectationOf(requests, budget);
  if (expectation === undefined) return undefined;
  const line = `${formatRequests(requests, rows)}${expectation}.`;
  const takesMs = expectedMs(requests, budget);
  const { maxWaitMs } = budget;
  if (takesMs === undefined || maxWaitMs === undefined || maxWaitMs >= takesMs) return line;
  const allowed = formatDuration(maxWaitMs);
  return `${line} With --max-wait it stops after waiting ${allowed}, before the end; the same command then goes on.`;
}

/** A service that has named no limit so far may still have one. */
function expectationOf(requests: number, budget: BudgetView): string | undefined {
  if (budget.limit !== undefined) return describeExpectation(requests, budget);
  return requests > FEW_REQUESTS ? NOT_KNOWN : undefined;
}
