import type { Budget } from '../../pacing/pacer-state.ts';
import { formatDuration } from '../../report/words/duration.ts';
import { expectedMs } from '../../report/progress/expectation.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { formatRate, perHour } from '../../report/words/rate.ts';
import { type Finding, ok, skipped, warning } from './doctor-finding.ts';

/** A push that people ask about. */
const MANY_ROWS = 5_000;
const HOURLY = 'requests an hour';

/** What is known of the request budget: from the headers of an answer, and from what was learned before. */
export function checkBudget(
  { limit, remaining }: { limit: number | undefined; remaining: number | undefined },
  budget: Budget,
  nowMs: number,
): Finding[] {
  if (limit === undefined || remaining === undefined) {
    return [
      warning(
        'rate limit',
        `the service does not send ${missingHeaders(limit, remaining)}`,
        'Nothing to mend: eventreg slows down when the service refuses requests.',
      ),
      skipped(HOURLY, 'the rate limit is not known'),
    ];
  }
  return [ok('rate limit', describeLimit({ ...budget, limit, remaining }, nowMs)), hourly(limit, budget)];
}

function missingHeaders(limit: number | undefined, remaining: number | undefined): string {
  const missing = [
    ...(limit === undefined ? ['X-Ratelimit-Limit'] : []),
    ...(remaining === undefined ? ['X-Ratelimit-Remaining'] : []),
  ];
  return missing.join(' and ');
}

function describeLimit(
  { limit, remaining, windowMs, refillsAtMs, confirmedAtMs }: Budget & { limit: number; remaining: number },
  nowMs: number,
): string {
  const rate = formatRate(limit, windowMs, ['request', 'requests']);
  const refill =
    refillsAtMs !== undefined && refillsAtMs > nowMs ? `, more in ${inWords(refillsAtMs - nowMs)}` : '';
  const left = `${rate}, ${formatCount(remaining)} left${refill}`;
  if (windowMs === undefined) {
    return `${left}; how long a window is, the next push that uses one up will learn`;
  }
  return `${left}; ${confirmedWords(confirmedAtMs, nowMs)}`;
}

function confirmedWords(confirmedAtMs: number | undefined, nowMs: number): string {
  if (confirmedAtMs === undefined) return 'the window is a first guess, which the next push checks';
  const when = new Date(confirmedAtMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return `the window was last seen to be right ${inWords(nowMs - confirmedAtMs)} ago (${when})`;
}

/** Whole seconds: a check takes some itself. */
function inWords(ms: number): string {
  return formatDuration(Math.ceil(Math.max(0, ms) / 1_000) * 1_000);
}

function hourly(limit: number, budget: Budget): Finding {
  const { windowMs } = budget;
  const takesMs = expectedMs(MANY_ROWS, { ...budget, limit });
  if (windowMs === undefined || takesMs === undefined)
    return skipped(HOURLY, 'how long a window lasts is not known yet');
  const rows = `${plural(MANY_ROWS, 'row', 'rows')} take about ${formatDuration(takesMs)}`;
  return ok(HOURLY, `${formatCount(perHour(limit, windowMs))}; ${rows}`);
}
