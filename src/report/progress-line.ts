import { formatDuration } from './duration.ts';
import { visible } from './escape.ts';
import type { BudgetView, PushEvent, Tally } from './events.ts';
import { formatCount, plural } from './number.ts';
import {
  type ProgressEvent,
  type ProgressState,
  ratePerMinute,
  remainingMs,
  rowsSettled,
} from './progress-state.ts';

/**
 * What goes on, as one line of safe text without escapes; empty before the first event.
 * `123 of 5,000 sent · 28/min · 2 h 41 min left · budget 4 of 30 · 1 failed`
 */
export function progressLine(state: ProgressState, nowMs: number): string {
  const { event } = state;
  if (event === undefined) return '';
  return lineParts(state, event, nowMs)
    .filter((part) => part !== false)
    .join(' · ');
}

/** A part that has nothing to say is false. */
type Part = string | false;

function lineParts(state: ProgressState, event: ProgressEvent, nowMs: number): Part[] {
  if (event.type === 'surveying' || event.type === 'reading') {
    const what = event.type === 'surveying' ? 'looking through' : 'reading';
    return [`${what} ${visible(event.file)}`, event.rows > 0 && plural(event.rows, 'row', 'rows')];
  }
  if (event.type === 'checking') {
    return [`checking ${visible(event.what)}`, event.total > 0 && doneOf(event.done, event.total)];
  }
  if (event.type === 'deleting') return [`${doneOf(event.done, event.total)} deleted`];
  const parts = sendingParts(state, event.tally, event.budget, nowMs);
  return event.type === 'waiting' ? [waitingPart(event, nowMs), ...parts] : parts;
}

function doneOf(done: number, total: number): string {
  return `${formatCount(done)} of ${formatCount(total)}`;
}

function waitingPart(event: Extract<PushEvent, { type: 'waiting' }>, nowMs: number): Part {
  const seconds = Math.ceil((event.untilMs - nowMs) / 1_000);
  if (seconds <= 0) return false;
  const purpose = event.why === 'budget' ? 'for the request budget' : 'to try again';
  return `waiting ${formatDuration(seconds * 1_000)} ${purpose}`;
}

function sendingParts(state: ProgressState, tally: Tally, budget: BudgetView, nowMs: number): Part[] {
  return [
    `${doneOf(tally.sent, tally.total)} sent`,
    ratePart(ratePerMinute(state, nowMs)),
    leftPart(tally, remainingMs(state, nowMs)),
    budgetPart(budget),
    tally.failed > 0 && `${formatCount(tally.failed)} failed`,
    tally.uncertain > 0 && `${formatCount(tally.uncertain)} uncertain`,
    tally.notSent > 0 && `${formatCount(tally.notSent)} not sent`,
  ];
}

function ratePart(rate: number | undefined): Part {
  if (rate === undefined || rate <= 0) return false;
  return rate < 1 ? '<1/min' : `${formatCount(Math.round(rate))}/min`;
}

function leftPart(tally: Tally, leftMs: number | undefined): Part {
  if (leftMs === undefined || rowsSettled(tally) >= tally.total) return false;
  return `${formatDuration(Math.max(1_000, leftMs))} left`;
}

function budgetPart({ limit, remaining }: BudgetView): Part {
  if (remaining === undefined) return false;
  return limit === undefined
    ? `budget ${formatCount(remaining)}`
    : `budget ${formatCount(remaining)} of ${formatCount(limit)}`;
}
