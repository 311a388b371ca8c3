import { InputError } from '../../errors.ts';
import { mask } from '../../registration/evidence/mask.ts';
import { showCells } from '../source/shell-word.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';
import type { TableRecord } from '../source/table-record.ts';
import { refuseNamelessValue, type TableHeader } from './table-header.ts';
import { placeOf, type TableOptions } from './table-options.ts';
import { answerOf } from '../../registration/model/question.ts';
import { QuestionError } from '../source/question-error.ts';

const MISSING =
  'Write the cells that are missing, blank ones too; a line break inside a cell must be in double quotes.';

/**
 * Sees to it that the rows of a text are as wide as its header. A row with more cells is refused, and one with more blank
 * ones asked about: a delimiter inside a value may have moved all others by one. Only where two rows or more are all of
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

  /** Throws an InputError for a row that does not fit, or a QuestionError. Sheets leave cells out: there any row does. */
  check(record: TableRecord): void {
    if (this.#options.sheet !== undefined) return;
    const { cells } = record;
    const { width } = this.#header;
    const filled = cells.findLastIndex((cell, at) => at >= width && !isBlank(cell)) + 1;
    if (cells.length < width) throw this.#ragged(record, cells.length, width, MISSING);
    if (filled > 0) {
      if (filled <= this.#header.cells) {
        // The header goes as far, without a name there.
        const shifted = ` If the cells have moved, one holds ${this.#delimiter} and must be in double quotes.`;
        refuseNamelessValue(record, filled - 1, this.#header, this.#options, shifted);
      }
      const hint = `A cell that holds ${this.#delimiter} or a line break must be in double quotes; another delimiter is chosen with --set delimiter.`;
      throw this.#ragged(record, filled, width, hint);
    }
    this.#first ??= record;
    this.#rows += 1;
    const difference = this.#extra(record) - this.#extra(this.#first);
    if (difference !== 0) this.#askAbout(difference > 0 ? record : this.#first);
  }

  /** Called after the last row: a single one shows nothing about the others. */
  end(): void {
    if (this.#rows === 1 && this.#first !== undefined && this.#extra(this.#first) > 0) {
      this.#askAbout(this.#first);
    }
  }

  #extra({ cells }: TableRecord): number {
    return Math.max(0, cells.length - this.#header.cells);
  }

  #askAbout(record: TableRecord): void {
    const { extraCells, recallFile } = this.#options;
    if (extraCells === 'blank') return;
    const { cells, columns } = this.#header;
    const { message, details } = this.#ragged(record, record.cells.length, cells, '');
    const text = `${message} Does a value hold ${this.#delimiter}, so that those behind it have moved, or are the cells behind the last heading nothing?`;
    const blank = answerOf('they are nothing, in every row', 'extraCells', 'blank');
    const isKnown = recallFile?.(columns)['extraCells'] === 'blank';
    throw new QuestionError([{ text, details, answers: [blank], remembered: isKnown ? blank : undefined }]);
  }

  #ragged(record: TableRecord, found: number, width: number, hint: string): InputError {
    const blank = found - 1 - record.cells.slice(0, found).findLastIndex((cell) => !isBlank(cell));
    const ending =
      blank > 0 && found > width ? ` (the last ${blank === 1 ? 'is' : `${blank} are`} blank)` : '';
    const count = found === 1 ? '1 cell' : `${found} cells${ending}`;
    const place = placeOf(this.#options, record.line);
    return new InputError(`${place}: this row has ${count}, but the header has ${width}.`, {
      details: [`The row: ${showCells(record.cells, mask)}`],
      hint,
    });
  }

  get #delimiter(): string {
    return `the delimiter ${this.#options.delimiter ?? ''}`;
  }
}

/** Whether a record holds nothing but white space. */
export function isBlankRecord({ cells }: TableRecord): boolean {
  return cells.every(isBlank);
}

/** Whether a record is a row of blank cells; a line with nothing in it is none. */
export function isEmptyRow(record: TableRecord): boolean {
  return record.cells.length > 1 && isBlankRecord(record);
}
