import type { InputError } from '../../errors.ts';
import type { Cell } from '../../registration/model/row.ts';
import { columnLetters, SheetCell } from '../../registration/model/sheet-cell.ts';
import { overlongText, oversizedWorkbook } from './workbook-damage.ts';

const MEBI = 1024 * 1024;
/** Longest text of a cell, in characters; Excel stops at 32,767. */
export const LONGEST_TEXT = MEBI;
/** Columns that may hold something; wider sheets are no lists of people. */
const MOST_COLUMNS = 1_000;
/** Text of a row, in characters, as much as a record of CSV may have; and that after which rows are handed on. */
const MOST_ROW_TEXT = MEBI;
const BATCH_TEXT = MEBI;
const MOST_SHEET_TEXT = 2048 * MEBI;
/** Values that a sheet may tell by saying that a row stands there again: they cost no byte of the file. */
const MOST_REPEATED = 1_000_000;

/**
 * What the cells of a sheet amount to, held against its limits. The size of the file does not tell: any
 * number of cells may share one long text.
 */
export class SheetVolume {
  readonly #place: (row: number) => string;
  #text = 0;
  #rowText = 0;
  #batchText = 0;
  #repeated = 0;

  /** `place` names a row in messages. */
  constructor(place: (row: number) => string) {
    this.#place = place;
  }

  get isBatchFull(): boolean {
    return this.#batchText > BATCH_TEXT;
  }

  beginRow(): void {
    this.#rowText = 0;
  }

  beginBatch(): void {
    this.#batchText = 0;
  }

  /** Counts a cell. Throws an InputError when its text is too long, or too much with that of others. */
  add(cell: Cell, column: number, row: number): void {
    const length = textLength(cell);
    if (length > LONGEST_TEXT) throw this.overlong(column, row);
    this.#text += length;
    this.#rowText += length;
    this.#batchText += length;
    if (this.#rowText > MOST_ROW_TEXT) throw overlongText(this.#place(row), 'this row');
    this.#refuseText(row);
  }

  /** Counts the cells of a row once more for each time that it stands there again. */
  repeatRow(times: number, cells: number, row: number): void {
    this.#repeated += times * cells;
    this.#text += times * this.#rowText;
    if (this.#repeated > MOST_REPEATED) {
      throw oversizedWorkbook(this.#place(row), 'its rows repeat more than a million values');
    }
    this.#refuseText(row);
  }

  /** The error for a cell whose text is too long. */
  overlong(column: number, row: number): InputError {
    return overlongText(this.#place(row), `cell ${columnLetters(column)}${row}`);
  }

  #refuseText(row: number): void {
    if (this.#text > MOST_SHEET_TEXT)
      throw oversizedWorkbook(this.#place(row), 'it holds more than 2 GiB of text');
  }

  /** Throws an InputError when a cell that holds something lies beyond the columns that are read. */
  refuseBeyond(column: number, row: number): void {
    if (column < MOST_COLUMNS) return;
    const most = MOST_COLUMNS.toLocaleString('en');
    const what = `column ${columnLetters(column)} holds a value, and at most ${most} columns are read`;
    throw oversizedWorkbook(this.#place(row), what);
  }
}

/** Appends to a text unless it is too long already: texts without end must not fill the memory. */
export function grow(text: string, more: string): string {
  return text.length > LONGEST_TEXT ? text : text + more;
}

function textLength(cell: Cell): number {
  if (typeof cell === 'string') return cell.length;
  return cell instanceof SheetCell ? cell.stored.length : 0;
}
