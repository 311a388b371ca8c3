import type { InputError } from '../errors.ts';
import type { Cell } from '../registration/row.ts';
import { isBlankCell } from './blank-record.ts';
import type { TableRecord } from './table.ts';
import { type CellContext, type RawCell, readCell } from './xlsx-cell.ts';
import type { SheetFindings } from './xlsx-findings.ts';
import { columnLetters, MOST_COLUMNS, MOST_ROWS, readReference, readRowNumber } from './xlsx-reference.ts';
import { grow, ItemText } from './xlsx-text.ts';
import { isTrue, type XmlAttributes } from './xlsx-xml.ts';

/** Columns that may hold something; wider sheets are no lists of people. */
export const MOST_FILLED_COLUMNS = 1_000;
const MOST_CELLS = 20_000_000;

export interface RowsOptions extends CellContext {
  /** Hidden columns, by number. */
  hiddenColumns: ReadonlySet<number>;
  /** Whether what is hidden is left out. */
  leaveOutHidden: boolean;
  /** An error at a row of the sheet. */
  damaged: (row: number, what: string) => InputError;
  oversized: (row: number, what: string) => InputError;
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
  #filledCells = 0;
  readonly #damaged = (what: string): InputError => this.#options.damaged(this.#row, what);

  constructor(options: RowsOptions, findings: SheetFindings) {
    this.#options = options;
    this.#findings = findings;
  }

  /** The records since the last call. */
  take(): TableRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  openRow({ r, hidden }: XmlAttributes): void {
    const row = r === undefined ? this.#row + 1 : readRowNumber(r);
    if (row === undefined || row > MOST_ROWS) throw this.#damaged('there is a row of no possible number');
    if (row <= this.#row) throw this.#damaged('its rows are not in order');
    this.#row = row;
    this.#findings.lastRow = row;
    this.#hidden = isTrue(hidden);
    this.#cells = [];
    this.#column = -1;
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
    if (this.#value === undefined) this.#item.add(text);
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
    if (this.#cells.every(isBlankCell)) return;
    if (findings.lastFilled > 0) findings.emptyBetween += this.#row - findings.lastFilled - 1;
    findings.lastFilled = this.#row;
    if (this.#hidden) findings.hiddenRows.add(String(this.#row));
    if (this.#hidden && this.#options.leaveOutHidden) return;
    this.#records.push({ line: this.#row, cells: this.#cells });
  }

  #openCell({ r, t, s }: XmlAttributes): void {
    const place = r === undefined ? { column: this.#column + 1, row: this.#row } : readReference(r);
    if (place === undefined || place.row !== this.#row || place.column >= MOST_COLUMNS) {
      throw this.#damaged('there is a cell of no possible place');
    }
    if (place.column <= this.#column) throw this.#damaged('its cells are not in order');
    this.#column = place.column;
    this.#raw = { type: t, style: s, formula: false, value: undefined, preserve: false, inline: '' };
  }

  #openContent(raw: RawCell, name: string, attributes: XmlAttributes): void {
    if (name === 'f') raw.formula = true;
    if (name !== 'v') return;
    if (raw.value !== undefined) throw this.#damaged('a cell has two values');
    raw.preserve = attributes['xml:space'] === 'preserve';
    this.#value = '';
  }

  #closeContent(raw: RawCell, name: string): void {
    if (name === 'is') raw.inline = grow(raw.inline, this.#item.take());
    if (this.#value === undefined) return;
    raw.value = this.#value;
    this.#value = undefined;
  }

  #closeCell(raw: RawCell): void {
    this.#raw = undefined;
    const cell = readCell(raw, this.#options, this.#damaged);
    if (cell === null) return;
    if (this.#options.hiddenColumns.has(this.#column)) {
      this.#findings.hiddenColumns.add(this.#column);
      if (this.#options.leaveOutHidden) return;
    }
    this.#refuseExcess();
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells.push(cell);
  }

  #refuseExcess(): void {
    const { oversized } = this.#options;
    if (this.#column >= MOST_FILLED_COLUMNS) {
      const letters = columnLetters(this.#column);
      throw oversized(this.#row, `column ${letters} holds a value, and at most 1,000 columns are read`);
    }
    this.#filledCells += 1;
    if (this.#filledCells > MOST_CELLS) throw oversized(this.#row, 'it holds more than 20 million values');
  }
}
