import { MOST_COLUMNS, MOST_ROWS } from '../../registration/model/sheet-cell.ts';
import type { MergedRange } from '../source/table-record.ts';

/** What reading the rows of a sheet has shown about it. */
export class SheetFindings {
  /** Rows that hold something though they are hidden. */
  readonly hiddenRows: number[] = [];
  /** Columns that hold something though they are hidden, by number. */
  readonly hiddenColumns = new Set<number>();
  /** Whether rows are hidden by a filter. */
  filtered = false;
  readonly merged: MergedRange[] = [];
  /** Empty rows between others. */
  emptyBetween = 0;
  /** Number of the last row that holds something; 0 before any. */
  lastFilled = 0;
  /** Number of the last row there is, styled blanks included. */
  lastRow = 0;
}

/** Reads a range of cells such as `B4:B7`; undefined for anything else, and for a single cell. */
export function readRange(text: string): MergedRange | undefined {
  const [from = '', to = ''] = text.split(':', 2);
  const one = readReference(from);
  const other = readReference(to);
  if (one === undefined || other === undefined || from === to) return undefined;
  const [row = 0, lastRow = 0] = [one.row, other.row].sort((a, b) => a - b);
  const [column = 0, lastColumn = 0] = [one.column, other.column].sort((a, b) => a - b);
  return { name: text, row, column, lastRow, lastColumn };
}

const A = 65;
const ZERO = 48;

/** Reads `B12` as numbers, column 0 and row 1 the first; undefined for anything else, and beyond `XFD1048576`. */
export function readReference(text: string): { column: number; row: number } | undefined {
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
