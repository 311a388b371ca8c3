import type { Writable } from 'node:stream';
import type { Clock } from '../../pacing/clock.ts';
import { createNoProgress, type ProgressDisplay, type ReportStream } from './progress-display.ts';
import { progressLine } from './progress-line.ts';
import { advanceProgress, NO_PROGRESS } from './progress-state.ts';

const DRAW_EVERY_MS = 250;
/** The spinner, the space after it, and one column to spare: a full last column wraps in some terminals. */
const OTHER_COLUMNS = 3;

/** A terminal as ora needs it. */
type TerminalStream = Writable & ReportStream & { cursorTo: unknown };

/** True when a bar can be drawn on the stream. At 0 columns (docker -t, script) ora would never return. */
export function canDrawBar(stream: ReportStream): stream is TerminalStream {
  return stream.isTTY === true && (stream.columns ?? 0) > 0 && 'cursorTo' in stream;
}

/** Progress as a spinner with one line, cut to the width of the terminal; everything printed goes above it. */
export async function createProgressBar(
  stream: TerminalStream,
  clock: Clock,
  color: boolean,
): Promise<ProgressDisplay> {
  const { fitWidth } = await import('../words/display-width.ts');
  const { default: ora } = await import('ora');
  // Without discardStdin: false, ora puts the terminal into raw mode and Ctrl-C no longer arrives.
  const options = { stream, isEnabled: true, discardStdin: false, hideCursor: true };
  const spinner = ora({ ...options, color: color ? 'cyan' : false });
  let state = NO_PROGRESS;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    drawnAtMs = clock.now();
    spinner.text = fitWidth(progressLine(state, drawnAtMs), (stream.columns ?? 0) - OTHER_COLUMNS);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    stream.off('resize', stopWithoutColumns);
    if (spinner.isSpinning) spinner.stop();
  };
  const stopWithoutColumns = () => {
    if (!canDrawBar(stream)) stop();
  };
  const start = () => {
    // The countdown of a wait moves on although no event comes.
    timer = setInterval(draw, DRAW_EVERY_MS).unref();
    stream.on('resize', stopWithoutColumns);
    spinner.start();
  };
  return {
    ...createNoProgress(stream),
    update(event) {
      const nowMs = clock.now();
      const before = state;
      state = advanceProgress(state, event, nowMs);
      if (event.type === 'expecting') return;
      const isNew =
        before.event?.type !== state.event?.type ||
        (before.wait === undefined) !== (state.wait === undefined);
      if (!isNew && nowMs - drawnAtMs < DRAW_EVERY_MS) return;
      draw();
      if (timer === undefined) start();
    },
    pause: stop,
    close: stop,
  };
}
