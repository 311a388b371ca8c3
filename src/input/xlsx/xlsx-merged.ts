import { Tally } from './tally.ts';
import { readReference } from '../table/cell-reference.ts';

/** Ranges that are kept; nobody has as many above a header. */
const MOST_RANGES = 1_000;

interface MergedRange {
  range: string;
  lastRow: number;
}

/** Ranges of merged cells whose value may be meant for several rows or columns of people. */
export class MergedRanges {
  readonly #ranges: MergedRange[] = [];
  #more = 0;

  /** Notes a range such as `B4:B7`. Ranges come after the rows, and those below the last of them are harmless. */
  add(range: string, lastFilled: number): void {
    const [from = '', to = ''] = range.split(':', 2);
    const first = readReference(from);
    const last = readReference(to);
    if (first === undefined || last === undefined || first.row > lastFilled) return;
    if (last.row === first.row && last.column === first.column) return;
    if (this.#ranges.length === MOST_RANGES) this.#more += 1;
    else this.#ranges.push({ range: `${from}:${to}`, lastRow: Math.max(first.row, last.row) });
  }

  /** Those that reach below the header: up to there, merged cells are titles and headings. */
  below(headerLine: number): Tally {
    const tally = new Tally();
    for (const { range, lastRow } of this.#ranges) if (lastRow > headerLine) tally.add(range);
    tally.count += this.#more;
    return tally;
  }
}
