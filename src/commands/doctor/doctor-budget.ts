import type { Budget } from '../../pacing/pacer-state.ts';
import { formatDuration, formatRate, perHour, formatCount, plural } from '../../report/words/number.ts';
import { expectedMs } from '../../report/progress/expectation.ts';
import { type Finding, ok, skipped, timeWords, warning } from './doctor-finding.ts';

/** A push that people ask about. */
const MANY_ROWS = 5_000;
const HOURLY = 'requests an hour';

/** What the headers of an answer say. */
interface ToldLimit {
  limit: number | undefined;
  remaining: number | undefined;
}

/** What is known of the request budget: from the headers of an answer if there was one, and from what was learned before. */
export function checkBudget(told: ToldLimit | undefined, budget: Budget, nowMs: number): Finding[] {
  const missing = told && missingHeaders(told);
  // One of several servers tells what is its own.
  const own = budget.nodes === undefined ? told : undefined;
  const limit = own?.limit ?? budget.limit;
  if (limit === undefined) {
    return [
      warning(
        'rate limit',
        `${missing === undefined ? '' : `the answer did not have ${missing}, and `}nothing is known from earlier answers`,
        'Nothing to mend: eventreg slows down when the service refuses requests.',
      ),
      skipped(HOURLY, 'the rate limit is not known'),
    ];
  }
  const remaining = own?.remaining ?? budget.remaining;
  const from = missing === undefined ? '' : `; known from earlier answers, this one did not have ${missing}`;
  return [
    ok('rate limit', `${describeLimit({ ...budget, limit, remaining }, nowMs)}${from}${besideWords(budget)}`),
    hourly(budget.beside?.limit ?? limit, budget.beside ?? budget),
  ];
}

function missingHeaders({ limit, remaining }: ToldLimit): string | undefined {
  const missing = [
    ...(limit === undefined ? ['X-Ratelimit-Limit'] : []),
    ...(remaining === undefined ? ['X-Ratelimit-Remaining'] : []),
  ];
  return missing.length === 0 ? undefined : missing.join(' and ');
}

function describeLimit(
  { limit, remaining, windowMs, refillsAtMs, confirmedAtMs, nodes }: Budget & { limit: number },
  nowMs: number,
): string {
  const rate = `${formatRate(limit, windowMs, ['request', 'requests'])}${nodesWords(nodes)}`;
  const refill =
    refillsAtMs !== undefined && refillsAtMs > nowMs ? `, more in ${inWords(refillsAtMs - nowMs)}` : '';
  const left = `${rate}${remaining === undefined ? '' : `, ${formatCount(remaining)} left`}${refill}`;
  if (windowMs === undefined) {
    return `${left}; how long a window is, the next push that uses one up will learn`;
  }
  return `${left}; ${confirmedWords(confirmedAtMs, nowMs)}`;
}

function nodesWords(nodes: number | undefined): string {
  return nodes === undefined ? '' : `, added up over ${nodes} servers that count apart`;
}

function besideWords({ beside }: Budget): string {
  if (beside?.limit === undefined) return '';
  const rate = formatRate(beside.limit, beside.windowMs, ['request', 'requests']);
  return `; no more than ${rate} either, of which only refusals tell`;
}

function confirmedWords(confirmedAtMs: number | undefined, nowMs: number): string {
  if (confirmedAtMs === undefined) return 'the window is a first guess, which the next push checks';
  return `the window was last seen to be right ${inWords(nowMs - confirmedAtMs)} ago (${timeWords(confirmedAtMs)})`;
}

/** Whole seconds: a check takes some itself. */
function inWords(ms: number): string {
  return formatDuration(Math.ceil(Math.max(0, ms) / 1_000) * 1_000);
}

function hourly(limit: number, budget: Budget): Finding {
  const { windowMs } = budget;
  const takesMs = expectedMs(MANY_ROWS, { ...budget, limit, share: 1 });
  if (windowMs === undefined || takesMs === undefined)
    return skipped(HOURLY, 'how long a window lasts is not known yet');
  const rows = `${plural(MANY_ROWS, 'row', 'rows')} take about ${formatDuration(takesMs)}`;
  return ok(HOURLY, `${formatCount(perHour(limit, windowMs))}; ${rows}`);
}
