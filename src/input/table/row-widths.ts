import { InputError } from '../../errors.ts';
import { showCells } from '../columns/show-cells.ts';
import type { TableRecord } from '../source/table-record.ts';
import { whyHeaderIsShort } from './short-header.ts';
import { refuseNamelessValue, type TableHeader } from './table-header.ts';
import { placeOf, type TableOptions } from './table-options.ts';
import type { Cell } from '../../registration/model/row.ts';

/** Rows that are looked at for what their columns hold. */
const MOST_LOOKED_AT = 100;
const MISSING =
  'Write the cells that are missing, blank ones too; a line break inside a cell must be in double quotes.';

/**
 * Sees to it that the rows of a text are as wide as its header. A row with more cells is refused, blank ones
 * too: a delimiter inside a value may have moved all others by one. Only where two rows or more are all of
 * one greater width, blank beyond the header in each, are those cells columns that nobody filled in; or all columns are
 * moved, where the header lacks a delimiter.
 */
export class RowWidths {
  readonly #header: TableHeader;
  readonly #options: TableOptions;
  #first: TableRecord | undefined;
  /** The first that are wider than the last heading. */
  readonly #wide: (readonly Cell[])[] = [];
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
    if (cells.length > width && this.#wide.length < MOST_LOOKED_AT) this.#wide.push(cells);
    if (filled > 0) {
      if (filled <= this.#header.cells) this.#refuseNameless(record, filled - 1);
      const hint = `A cell that holds ${this.#delimiter()} or a line break must be in double quotes; another delimiter is chosen with --set delimiter.`;
      throw this.#ragged(record, filled, width, hint, this.#whyShort());
    }
    this.#first ??= record;
    this.#rows += 1;
    const difference = this.#extra(record) - this.#extra(this.#first);
    if (difference !== 0) throw this.#wider(difference > 0 ? record : this.#first);
  }

  /** Called after the last row: a single one shows nothing about the others. */
  end(): void {
    const why = this.#wide.length === 0 ? undefined : this.#whyShort();
    if (why !== undefined) throw this.#short(why);
    if (this.#rows === 1 && this.#first !== undefined && this.#extra(this.#first) > 0) {
      throw this.#wider(this.#first);
    }
  }

  /** The header goes as far, without a name there. */
  #refuseNameless(record: TableRecord, at: number): never {
    const shifted = ` If the cells have moved, one holds ${this.#delimiter()} and must be in double quotes.`;
    return refuseNamelessValue(record, at, this.#header, this.#options, shifted);
  }

  #whyShort(): string | undefined {
    return whyHeaderIsShort({
      header: this.#header,
      rows: this.#wide,
      knows: (name) => this.#options.knows(name),
    });
  }

  #short(why: string): InputError {
    const { line, columns, width } = this.#header;
    const wide = Math.max(...this.#wide.map((cells) => cells.length));
    const place = placeOf(this.#options, line);
    return new InputError(
      `${place}: the header has ${width} cells, and the rows have ${wide}, blank at the end: a delimiter seems to be missing in it. ${why}`,
      {
        details: [`The header: ${showCells(columns)}`, `A row: ${showCells(this.#wide[0] ?? [])}`],
        hint: `Put ${this.#delimiter()} between the two headings. If none is missing, delete the empty cells behind the last heading in every row.`,
      },
    );
  }

  #extra({ cells }: TableRecord): number {
    return Math.max(0, cells.length - this.#header.cells);
  }

  #wider(record: TableRecord): InputError {
    const hint = `A cell that holds ${this.#delimiter()} must be in double quotes. If only empty cells stand behind the last heading, delete their columns and export the file again.`;
    return this.#ragged(record, record.cells.length, this.#header.cells, hint);
  }

  #ragged(record: TableRecord, found: number, width: number, hint: string, why?: string): InputError {
    const blank = found - 1 - record.cells.slice(0, found).findLastIndex((cell) => !isBlankCell(cell));
    const ending =
      blank > 0 && found > width ? ` (the last ${blank === 1 ? 'is' : `${blank} are`} blank)` : '';
    const count = found === 1 ? '1 cell' : `${found} cells${ending}`;
    const place = placeOf(this.#options, record.line);
    return new InputError(`${place}: this row has ${count}, but the header has ${width}.`, {
      details: [`The row: ${showCells(record.cells)}`, ...(why === undefined ? [] : [`The header: ${why}`])],
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
