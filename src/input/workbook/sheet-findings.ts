import { MOST_COLUMNS, MOST_ROWS } from '../../registration/model/sheet-cell.ts';

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

/** A cell by numbers: column 0 is A, row 1 is the first. */
interface CellReference {
  column: number;
  row: number;
}

const A = 65;
const ZERO = 48;

/** Reads `B12`; undefined for anything else, and beyond `XFD1048576`. */
export function readReference(text: string): CellReference | undefined {
  let at = 0;
  let column = 0;
  for (; at < text.length && at < 4; at++) {
    const letter = text.charCodeAt(at) - A;
    if (letter < 0 || letter > 25) break;
    column = column * 26 + letter + 1;
  }
  const row = at === 0 ? undefined : readRowNumber(text, at);
  return row === undefined || column > MOST_COLUMNS ? undefined : { column: column - 1, row };
}

/** Reads a row number, 1 to 1,048,576, from there to the end of the text. */
export function readRowNumber(text: string, from = 0): number | undefined {
  if (from === text.length || text.length - from > 7) return undefined;
  let row = 0;
  for (let at = from; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    row = row * 10 + digit;
  }
  return row === 0 || row > MOST_ROWS ? undefined : row;
}
