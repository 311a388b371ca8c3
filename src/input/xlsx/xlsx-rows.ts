import type { InputError } from '../../errors.ts';
import type { Cell } from '../../registration/model/row.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';
import type { TableRecord } from '../source/table-record.ts';
import { type CellContext, type RawCell, readCell } from './xlsx-cell.ts';
import { damagedWorkbook } from './xlsx-damage.ts';
import { readReference, readRowNumber, type SheetFindings } from './xlsx-findings.ts';
import { SheetVolume } from './xlsx-volume.ts';
import { MOST_COLUMNS, MOST_ROWS } from '../../registration/model/sheet-cell.ts';
import { grow, ItemText, LONGEST_TEXT } from './xlsx-text.ts';
import { isTrue, type XmlAttributes } from './xlsx-xml.ts';

interface RowsOptions extends CellContext {
  /** Hidden columns, by number. */
  hiddenColumns: ReadonlySet<number>;
  /** Whether what is hidden is left out. */
  leaveOutHidden: boolean;
  /** What errors call a row of the sheet, or the sheet as a whole. */
  place: (row?: number) => string;
}

/** Depths inside the XML of a row, which itself is at 0. */
const CELL = 1;
const CONTENT = 2;

/** Builds records out of the `<row>` elements of a sheet. Rows and cells must come in order. */
export class RowsReader {
  readonly #options: RowsOptions;
  readonly #findings: SheetFindings;
  readonly #item = new ItemText();
  #records: TableRecord[] = [];
  #row = 0;
  #hidden = false;
  #cells: Cell[] = [];
  #column = -1;
  #raw: RawCell | undefined;
  #value: string | undefined;
  #formula: string | undefined;
  #aggregates: number[] = [];
  readonly #volume: SheetVolume;
  readonly #damaged = (what: string): InputError => damagedWorkbook(this.#options.place(this.#row), what);

  constructor(options: RowsOptions, findings: SheetFindings) {
    this.#options = options;
    this.#findings = findings;
    this.#volume = new SheetVolume(options.place);
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

  openRow({ r, hidden }: XmlAttributes): void {
    const row = r === undefined ? this.#row + 1 : readRowNumber(r);
    if (row === undefined || row > MOST_ROWS) throw this.#strayRow();
    if (row <= this.#row) throw this.#damaged('its rows are not in order');
    this.#row = row;
    this.#findings.lastRow = row;
    this.#hidden = isTrue(hidden);
    this.#cells = [];
    this.#aggregates = [];
    this.#column = -1;
    this.#volume.beginRow();
  }

  /** `level` counts from the row. */
  open(name: string, attributes: XmlAttributes, level: number): void {
    if (level === CELL) {
      if (name === 'c') this.#openCell(attributes);
    } else if (this.#raw === undefined) {
      return;
    } else if (level === CONTENT) {
      this.#openContent(this.#raw, name, attributes);
    } else {
      this.#item.open(name, attributes, level - CONTENT);
    }
  }

  text(text: string): void {
    if (this.#formula !== undefined) this.#formula = (this.#formula + text).slice(0, LONGEST_AGGREGATE);
    else if (this.#value === undefined) this.#item.add(text);
    else this.#value = grow(this.#value, text);
  }

  close(name: string, level: number): void {
    const raw = this.#raw;
    if (raw === undefined) return;
    if (level > CONTENT) this.#item.close(name);
    else if (level === CONTENT) this.#closeContent(raw, name);
    else this.#closeCell(raw);
  }

  closeRow(): void {
    const findings = this.#findings;
    if (this.#cells.every(isBlank)) return;
    if (findings.lastFilled > 0) findings.emptyBetween += this.#row - findings.lastFilled - 1;
    findings.lastFilled = this.#row;
    if (this.#hidden) findings.hiddenRows.add(String(this.#row));
    if (this.#hidden && this.#options.leaveOutHidden) return;
    const record: TableRecord = { line: this.#row, cells: this.#cells };
    if (this.#aggregates.length > 0) record.aggregates = this.#aggregates;
    this.#records.push(record);
  }

  /** The error for a text without end. */
  overlong(): InputError | undefined {
    return this.#raw === undefined ? undefined : this.#volume.overlong(this.#column, this.#row);
  }

  #openCell({ r, t, s }: XmlAttributes): void {
    const place = r === undefined ? { column: this.#column + 1, row: this.#row } : readReference(r);
    if (place === undefined || place.row !== this.#row || place.column >= MOST_COLUMNS) {
      throw this.#damaged('there is a cell of no possible place');
    }
    if (place.column <= this.#column) throw this.#damaged('its cells are not in order');
    this.#column = place.column;
    this.#raw = {
      type: t,
      style: s,
      formula: false,
      aggregate: false,
      value: undefined,
      preserve: false,
      inline: '',
    };
  }

  /** There is no number to name it by. */
  #strayRow(): InputError {
    const where = this.#row === 0 ? 'its first row' : `the row behind row ${this.#row}`;
    return damagedWorkbook(this.#options.place(), `${where} has no possible number`);
  }

  #openContent(raw: RawCell, name: string, attributes: XmlAttributes): void {
    if (name === 'f') {
      raw.formula = true;
      this.#formula = '';
    }
    if (name !== 'v') return;
    if (raw.value !== undefined) throw this.#damaged('a cell has two values');
    raw.preserve = attributes['xml:space'] === 'preserve';
    this.#value = '';
  }

  #closeContent(raw: RawCell, name: string): void {
    if (name === 'is') raw.inline = grow(raw.inline, this.#item.take());
    if (name === 'f') raw.aggregate = isAggregate(this.#formula ?? '');
    this.#formula = undefined;
    if (this.#value === undefined) return;
    // What is too long was not kept whole, and must not pass for what is left without white space.
    if (this.#value.length > LONGEST_TEXT) throw this.#volume.overlong(this.#column, this.#row);
    raw.value = this.#value;
    this.#value = undefined;
  }

  #closeCell(raw: RawCell): void {
    this.#raw = undefined;
    const cell = readCell(raw, this.#options, this.#damaged);
    if (cell === null) return;
    this.#volume.add(cell, this.#column, this.#row);
    if (this.#options.hiddenColumns.has(this.#column)) {
      this.#findings.hiddenColumns.add(this.#column);
      if (this.#options.leaveOutHidden) return;
    }
    this.#volume.refuseBeyond(this.#column, this.#row);
    while (this.#cells.length < this.#column) this.#cells.push(null);
    if (raw.aggregate) this.#aggregates.push(this.#column);
    this.#cells.push(cell);
  }
}

const FUNCTION = /\b(?:SUM|SUMPRODUCT|COUNT|COUNTA|AVERAGE|MIN|MAX|SUBTOTAL|AGGREGATE)\(/i;
const RANGE = /\$?[A-Z]{1,3}\$?(\d{1,7}):\$?[A-Z]{1,3}\$?(\d{1,7})/gi;
const WHOLE_COLUMNS = /\$?\b[A-Z]{1,3}:\$?[A-Z]{1,3}\b/i;
/** `Guests[Tickets]`, but not `Guests[@Tickets]`, which is one row of it. */
const TABLE_COLUMN = /\w\[[^\][@#]+\]/;
/** Sums of a list are short. */
const LONGEST_AGGREGATE = 1000;

/** Whether a formula adds up or counts cells of several rows, as below a list: `SUM(D2:D120)`. */
export function isAggregate(formula: string): boolean {
  if (!FUNCTION.test(formula)) return false;
  if (WHOLE_COLUMNS.test(formula) || TABLE_COLUMN.test(formula)) return true;
  return [...formula.matchAll(RANGE)].some(([, first, last]) => first !== last);
}
