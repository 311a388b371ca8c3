import type { MessageStream } from '../words/wrap-words.ts';
import type { Clock } from '../../pacing/clock.ts';
import { visible } from '../words/escape.ts';
import type { PushEvent, Reporter } from '../views/events.ts';
import { formatExpectation } from './expectation.ts';
import { canDrawBar, createNoProgress, createProgressBar, type ProgressDisplay } from './progress-bar.ts';
import { formatNote } from '../words/row-remarks.ts';
import { painter } from '../words/paint.ts';
import { formatRejects } from './format-groups.ts';
import { progressLine } from './progress-line.ts';
import { advanceProgress, NO_PROGRESS, type ProgressState } from './progress-state.ts';

export interface ReporterOptions {
  /** `auto` is a bar on a terminal, plain lines elsewhere; a bar also falls back to lines where none can be drawn. */
  mode: 'auto' | 'bar' | 'text' | 'none';
  /** Usually stderr. */
  stream: MessageStream;
  clock: Clock;
  /** Prints warnings and rejects only. */
  quiet: boolean;
  /** Prints every cell that was mended. */
  verbose: boolean;
  color: boolean;
  /** Shows personal values in rejects as they are. */
  showValues: boolean;
  /** Prints every row with errors, and not by column and reason. */
  allErrors: boolean;
}

/** A reporter that prints notes, warnings and rejects, and draws progress as the options say. */
export async function createReporter(options: ReporterOptions): Promise<Reporter> {
  const { quiet, allErrors, showValues } = options;
  const display = await createDisplay(options);
  const warning = painter(options.color)('waiting', 'warning:');
  const print = (text: string | undefined) => {
    if (text !== undefined && text !== '') display.print(text);
  };
  // Files are read again with each answer, and say the same again.
  const told = new Set<string>();
  const printOnce = (text: string): void => {
    if (!told.has(text)) print(text);
    told.add(text);
  };
  return {
    report(event: PushEvent) {
      switch (event.type) {
        case 'note':
          return quiet
            ? undefined
            : printOnce(visible((options.verbose ? event.full : undefined) ?? event.text));
        case 'trace':
          return print(visible(event.text));
        case 'warning':
          return quiet && event.isCaution === true
            ? undefined
            : printOnce(`${warning} ${visible(event.text)}`);
        case 'rejected':
          for (const line of formatRejects(event.rejects, { all: allErrors, showValues })) print(line);
          return undefined;
        case 'repaired':
          return options.verbose ? print(formatNote(event.place, event.note, showValues)) : undefined;
        case 'run':
        case 'rows':
          return undefined;
        case 'expecting':
          if (!quiet) print(formatExpectation(event));
          return display.update(event);
        default:
          return display.update(event);
      }
    },
    pause: () => display.pause(),
    close() {
      display.close();
    },
  };
}

async function createDisplay(options: ReporterOptions): Promise<ProgressDisplay> {
  const { mode, stream, clock, color } = options;
  if (options.quiet || mode === 'none') return createNoProgress(stream);
  if (mode !== 'text' && canDrawBar(stream)) return await createProgressBar(stream, clock, color);
  return createTextProgress(stream, clock);
}

const LINE_EVERY_MS = 5_000;

/**
 * Progress as plain lines, for logs and files: at most one in 5 seconds, and at the end what was sent or deleted.
 * What comes too soon after a line is not lost: how it stands by then is told when its time has come.
 */
function createTextProgress(stream: MessageStream, clock: Clock): ProgressDisplay {
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
      // More is left than there can be once the clock was put back.
      if (dueMs <= 0 || dueMs > LINE_EVERY_MS) printLine(nextState());
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
