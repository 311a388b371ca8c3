import type { Clock } from '../../pacing/clock.ts';
import { visible } from '../words/escape.ts';
import type { PushEvent, Reporter } from '../views/events.ts';
import { formatExpectation } from './expectation.ts';
import { canDrawBar, createProgressBar } from './progress-bar.ts';
import { createNoProgress, type ProgressDisplay, type ReportStream } from './progress-display.ts';
import { createTextProgress } from './progress-text.ts';
import { formatNote } from '../words/format-note.ts';
import { formatReject } from './format-reject.ts';
import { painter } from '../words/paint.ts';
import { plural } from '../words/number.ts';
import type { Reject } from '../../registration/model/row.ts';

/** Rows with errors that are printed in full unless told otherwise. */
const DEFAULT_MAX_REJECTS = 100;

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
  /** Whether all rows with errors are also written to a file (`--rejects`). */
  rejectsFile: boolean;
  /** Rows with errors that are printed in full; the rest is counted. 100 when left out. */
  maxRejects?: number | undefined;
}

/** A reporter that prints notes, warnings and rejects, and draws progress as the options say. */
export async function createReporter(options: ReporterOptions): Promise<Reporter> {
  const { quiet } = options;
  const display = await createDisplay(options);
  const rejects = createRejectPrinter(options);
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
          return print(rejects.next(event.reject));
        case 'repaired':
          return options.verbose ? print(formatNote(event.place, event.note, options.showValues)) : undefined;
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
      print(rejects.rest());
    },
  };
}

async function createDisplay(options: ReporterOptions): Promise<ProgressDisplay> {
  const { mode, stream, clock, color } = options;
  if (options.quiet || mode === 'none') return createNoProgress(stream);
  if (mode !== 'text' && canDrawBar(stream)) return await createProgressBar(stream, clock, color);
  return createTextProgress(stream, clock);
}

/** Turns the first rows with errors into lines, and counts the rest. */
function createRejectPrinter({ maxRejects = DEFAULT_MAX_REJECTS, showValues, rejectsFile }: ReporterOptions) {
  let printed = 0;
  let more = 0;
  return {
    /** Lines of the reject; undefined when enough have been printed. */
    next(reject: Reject): string | undefined {
      if (printed >= maxRejects) {
        more += 1;
        return undefined;
      }
      printed += 1;
      return formatReject(reject, { showValues }).join('\n');
    },
    /** A line on the rows that were only counted; undefined when there are none. Begins the count anew. */
    rest(): string | undefined {
      const count = more;
      more = 0;
      if (count === 0) return undefined;
      const where = rejectsFile ? '; see the rejects file' : '; --rejects FILE writes them all';
      return `… and ${plural(count, 'more row', 'more rows')} with errors${where}`;
    },
  };
}
