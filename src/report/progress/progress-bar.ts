import type { Writable } from 'node:stream';
import type { Clock } from '../../pacing/clock.ts';
import { type MessageStream, writeMessage } from '../words/wrap-words.ts';
import type { Measure } from '../words/measure.ts';
import { type Paint, painter } from '../words/paint.ts';
import { type ProgressPart, type ProgressView, progressView } from './progress-line.ts';
import { advanceProgress, NO_PROGRESS, type ProgressEvent } from './progress-state.ts';

const DRAW_EVERY_MS = 250;
/** A longer bar tells no more, a shorter one nothing. */
const LONGEST_BAR = 20;
const SHORTEST_BAR = 6;
/** The spinner, the space after it, and one column to spare: a full last column wraps in some terminals. */
const OTHER_COLUMNS = 3;

/** From the cursor, which stands in the first column, to the end of the screen. */
const CLEAR = '\r\u001B[J';

/** A terminal that has become narrower, and has not told yet, is not to wrap the line either. */
const NO_WRAP = '\u001B[?7l';
const WRAP = '\u001B[?7h';

/** A terminal as ora needs it. */
type TerminalStream = Writable & MessageStream & { cursorTo: unknown };

/** True when a bar can be drawn on the stream. At 0 columns (docker -t, script) ora would never return. */
export function canDrawBar(stream: MessageStream): stream is TerminalStream {
  return stream.isTTY === true && (stream.columns ?? 0) > OTHER_COLUMNS && 'cursorTo' in stream;
}

/**
 * Progress as a spinner and one line with a bar, cut to the width of the terminal; ora keeps it below all that is
 * printed. Each frame ends with the cursor back in the first column: whatever a narrower terminal makes of the line,
 * the cursor stands at its beginning, and all of it can be cleared from there.
 */
export async function createProgressBar(
  stream: TerminalStream,
  clock: Clock,
  color: boolean,
): Promise<ProgressDisplay> {
  const measure = await import('../words/display-width.ts');
  const { default: ora } = await import('ora');
  const paint = painter(color);
  const plain = createNoProgress(stream);
  // The keys are not for ora to keep away: Ctrl-C would no longer arrive. It would also colour by what stdout is.
  const spinner = ora({ stream, isEnabled: true, discardStdin: false, color: false });
  const frames = spinner.spinner.frames.map((frame) => NO_WRAP + paint('faint', frame));
  spinner.spinner = { ...spinner.spinner, frames };
  let state = NO_PROGRESS;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    drawnAtMs = clock.now();
    const width = (stream.columns ?? 0) - OTHER_COLUMNS;
    spinner.text = `${barLine(progressView(state, drawnAtMs), width, paint, measure)}\u001B[J\r${WRAP}`;
    if (spinner.isSpinning) spinner.render();
    else spinner.start();
  };
  const stop = () => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    stream.off('resize', onResize);
    spinner.stop();
    stream.write(CLEAR);
  };
  const onResize = () => {
    if (canDrawBar(stream)) draw();
    else stop();
  };
  const start = () => {
    // The countdown of a wait moves on although no event comes.
    timer = setInterval(draw, DRAW_EVERY_MS).unref();
    stream.on('resize', onResize);
  };
  return {
    update(event) {
      const nowMs = clock.now();
      const before = state;
      state = advanceProgress(state, event, nowMs);
      if (event.type === 'expecting' || !canDrawBar(stream)) return;
      const isNew =
        before.event?.type !== state.event?.type ||
        (before.wait === undefined) !== (state.wait === undefined);
      if (timer !== undefined && !isNew && Math.abs(nowMs - drawnAtMs) < DRAW_EVERY_MS) return;
      draw();
      if (timer === undefined) start();
    },
    print(text) {
      // Ora clears the line as wide as it was drawn, and draws it anew below what is printed.
      if (timer !== undefined) stream.write(CLEAR);
      plain.print(text);
    },
    pause: stop,
    close: stop,
  };
}

/** `Sending ━━━━━━━────────── 62 of 240 · 6 s left`, in no more than `width` columns. */
export function barLine(
  { label, share, parts }: ProgressView,
  width: number,
  paint: Paint,
  measure: Measure,
): string {
  const words = parts.flatMap((part, at): ProgressPart[] => (at === 0 ? [part] : [{ text: ' · ' }, part]));
  const taken = [label, ...words.map(({ text }) => text)].reduce(
    (sum, text) => sum + measure.displayWidth(text),
    0,
  );
  // The label and the bar are each followed by a space.
  const room = Math.min(LONGEST_BAR, width - taken - 2);
  const bar = share === undefined || room < SHORTEST_BAR ? [] : [...drawBar(share, room), { text: ' ' }];
  const head: ProgressPart[] = label === '' ? [] : [{ text: words.length > 0 ? `${label} ` : label }];
  return fit([...head, ...bar, ...words], width, measure)
    .map(({ text, meaning }) => paint(meaning, text))
    .join('');
}

function drawBar(share: number, length: number): ProgressPart[] {
  const done = Math.floor(Math.min(1, Math.max(0, share)) * length);
  return [
    { text: '━'.repeat(done), meaning: 'done' },
    { text: '─'.repeat(length - done), meaning: 'faint' },
  ];
}

/** As much of the parts as fits. */
function fit(
  parts: readonly ProgressPart[],
  width: number,
  { displayWidth, fitWidth }: Measure,
): ProgressPart[] {
  const kept: ProgressPart[] = [];
  let used = 0;
  for (const part of parts) {
    const text = fitWidth(part.text, width - used);
    kept.push({ ...part, text });
    used += displayWidth(text);
    if (text !== part.text) break;
  }
  return kept;
}

/** A way to show progress: a bar, plain lines, or not at all. */
export interface ProgressDisplay {
  update(event: ProgressEvent): void;
  /** Prints whole lines above whatever is drawn. The text is safe and ends without a newline. */
  print(text: string): void;
  /** Clears what is drawn until the next update. */
  pause(): void;
  /** Clears what is drawn and stops all timers. */
  close(): void;
}

/** Prints lines, shows no progress. */
export function createNoProgress(stream: MessageStream): ProgressDisplay {
  return {
    update() {},
    print(text) {
      writeMessage(stream, text);
    },
    pause() {},
    close() {},
  };
}
