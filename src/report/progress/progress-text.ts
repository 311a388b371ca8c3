import type { Clock } from '../../pacing/clock.ts';
import { createNoProgress, type ProgressDisplay, type ReportStream } from './progress-display.ts';
import { progressLine } from './progress-line.ts';
import { advanceProgress, NO_PROGRESS, type ProgressState } from './progress-state.ts';

const LINE_EVERY_MS = 5_000;

/**
 * Progress as plain lines, for logs and files: at most one in 5 seconds, and at the end what was sent or deleted.
 * What comes too soon after a line is not lost: how it stands by then is told when its time has come.
 */
export function createTextProgress(stream: ReportStream, clock: Clock): ProgressDisplay {
  const plain = createNoProgress(stream);
  let state = NO_PROGRESS;
  /** As it was when something was sent or deleted last. */
  let sent: ProgressState | undefined;
  let printedAtMs = Number.NEGATIVE_INFINITY;
  let printed: { line: string; sent: string | undefined } = { line: '', sent: undefined };
  let timer: NodeJS.Timeout | undefined;

  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  /** What was sent is told before what came after it. */
  const nextState = (): ProgressState =>
    sent !== undefined && !isSent(state) && progressLine(sent, clock.now()) !== printed.sent ? sent : state;
  const printLine = (which: ProgressState) => {
    stop();
    const line = progressLine(which, clock.now());
    // A short wait before anything else is not worth a word.
    if (line === '' || line === printed.line) return;
    printed = { line, sent: isSent(which) ? line : printed.sent };
    printedAtMs = clock.now();
    plain.print(line);
  };
  return {
    ...plain,
    update(event) {
      const nowMs = clock.now();
      state = advanceProgress(state, event, nowMs);
      if (isSent(state)) sent = { ...state, wait: undefined };
      if (event.type === 'expecting') return;
      const dueMs = printedAtMs + LINE_EVERY_MS - nowMs;
      if (dueMs <= 0) printLine(nextState());
      // A wait may be the last event for long.
      else timer ??= setTimeout(() => printLine(nextState()), dueMs).unref();
    },
    pause: stop,
    close() {
      stop();
      if (sent !== undefined && progressLine(sent, clock.now()) !== printed.sent) printLine(sent);
      sent = undefined;
    },
  };
}

const isSent = ({ event }: ProgressState): boolean => event?.type === 'sending' || event?.type === 'deleting';
