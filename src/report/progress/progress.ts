import type { Clock } from '../../pacing/clock.ts';
import { visible } from '../words/escape.ts';
import type { PushEvent, Reporter } from '../views/events.ts';
import { formatExpectation } from './expectation.ts';
import { canDrawBar, createProgressBar } from './progress-bar.ts';
import { createNoProgress, type ProgressDisplay, type ReportStream } from './progress-display.ts';
import { createTextProgress } from './progress-text.ts';
import { formatNote } from '../words/format-note.ts';
import { painter } from '../words/paint.ts';
import { formatRejects } from './format-groups.ts';

export interface ReporterOptions {
  /** `auto` is a bar on a terminal, plain lines elsewhere; a bar also falls back to lines where none can be drawn. */
  mode: 'auto' | 'bar' | 'text' | 'none';
  /** Usually stderr. */
  stream: ReportStream;
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
  return {
    report(event: PushEvent) {
      switch (event.type) {
        case 'note':
          return quiet ? undefined : print(visible((options.verbose ? event.full : undefined) ?? event.text));
        case 'trace':
          return print(visible(event.text));
        case 'warning':
          return print(`${warning} ${visible(event.text)}`);
        case 'rejected':
          for (const line of formatRejects(event.rejects, { all: allErrors, showValues })) print(line);
          return undefined;
        case 'repaired':
          return options.verbose ? print(formatNote(event.place, event.note, showValues)) : undefined;
        case 'run':
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
