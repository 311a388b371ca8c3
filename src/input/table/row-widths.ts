import { InputError } from '../../errors.ts';
import { showCells } from '../columns/show-cells.ts';
import type { TableRecord } from '../source/table-record.ts';
import { refuseNamelessValue, type TableHeader } from './table-header.ts';
import { placeOf, type TableOptions } from './table-options.ts';
import type { Cell } from '../../registration/model/row.ts';

const MISSING =
  'Write the cells that are missing, blank ones too; a line break inside a cell must be in double quotes.';

/**
 * Sees to it that the rows of a text are as wide as its header. A row with more cells is refused, blank ones
 * too: a delimiter inside a value may have moved all others by one. Only where two rows or more are all of
 * one greater width, blank beyond the header in each, are those cells columns that nobody filled in.
 */
export class RowWidths {
  readonly #header: TableHeader;
  readonly #options: TableOptions;
  #first: TableRecord | undefined;
  #rows = 0;

  constructor(header: TableHeader, options: TableOptions) {
    this.#header = header;
    this.#options = options;
  }

  /** Throws an InputError for a row that does not fit. Sheets leave cells out: there any row does. */
  check(record: TableRecord): void {
    if (this.#options.ragged === 'blank') return;
    const { cells } = record;
    const { width } = this.#header;
    const filled = cells.findLastIndex((cell, at) => at >= width && !isBlankCell(cell)) + 1;
    if (cells.length < width) throw this.#ragged(record, cells.length, width, MISSING);
    if (filled > 0) {
      if (filled <= this.#header.cells) this.#refuseNameless(record, filled - 1);
      const hint = `A cell that holds ${this.#delimiter()} or a line break must be in double quotes; another delimiter is chosen with --set delimiter.`;
      throw this.#ragged(record, filled, width, hint);
    }
    this.#first ??= record;
    this.#rows += 1;
    const difference = this.#extra(record) - this.#extra(this.#first);
    if (difference !== 0) throw this.#wider(difference > 0 ? record : this.#first);
  }

  /** Called after the last row: a single one shows nothing about the others. */
  end(): void {
    if (this.#rows === 1 && this.#first !== undefined && this.#extra(this.#first) > 0) {
      throw this.#wider(this.#first);
    }
  }

  /** The header goes as far, without a name there. */
  #refuseNameless(record: TableRecord, at: number): never {
    const shifted = ` If the cells have moved, one holds ${this.#delimiter()} and must be in double quotes.`;
    return refuseNamelessValue(record, at, this.#header, this.#options, shifted);
  }

  #extra({ cells }: TableRecord): number {
    return Math.max(0, cells.length - this.#header.cells);
  }

  #wider(record: TableRecord): InputError {
    const hint = `A cell that holds ${this.#delimiter()} must be in double quotes. If only empty cells stand behind the last heading, delete their columns and export the file again.`;
    return this.#ragged(record, record.cells.length, this.#header.cells, hint);
  }

  #ragged(record: TableRecord, found: number, width: number, hint: string): InputError {
    const count = found === 1 ? '1 cell' : `${found} cells`;
    const place = placeOf(this.#options, record.line);
    return new InputError(`${place}: this row has ${count}, but the header has ${width}.`, {
      details: [`The row: ${showCells(record.cells)}`],
      hint,
    });
  }

  #delimiter(): string {
    const { delimiter } = this.#options;
    return `the delimiter${delimiter === undefined ? '' : ` ${delimiter}`}`;
  }
}

/** Whether a record holds nothing but white space. */
export function isBlankRecord({ cells }: TableRecord): boolean {
  return cells.every(isBlankCell);
}

/** Whether a record is a row of blank cells; a line with nothing in it is none. */
export function isEmptyRow(record: TableRecord): boolean {
  return record.cells.length > 1 && isBlankRecord(record);
}

/** Whether a cell holds nothing but white space. */
export function isBlankCell(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}
