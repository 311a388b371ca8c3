import type { InputError } from '../../errors.ts';
import type { Cell } from '../../registration/model/row.ts';
import { columnLetters, MOST_COLUMNS, MOST_ROWS, SheetCell } from '../../registration/model/sheet-cell.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';
import type { MergedRange, TableRecord } from '../source/table-record.ts';
import type { SheetFindings } from './sheet-findings.ts';
import { damagedWorkbook, overlongText, oversizedWorkbook } from './workbook-damage.ts';

const MEBI = 1024 * 1024;
/** Longest text of a cell, in characters; Excel stops at 32,767. */
export const LONGEST_TEXT = MEBI;
/** Columns that may hold something; wider sheets are no lists of people. */
const MOST_FILLED = 1_000;
/** Text of a row, in characters, as much as a record of CSV may have; and that after which rows are handed on. */
const MOST_ROW_TEXT = MEBI;
const BATCH_TEXT = MEBI;
const MOST_SHEET_TEXT = 2048 * MEBI;
/** Values that a sheet may tell by saying that a row stands there again: they cost no byte of the file. */
const MOST_REPEATED = 1_000_000;
const MOST_MERGED = 100_000;

interface SheetRowsOptions {
  /** Whether what is hidden is left out. */
  leaveOutHidden: boolean;
  /** What errors call a row of the sheet, or the sheet as a whole. */
  place: (row?: number) => string;
}

/**
 * Builds the records of a sheet out of its cells, and holds them against its limits: the size of the file does not
 * tell, as any number of cells may share one long text. Rows and cells must come in order, columns before them.
 */
export class SheetRows {
  readonly findings: SheetFindings;
  readonly #options: SheetRowsOptions;
  readonly #hiddenColumns = new Set<number>();
  #columnsTold = 0;
  #records: TableRecord[] = [];
  /** Number of the row that was opened last. */
  row = 0;
  /** Number of the column that was gone to last; -1 at the beginning of a row. */
  column = -1;
  #hidden = false;
  #cells: Cell[] = [];
  #aggregates: number[] = [];
  #text = 0;
  #rowText = 0;
  #batchText = 0;
  #repeated = 0;

  constructor(options: SheetRowsOptions, findings: SheetFindings) {
    this.#options = options;
    this.findings = findings;
  }

  /** Whether the records are to be taken before more are read. */
  isFull(): boolean {
    return this.#batchText > BATCH_TEXT;
  }

  /** The records since the last call. */
  take(): TableRecord[] {
    const records = this.#records;
    this.#records = [];
    this.#batchText = 0;
    return records;
  }

  /** Numbers beyond what is read, and what is no number, hide nothing. */
  hideColumns(first: number, last: number): void {
    const from = Math.max(0, first);
    const end = Math.min(last, MOST_COLUMNS - 1);
    if (!(from <= end)) return;
    this.#columnsTold += end - from + 1;
    // All columns are 16,384 when they are told once; told without end, they would never be read to an end.
    if (this.#columnsTold > 10 * MOST_COLUMNS) {
      throw damagedWorkbook(this.#options.place(), 'its columns are described too often');
    }
    for (let column = from; column <= end; column++) this.#hiddenColumns.add(column);
  }

  merge(range: MergedRange): void {
    if (this.findings.merged.push(range) <= MOST_MERGED) return;
    throw oversizedWorkbook(this.#options.place(), 'more than 100,000 ranges of its cells are merged');
  }

  /** Undefined is a number that makes no sense. */
  openRow(row: number | undefined, hidden: boolean): void {
    if (row === undefined || row > MOST_ROWS) throw this.#strayRow();
    if (row <= this.row) throw this.damaged('its rows are not in order');
    this.row = row;
    this.#hidden = hidden;
    this.#cells = [];
    this.#aggregates = [];
    this.column = -1;
    this.#rowText = 0;
  }

  /** Undefined is a column that makes no sense. */
  goTo(column: number | undefined): void {
    if (column === undefined || column >= MOST_COLUMNS)
      throw this.damaged('there is a cell of no possible place');
    if (column <= this.column) throw this.damaged('its cells are not in order');
    this.column = column;
  }

  /**
   * Puts a value into the column that was gone to. `aggregate` says that it adds up or counts several rows. Throws an
   * InputError when its text is too long, alone or with that of others, or it lies beyond the columns that are read.
   */
  add(cell: Cell, aggregate: boolean): void {
    if (cell === null) return;
    const { column } = this;
    const length = textLength(cell);
    if (length > LONGEST_TEXT) throw this.overlong();
    this.#rowText += length;
    if (this.#rowText > MOST_ROW_TEXT) throw overlongText(this.#options.place(this.row), 'this row');
    this.#count(length);
    if (this.#hiddenColumns.has(column)) {
      this.findings.hiddenColumns.add(column);
      if (this.#options.leaveOutHidden) return;
    }
    if (column >= MOST_FILLED)
      throw this.#oversized(
        `column ${columnLetters(column)} holds a value, and at most 1,000 columns are read`,
      );
    while (this.#cells.length < column) this.#cells.push(null);
    if (aggregate) this.#aggregates.push(column);
    this.#cells.push(cell);
  }

  /** `times` says for how many rows the one that was opened stands. */
  closeRow(times = 1): void {
    const { findings, row: first } = this;
    const last = first + times - 1;
    this.row = last;
    findings.lastRow = last;
    if (this.#cells.every(isBlank)) return;
    if (last > MOST_ROWS) throw this.#strayRow();
    if (findings.lastFilled > 0) findings.emptyBetween += first - findings.lastFilled - 1;
    findings.lastFilled = last;
    this.#repeated += (times - 1) * this.#cells.length;
    if (this.#repeated > MOST_REPEATED)
      throw this.#oversized('its rows repeat more than a million values', first);
    this.#count((times - 1) * this.#rowText);
    for (let line = first; line <= last; line++) this.#closeRecord(line);
  }

  /** The error for a cell whose text has no end, where the reading stands. */
  overlong(): InputError {
    const cell = `cell ${columnLetters(this.column)}${this.row}`;
    return overlongText(this.#options.place(this.row), cell);
  }

  /** The error for what makes no sense in the row where the reading stands. */
  damaged(what: string): InputError {
    return damagedWorkbook(this.#options.place(this.row), what);
  }

  #closeRecord(line: number): void {
    if (this.#hidden) this.findings.hiddenRows.push(line);
    if (this.#hidden && this.#options.leaveOutHidden) return;
    const record: TableRecord = { line, cells: this.#cells };
    if (this.#aggregates.length > 0) record.aggregates = this.#aggregates;
    this.#records.push(record);
  }

  #count(length: number): void {
    this.#text += length;
    this.#batchText += length;
    if (this.#text > MOST_SHEET_TEXT) throw this.#oversized('it holds more than 2 GiB of text');
  }

  #oversized(what: string, row = this.row): InputError {
    return oversizedWorkbook(this.#options.place(row), what);
  }

  /** There is no number to name it by. */
  #strayRow(): InputError {
    const where = this.row === 0 ? 'its first row' : `the row behind row ${this.row}`;
    return damagedWorkbook(this.#options.place(), `${where} has no possible number`);
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
