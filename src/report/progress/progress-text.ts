import type { Clock } from '../../pacing/clock.ts';
import { createNoProgress, type ProgressDisplay, type ReportStream } from './progress-display.ts';
import { progressLine } from './progress-line.ts';
import {
  advanceProgress,
  NO_PROGRESS,
  type ProgressEvent,
  type ProgressState,
  rowsSettled,
} from './progress-state.ts';

const LINE_EVERY_MS = 5_000;

/**
 * Progress as plain lines, for logs and files: one when a phase begins, at every tenth of the rows, when a
 * long wait begins, and else at most every 5 seconds.
 */
export function createTextProgress(stream: ReportStream, clock: Clock): ProgressDisplay {
  const plain = createNoProgress(stream);
  let state = NO_PROGRESS;
  let printedAtMs = Number.NEGATIVE_INFINITY;
  let milestone: string | undefined;
  let waitingUntilMs = Number.NEGATIVE_INFINITY;

  const isDue = (event: ProgressEvent, nowMs: number) => {
    if (milestoneOf(state) !== milestone || nowMs - printedAtMs >= LINE_EVERY_MS) return true;
    // A wait may be the last event for long; but of one wait, told by several workers, one line is enough.
    return event.type === 'waiting' && nowMs >= waitingUntilMs && event.untilMs - nowMs >= LINE_EVERY_MS;
  };
  return {
    ...plain,
    update(event) {
      const nowMs = clock.now();
      state = advanceProgress(state, event, nowMs);
      if (event.type === 'expecting' || !isDue(event, nowMs)) return;
      const line = progressLine(state, nowMs);
      // A short wait before anything else is not worth a word.
      if (line === '') return;
      milestone = milestoneOf(state);
      printedAtMs = nowMs;
      if (event.type === 'waiting') waitingUntilMs = event.untilMs;
      plain.print(line);
    },
  };
}

/** Changes when a phase begins, and at every tenth of it. */
function milestoneOf({ event }: ProgressState): string {
  if (event === undefined) return '';
  switch (event.type) {
    case 'surveying':
    case 'reading':
      return `${event.type} ${event.file}`;
    case 'deleting':
      return `deleting ${tenths(event.done, event.total)}`;
    case 'checking':
      return `checking ${event.what} ${tenths(event.done, event.total)}`;
    default:
      return `sending ${tenths(rowsSettled(event.tally), event.tally.total)}`;
  }
}

function tenths(done: number, total: number): number {
  return total > 0 ? Math.floor((done * 10) / total) : 0;
}
