import { readReference } from '../table/cell-reference.ts';

/** What reading the rows of a sheet has shown about it. */
export class SheetFindings {
  /** Rows that hold something though they are hidden. */
  readonly hiddenRows = new Tally();
  /** Columns that hold something though they are hidden, by number. */
  readonly hiddenColumns = new Set<number>();
  /** Whether rows are hidden by a filter. */
  filtered = false;
  readonly merged = new MergedRanges();
  /** Empty rows between others. */
  emptyBetween = 0;
  /** Number of the last row that holds something; 0 before any. */
  lastFilled = 0;
  /** Number of the last row there is, styled blanks included. */
  lastRow = 0;
  /** As the sheet itself says, `A1:L120`; read before the rows. */
  dimension: string | undefined;
}

/** Examples kept of a finding; more would not be read. */
const MOST_EXAMPLES = 3;

/** Some places of a finding, and how many there are. */
export class Tally {
  count = 0;
  readonly examples: string[] = [];

  add(example: string): void {
    this.count += 1;
    if (this.examples.length < MOST_EXAMPLES) this.examples.push(example);
  }

  /** `2, 5, 9 and more`. */
  describe(): string {
    return this.examples.join(', ') + (this.count > this.examples.length ? ' and more' : '');
  }
}

/** Ranges that are kept; nobody has as many above a header. */
const MOST_RANGES = 1_000;

/** Ranges of merged cells whose value may be meant for several rows or columns of people. */
class MergedRanges {
  readonly #ranges: { range: string; lastRow: number }[] = [];
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
