import type { InputError } from '../../errors.ts';
import type { Cell } from '../../registration/model/row.ts';
import { MOST_COLUMNS, MOST_ROWS } from '../../registration/model/sheet-cell.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';
import type { MergedRange, TableRecord } from '../source/table-record.ts';
import type { SheetFindings } from './sheet-findings.ts';
import { SheetVolume } from './sheet-volume.ts';
import { damagedWorkbook, oversizedWorkbook } from './workbook-damage.ts';

const MOST_MERGED = 100_000;

interface SheetRowsOptions {
  /** Whether what is hidden is left out. */
  leaveOutHidden: boolean;
  /** What errors call a row of the sheet, or the sheet as a whole. */
  place: (row?: number) => string;
}

/** Builds the records of a sheet out of its cells. Rows and cells must come in order, columns before them. */
export class SheetRows {
  readonly findings: SheetFindings;
  readonly #options: SheetRowsOptions;
  readonly #volume: SheetVolume;
  readonly #hiddenColumns = new Set<number>();
  #columnsTold = 0;
  #records: TableRecord[] = [];
  #row = 0;
  #hidden = false;
  #cells: Cell[] = [];
  #column = -1;
  #aggregates: number[] = [];

  constructor(options: SheetRowsOptions, findings: SheetFindings) {
    this.#options = options;
    this.findings = findings;
    this.#volume = new SheetVolume(options.place);
  }

  /** Number of the row that was opened last. */
  get row(): number {
    return this.#row;
  }

  /** Number of the column that was gone to last; -1 at the beginning of a row. */
  get column(): number {
    return this.#column;
  }

  /** Whether the records are to be taken before more are read. */
  isFull(): boolean {
    return this.#volume.isBatchFull;
  }

  /** The records since the last call. */
  take(): TableRecord[] {
    const records = this.#records;
    this.#records = [];
    this.#volume.beginBatch();
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
    if (row <= this.#row) throw this.damaged('its rows are not in order');
    this.#row = row;
    this.#hidden = hidden;
    this.#cells = [];
    this.#aggregates = [];
    this.#column = -1;
    this.#volume.beginRow();
  }

  /** Undefined is a column that makes no sense. */
  goTo(column: number | undefined): void {
    if (column === undefined || column >= MOST_COLUMNS)
      throw this.damaged('there is a cell of no possible place');
    if (column <= this.#column) throw this.damaged('its cells are not in order');
    this.#column = column;
  }

  /** Puts a value into the column that was gone to. `aggregate` says that it adds up or counts several rows. */
  add(cell: Cell, aggregate: boolean): void {
    if (cell === null) return;
    const column = this.#column;
    this.#volume.add(cell, column, this.#row);
    if (this.#hiddenColumns.has(column)) {
      this.findings.hiddenColumns.add(column);
      if (this.#options.leaveOutHidden) return;
    }
    this.#volume.refuseBeyond(column, this.#row);
    while (this.#cells.length < column) this.#cells.push(null);
    if (aggregate) this.#aggregates.push(column);
    this.#cells.push(cell);
  }

  /** `times` says for how many rows the one that was opened stands. */
  closeRow(times = 1): void {
    const { findings } = this;
    const first = this.#row;
    this.#row += times - 1;
    findings.lastRow = this.#row;
    if (this.#cells.every(isBlank)) return;
    if (this.#row > MOST_ROWS) throw this.#strayRow();
    if (findings.lastFilled > 0) findings.emptyBetween += first - findings.lastFilled - 1;
    findings.lastFilled = this.#row;
    this.#volume.repeatRow(times - 1, this.#cells.length, first);
    for (let line = first; line <= this.#row; line++) this.#closeRecord(line);
  }

  #closeRecord(line: number): void {
    if (this.#hidden) this.findings.hiddenRows.add(String(line));
    if (this.#hidden && this.#options.leaveOutHidden) return;
    const record: TableRecord = { line, cells: this.#cells };
    if (this.#aggregates.length > 0) record.aggregates = this.#aggregates;
    this.#records.push(record);
  }

  /** The error for a cell whose text has no end, where the reading stands. */
  overlong(): InputError {
    return this.#volume.overlong(this.#column, this.#row);
  }

  /** The error for what makes no sense in the row where the reading stands. */
  damaged(what: string): InputError {
    return damagedWorkbook(this.#options.place(this.#row), what);
  }

  /** There is no number to name it by. */
  #strayRow(): InputError {
    const where = this.#row === 0 ? 'its first row' : `the row behind row ${this.#row}`;
    return damagedWorkbook(this.#options.place(), `${where} has no possible number`);
  }
}
