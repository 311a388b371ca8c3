import type { InputError } from '../../errors.ts';
import type { Cell } from '../../registration/model/row.ts';
import { columnLetters, SheetCell } from '../../registration/model/sheet-cell.ts';
import { overlongText, oversizedWorkbook } from './xlsx-damage.ts';
import { LONGEST_TEXT } from './xlsx-text.ts';

/** What a sheet may hold at most. Texts are in characters. */
export interface SheetLimits {
  /** Columns that may hold something; wider sheets are no lists of people. */
  columns: number;
  values: number;
  /** Text of a row, as much as a record of CSV may have. */
  rowText: number;
  /** Text after which rows are handed on before more are read. */
  batchText: number;
  sheetText: number;
}

const MEBI = 1024 * 1024;

/** The limits of every sheet; tests have smaller ones. */
export const SHEET_LIMITS: SheetLimits = {
  columns: 1_000,
  values: 20_000_000,
  rowText: MEBI,
  batchText: MEBI,
  sheetText: 2048 * MEBI,
};

/**
 * What the cells of a sheet amount to, held against its limits. The size of the file does not tell: any
 * number of cells may share one long text.
 */
export class SheetVolume {
  readonly #limits: SheetLimits;
  readonly #place: (row: number) => string;
  #values = 0;
  #text = 0;
  #rowText = 0;
  #batchText = 0;

  /** `place` names a row in messages. */
  constructor(limits: SheetLimits, place: (row: number) => string) {
    this.#limits = limits;
    this.#place = place;
  }

  get isBatchFull(): boolean {
    return this.#batchText > this.#limits.batchText;
  }

  beginRow(): void {
    this.#rowText = 0;
  }

  beginBatch(): void {
    this.#batchText = 0;
  }

  /** Counts a cell. Throws an InputError when its text is too long, or when it is one too many. */
  add(cell: Cell, column: number, row: number): void {
    const { values, rowText, sheetText } = this.#limits;
    const length = textLength(cell);
    if (length > LONGEST_TEXT) throw this.overlong(column, row);
    this.#values += 1;
    this.#text += length;
    this.#rowText += length;
    this.#batchText += length;
    if (this.#rowText > rowText) throw overlongText(this.#place(row), 'this row');
    if (this.#values > values) throw this.#excess(row, `${values.toLocaleString('en')} values`);
    if (this.#text > sheetText) throw this.#excess(row, '2 GiB of text');
  }

  /** The error for a cell whose text is too long. */
  overlong(column: number, row: number): InputError {
    return overlongText(this.#place(row), `cell ${columnLetters(column)}${row}`);
  }

  /** Throws an InputError when a cell that holds something lies beyond the columns that are read. */
  refuseBeyond(column: number, row: number): void {
    const { columns } = this.#limits;
    if (column < columns) return;
    const most = columns.toLocaleString('en');
    const what = `column ${columnLetters(column)} holds a value, and at most ${most} columns are read`;
    throw oversizedWorkbook(this.#place(row), what);
  }

  #excess(row: number, what: string): InputError {
    return oversizedWorkbook(this.#place(row), `it holds more than ${what}`);
  }
}

function textLength(cell: Cell): number {
  if (typeof cell === 'string') return cell.length;
  return cell instanceof SheetCell ? cell.stored.length : 0;
}
