import type { BudgetView, PushAhead, PushEvent } from '../views/events.ts';
import { formatDuration, formatRough, countWords, formatCount, plural } from '../words/number.ts';
import { visible } from '../words/escape.ts';
import { describeLive } from '../words/service-name.ts';

/** So few take no time that is worth a word. */
const FEW_REQUESTS = 50;
const NOT_KNOWN = '. How long it takes is not known yet.';

/** Requests of each window that this command may use; undefined while no limit is known. */
export function ownLimit({ limit, leave = 0 }: BudgetView): number | undefined {
  return limit === undefined || limit <= leave ? undefined : limit - leave;
}

/**
 * How long requests take at the rate that comes to this process, in milliseconds; undefined while it is not known. A wait
 * is a part of that unless it is longer than the rate explains: a window's requests go within a window after it.
 */
export function expectedMs(requests: number, budget: BudgetView): number | undefined {
  const own = ownLimit(budget);
  const { windowMs, share = 1, waitMs = 0 } = budget;
  if (own === undefined || windowMs === undefined) return undefined;
  const takesMs = (requests / (own * share)) * windowMs;
  return requests > 0 ? Math.max(takesMs, waitMs + Math.max(0, takesMs - windowMs)) : 0;
}

/** Whether what is left of the window is enough for them. */
export function isWithinBudget(requests: number, { remaining, leave = 0 }: BudgetView): boolean {
  return remaining !== undefined && requests <= remaining - leave;
}

/** How long requests take, as the end of a line: ` · about 2 h 47 min`. Empty when there is nothing to wait for. */
export function timeWords(requests: number, budget: BudgetView): string {
  if (isWithinBudget(requests, budget)) return '';
  const own = ownLimit(budget);
  // A service that has named no limit so far may still have one; a limit that leaves none is told elsewhere.
  if (own === undefined) return budget.limit === undefined && requests > FEW_REQUESTS ? NOT_KNOWN : '';
  const takesMs = expectedMs(requests, budget);
  if (requests === 0) return '';
  return takesMs === undefined
    ? `${keptWords(budget)}${NOT_KNOWN}`
    : ` · about ${formatRough(takesMs)}${keptWords(budget)}`;
}

function keptWords({ limit = 0, leave = 0 }: BudgetView): string {
  return leave > 0 ? `, ${formatCount(leave)} of ${formatCount(limit)} requests kept for others` : '';
}

type Expectation = Extract<PushEvent, { type: 'expecting' }>;

/**
 * One line before anything is sent. Of a push what goes where and how long it takes:
 * `Harbour Trade Fair 2027 at events.example.com (profile default) · 37 new, 3 changed, 200 the same · about 2 min`.
 * Of other commands only how long, undefined when there is nothing to wait for.
 */
export function formatExpectation({ ahead, rows, requests, budget }: Expectation): string | undefined {
  const time = timeWords(requests, budget);
  if (ahead === undefined) {
    return time === ''
      ? undefined
      : `${plural(rows, 'registration', 'registrations')}${time}${limitWords(requests, budget)}`;
  }
  const where = visible(describeLive(ahead.event, ahead.live));
  return `${where} · ${aheadWords(ahead)}${time}${limitWords(requests, budget)}`;
}

/** `37 new, 3 changed, 200 the same`, and what else there is. */
function aheadWords({ create, update, same, unknown, ...ahead }: PushAhead): string {
  const isCompared = create + update + same > 0 || unknown === 0;
  const compared = [
    `${formatCount(create)} new`,
    `${formatCount(update)} changed`,
    `${formatCount(same)} the same`,
  ];
  const others = countWords([
    [unknown, isCompared ? 'sent without comparing' : 'to send'],
    [ahead.kept, 'left as changed in the service'],
    [ahead.conflict, 'in conflict'],
    [ahead.doubtful, 'not known whether they arrived'],
    [ahead.rejected, 'left out'],
    [ahead.delete, 'to delete'],
    [ahead.noLonger, 'not in the list any more'],
  ]);
  return [...(isCompared ? compared : []), ...(others === '' ? [] : [others])].join(', ');
}

/** Where `--max-wait` is shorter than that, it ends before. */
function limitWords(requests: number, budget: BudgetView): string {
  const takesMs = isWithinBudget(requests, budget) ? undefined : expectedMs(requests, budget);
  const { maxWaitMs } = budget;
  if (takesMs === undefined || maxWaitMs === undefined || maxWaitMs >= takesMs) return '';
  return `. With --max-wait it stops after waiting ${formatDuration(maxWaitMs)}, before the end; the same command then goes on.`;
}
