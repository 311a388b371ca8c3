import { formatDuration, SHOWN_WAIT_MS } from '../words/duration.ts';
import { visible } from '../words/escape.ts';
import type { BudgetView } from '../views/events.ts';
import { expectedMs } from './expectation.ts';
import { formatCount, plural } from '../words/number.ts';
import {
  type ProgressState,
  ratePerMinute,
  remainingMs,
  rowsSettled,
  type WorkEvent,
} from './progress-state.ts';

/**
 * What goes on, as one line of safe text without escapes; empty before the first event.
 * `123 of 5,000 sent · 28/min · 2 h 41 min left · budget 4 of 30, more in 12 s · 1 failed`
 */
export function progressLine(state: ProgressState, nowMs: number): string {
  const waiting = waitingPart(state, nowMs);
  return [waiting, ...workParts(state, nowMs, waiting !== false)]
    .filter((part) => part !== false)
    .join(' · ');
}

/** A part that has nothing to say is false. */
type Part = string | false;
type WorkEventOf<Type extends WorkEvent['type']> = Extract<WorkEvent, { type: Type }>;

function workParts(state: ProgressState, nowMs: number, isWaiting: boolean): Part[] {
  const { event } = state;
  if (event === undefined) return [];
  switch (event.type) {
    case 'surveying':
    case 'reading': {
      const what = event.type === 'surveying' ? 'looking through' : 'reading';
      return [`${what} ${visible(event.file)}`, event.rows > 0 && plural(event.rows, 'row', 'rows')];
    }
    case 'checking':
      return [`checking ${visible(event.what)}`, event.total > 0 && doneOf(event.done, event.total)];
    case 'deleting':
      return deletingParts(event, nowMs, isWaiting);
    default:
      return sendingParts(state, event, nowMs, isWaiting);
  }
}

function doneOf(done: number, total: number): string {
  return `${formatCount(done)} of ${formatCount(total)}`;
}

function waitingPart({ wait }: ProgressState, nowMs: number): Part {
  if (wait === undefined || wait.event.untilMs - wait.sinceMs < SHOWN_WAIT_MS) return false;
  const seconds = Math.ceil((wait.event.untilMs - nowMs) / 1_000);
  if (seconds <= 0) return false;
  const purpose = wait.event.why === 'budget' ? 'for the budget' : 'to try again';
  return `waiting ${formatDuration(seconds * 1_000)} ${purpose}`;
}

function deletingParts(
  { done, total, budget }: WorkEventOf<'deleting'>,
  nowMs: number,
  isWaiting: boolean,
): Part[] {
  return [
    `${doneOf(done, total)} deleted`,
    done < total && leftPart(expectedMs(total - done, budget)),
    budgetPart(budget, isWaiting ? undefined : nowMs),
  ];
}

function sendingParts(
  state: ProgressState,
  { tally, budget }: WorkEventOf<'sending'>,
  nowMs: number,
  isWaiting: boolean,
): Part[] {
  return [
    `${doneOf(tally.sent, tally.total)} sent`,
    ratePart(ratePerMinute(state, nowMs)),
    rowsSettled(tally) < tally.total && leftPart(remainingMs(state, nowMs)),
    budgetPart(budget, isWaiting ? undefined : nowMs),
    tally.failed > 0 && `${formatCount(tally.failed)} failed`,
    tally.uncertain > 0 && `${formatCount(tally.uncertain)} uncertain`,
    tally.notSent > 0 && `${formatCount(tally.notSent)} not sent`,
  ];
}

function ratePart(rate: number | undefined): Part {
  if (rate === undefined || rate <= 0) return false;
  return rate < 1 ? '<1/min' : `${formatCount(Math.round(rate))}/min`;
}

function leftPart(leftMs: number | undefined): Part {
  return leftMs !== undefined && `${formatDuration(Math.max(1_000, leftMs))} left`;
}

/** Without `nowMs` only what is left: a wait that is shown tells already when there is more. */
function budgetPart({ limit, remaining, refillsAtMs }: BudgetView, nowMs: number | undefined): Part {
  if (remaining === undefined) return false;
  const of = limit === undefined ? '' : ` of ${formatCount(limit)}`;
  const inMs = refillsAtMs === undefined || nowMs === undefined ? 0 : refillsAtMs - nowMs;
  const more = inMs < 1_000 ? '' : `, more in ${formatDuration(Math.ceil(inMs / 1_000) * 1_000)}`;
  return `budget ${formatCount(remaining)}${of}${more}`;
}
