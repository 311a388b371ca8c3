import type { Reject } from '../../registration/model/row.ts';
import { formatReject } from './format-reject.ts';
import { plural } from '../words/number.ts';

/** Turns rejects into text, up to a number of rows; the rest is only counted. */
interface RejectPrinter {
  /** Lines of the reject; undefined when enough have been printed. */
  next(reject: Reject): string | undefined;
  /** A line on the rows that were only counted; undefined when there are none. Begins the count anew. */
  rest(): string | undefined;
}

interface RejectPrinterOptions {
  /** Rows that are printed in full. */
  maxRejects: number;
  /** Shows personal values as they are. */
  showValues: boolean;
  /** Whether all rejected rows are also written to a file. */
  rejectsFile: boolean;
}

/** A printer of the first `maxRejects` rows. Personal values are masked unless `showValues`. */
export function createRejectPrinter(options: RejectPrinterOptions): RejectPrinter {
  const { maxRejects, showValues, rejectsFile } = options;
  let printed = 0;
  let more = 0;
  return {
    next(reject) {
      if (printed >= maxRejects) {
        more += 1;
        return undefined;
      }
      printed += 1;
      return formatReject(reject, { showValues }).join('\n');
    },
    rest() {
      const count = more;
      more = 0;
      if (count === 0) return undefined;
      const where = rejectsFile ? '; see the rejects file' : '; --rejects FILE writes them all';
      return `… and ${plural(count, 'more row', 'more rows')} with errors${where}`;
    },
  };
}
