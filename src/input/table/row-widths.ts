import { InputError } from '../../errors.ts';
import { showCells, showName } from '../columns/show-cells.ts';
import { cellSource, isBlank } from '../../registration/repairs/cell-text.ts';
import type { TableRecord } from '../source/table-record.ts';
import { refuseNamelessValue, type TableHeader } from './table-header.ts';
import { placeOf, type TableOptions } from './table-options.ts';
import { answerOf } from '../../registration/model/question.ts';
import { QuestionError } from '../source/question-error.ts';
import type { Cell } from '../../registration/model/row.ts';
import { conceptsOf, looseName } from '../columns/alias-index.ts';

/** Rows that are looked at for what their columns hold. */
const MOST_LOOKED_AT = 100;
const MISSING =
  'Write the cells that are missing, blank ones too; a line break inside a cell must be in double quotes.';

/**
 * Sees to it that the rows of a text are as wide as its header. A row with more cells is refused, and one with more blank
 * ones asked about: a delimiter inside a value may have moved all others by one. Only where two rows or more are all of
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

  /** Throws an InputError for a row that does not fit, or a QuestionError. Sheets leave cells out: there any row does. */
  check(record: TableRecord): void {
    if (this.#options.sheet !== undefined) return;
    const { cells } = record;
    const { width } = this.#header;
    const filled = cells.findLastIndex((cell, at) => at >= width && !isBlank(cell)) + 1;
    if (cells.length < width) throw this.#ragged(record, cells.length, width, MISSING);
    if (cells.length > width && this.#wide.length < MOST_LOOKED_AT) this.#wide.push(cells);
    if (filled > 0) {
      if (filled <= this.#header.cells) {
        // The header goes as far, without a name there.
        const shifted = ` If the cells have moved, one holds ${this.#delimiter} and must be in double quotes.`;
        refuseNamelessValue(record, filled - 1, this.#header, this.#options, shifted);
      }
      const hint = `A cell that holds ${this.#delimiter} or a line break must be in double quotes; another delimiter is chosen with --set delimiter.`;
      throw this.#ragged(record, filled, width, hint, this.#whyShort());
    }
    this.#first ??= record;
    this.#rows += 1;
    const difference = this.#extra(record) - this.#extra(this.#first);
    if (difference !== 0) this.#askAbout(difference > 0 ? record : this.#first);
  }

  /** Called after the last row: a single one shows nothing about the others. */
  end(): void {
    const [wide] = this.#wide;
    const why = wide === undefined ? undefined : this.#whyShort();
    if (wide !== undefined && why !== undefined) {
      const { line, columns, width } = this.#header;
      const most = Math.max(...this.#wide.map((cells) => cells.length));
      throw new InputError(
        `${placeOf(this.#options, line)}: the header has ${width} cells, and the rows have ${most}, blank at the end: a delimiter seems to be missing in it. ${why}`,
        {
          details: [`The header: ${showCells(columns)}`, `A row: ${showCells(wide)}`],
          hint: `Put ${this.#delimiter} between the two headings. If none is missing, delete the empty cells behind the last heading in every row.`,
        },
      );
    }
    if (this.#rows === 1 && this.#first !== undefined && this.#extra(this.#first) > 0) {
      this.#askAbout(this.#first);
    }
  }

  #whyShort(): string | undefined {
    return whyHeaderIsShort(this.#header, this.#wide, this.#options.knows);
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

  #ragged(record: TableRecord, found: number, width: number, hint: string, why?: string): InputError {
    const blank = found - 1 - record.cells.slice(0, found).findLastIndex((cell) => !isBlank(cell));
    const ending =
      blank > 0 && found > width ? ` (the last ${blank === 1 ? 'is' : `${blank} are`} blank)` : '';
    const count = found === 1 ? '1 cell' : `${found} cells${ending}`;
    const place = placeOf(this.#options, record.line);
    return new InputError(`${place}: this row has ${count}, but the header has ${width}.`, {
      details: [`The row: ${showCells(record.cells)}`, ...(why === undefined ? [] : [`The header: ${why}`])],
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

/**
 * Why a header lacks a delimiter, so that all columns behind it are moved; undefined where nothing shows that. The
 * addresses stand one column behind their heading, or a heading is two, and no addresses behind it are in their place.
 */
function whyHeaderIsShort(
  { columns, positions }: TableHeader,
  rows: readonly (readonly Cell[])[],
  knows: (heading: string) => boolean,
): string | undefined {
  const hasAddresses = (at = -1): boolean =>
    rows.filter((cells) => cellSource(cells[at]).includes('@')).length * 2 > rows.length;
  const two = columns.findIndex((heading, index) => isTwo(heading, knows) && !hasAddresses(positions[index]));
  const mail = columns.findIndex((heading) => conceptsOf(looseName(heading)).includes('email'));
  const place = positions[mail] ?? -2;
  const isMoved = mail >= 0 && !hasAddresses(place) && hasAddresses(place + 1);
  if (!isMoved && (two < 0 || (mail > two && hasAddresses(place)))) return undefined;
  const behind = columns[positions.indexOf(place + 1)] ?? '';
  const moved = isMoved
    ? `What "${showName(columns[mail] ?? '')}" speaks of stands under "${showName(behind)}". `
    : '';
  const joint = columns[two];
  return `${moved}${joint === undefined ? 'One of the headings up to it may be two.' : `"${showName(joint)}" may be two headings.`}`;
}

/** Whether a heading holds two names that are known, without a delimiter: `first_name last_name`. */
function isTwo(heading: string, knows: (heading: string) => boolean): boolean {
  const gaps = knows(heading) ? [] : [...heading.matchAll(/[\s;,|]+/g)];
  return gaps.some(({ index, 0: gap }) =>
    [heading.slice(0, index), heading.slice(index + gap.length)].every((part) => part !== '' && knows(part)),
  );
}
