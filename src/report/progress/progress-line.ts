import type { BudgetView } from '../views/events.ts';
import {
  formatDuration,
  formatRough,
  SHOWN_WAIT_MS,
  formatRate,
  formatCount,
  plural,
} from '../words/number.ts';
import { visible } from '../words/escape.ts';
import type { Meaning } from '../words/paint.ts';
import { expectedMs, ownLimit } from './expectation.ts';
import {
  type ProgressState,
  remainingMs,
  rowsSettled,
  waitLeftMs,
  type WorkEvent,
} from './progress-state.ts';

/** What goes on, in parts that are safe to print. */
export interface ProgressView {
  /** `Sending`; empty before anything but a wait has happened. */
  label: string;
  /** How much of it is done, from 0 to 1, where that is known. */
  share: number | undefined;
  /** `62 of 240`, `6 s left`, …; the most important first. */
  parts: readonly ProgressPart[];
}

export interface ProgressPart {
  text: string;
  meaning?: Meaning;
}

/** What goes on as one line of plain text: `Sending 62 of 240 · 6 s left`. Empty before the first event. */
export function progressLine(state: ProgressState, nowMs: number): string {
  const { label, parts } = progressView(state, nowMs);
  const words = parts.map(({ text }) => text).join(' · ');
  return label === '' || words === '' ? label + words : `${label} ${words}`;
}

export function progressView(state: ProgressState, nowMs: number): ProgressView {
  const { event } = state;
  const waiting = waitingParts(state, nowMs);
  if (event === undefined) return { label: '', share: undefined, parts: waiting };
  switch (event.type) {
    case 'surveying':
    case 'reading': {
      const label = `${event.type === 'surveying' ? 'Looking through' : 'Reading'} ${visible(event.file)}`;
      const rows = event.rows > 0 ? [{ text: `· ${plural(event.rows, 'row', 'rows')}` }] : [];
      return { label, share: undefined, parts: rows };
    }
    case 'checking': {
      const { what, done, total } = event;
      const parts = [...(total > 0 ? [doneOf(done, total)] : []), ...waiting];
      return { label: `Checking ${visible(what)}`, share: shareOf(done, total), parts };
    }
    case 'deleting': {
      const { done, total, budget } = event;
      const waitMs = waitLeftMs(state, nowMs);
      const left = done < total ? leftPart(expectedMs(total - done, { ...budget, waitMs })) : [];
      return {
        label: 'Deleting',
        share: shareOf(done, total),
        parts: [doneOf(done, total), ...waiting, ...left],
      };
    }
    default:
      return sendingView(state, event, nowMs, waiting);
  }
}

function sendingView(
  state: ProgressState,
  { tally }: Extract<WorkEvent, { type: 'sending' }>,
  nowMs: number,
  waiting: readonly ProgressPart[],
): ProgressView {
  const settled = rowsSettled(tally);
  const some = (count: number, what: string, meaning: Meaning): ProgressPart[] =>
    count > 0 ? [{ text: `${formatCount(count)} ${what}`, meaning }] : [];
  return {
    label: 'Sending',
    share: shareOf(settled, tally.total),
    parts: [
      doneOf(tally.sent, tally.total),
      ...waiting,
      ...(settled < tally.total ? leftPart(remainingMs(state, nowMs)) : []),
      ...some(tally.failed, 'refused', 'refused'),
      ...some(tally.uncertain, 'not known whether they arrived', 'waiting'),
      ...some(tally.notSent, 'not sent', 'refused'),
    ],
  };
}

const shareOf = (done: number, total: number): number | undefined => (total > 0 ? done / total : undefined);

const doneOf = (done: number, total: number): ProgressPart => ({
  text: `${formatCount(done)} of ${formatCount(total)}`,
});

function leftPart(leftMs: number | undefined): ProgressPart[] {
  return leftMs === undefined ? [] : [{ text: `${formatRough(leftMs)} left` }];
}

/** `waiting 12 s: the service allows 30 a minute`: what is allowed is only of interest while it is waited for. */
function waitingParts({ wait }: ProgressState, nowMs: number): ProgressPart[] {
  if (wait === undefined || wait.event.untilMs - wait.sinceMs < SHOWN_WAIT_MS) return [];
  const seconds = Math.ceil((wait.event.untilMs - nowMs) / 1_000);
  if (seconds <= 0) return [];
  const why = wait.event.why === 'budget' ? allowedWords(wait.event.budget) : ' to try again';
  return [{ text: `waiting ${formatDuration(seconds * 1_000)}${why}`, meaning: 'waiting' }];
}

function allowedWords(budget: BudgetView | undefined): string {
  const own = budget && ownLimit(budget);
  if (budget === undefined || own === undefined) return ': the service allows no more for now';
  const { limit = own, windowMs, leave = 0 } = budget;
  const rate = windowMs === undefined ? `${formatCount(limit)} at a time` : formatRate(limit, windowMs);
  return `: the service allows ${rate}${leave > 0 ? `, ${formatCount(leave)} of them kept for others` : ''}`;
}
