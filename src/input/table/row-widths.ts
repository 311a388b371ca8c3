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
    if (this.#options.ragged === 'blank') return;
    const { cells } = record;
    const { width } = this.#header;
    const filled = cells.findLastIndex((cell, at) => at >= width && !isBlank(cell)) + 1;
    if (cells.length < width) throw this.#ragged(record, cells.length, width, MISSING);
    if (cells.length > width && this.#wide.length < MOST_LOOKED_AT) this.#wide.push(cells);
    if (filled > 0) {
      if (filled <= this.#header.cells) {
        // The header goes as far, without a name there.
        const shifted = ` If the cells have moved, one holds ${this.#delimiter()} and must be in double quotes.`;
        refuseNamelessValue(record, filled - 1, this.#header, this.#options, shifted);
      }
      const hint = `A cell that holds ${this.#delimiter()} or a line break must be in double quotes; another delimiter is chosen with --set delimiter.`;
      throw this.#ragged(record, filled, width, hint, this.#whyShort());
    }
    this.#first ??= record;
    this.#rows += 1;
    const difference = this.#extra(record) - this.#extra(this.#first);
    if (difference !== 0) this.#askAbout(difference > 0 ? record : this.#first);
  }

  /** Called after the last row: a single one shows nothing about the others. */
  end(): void {
    const why = this.#wide.length === 0 ? undefined : this.#whyShort();
    if (why !== undefined) throw this.#short(why);
    if (this.#rows === 1 && this.#first !== undefined && this.#extra(this.#first) > 0) {
      this.#askAbout(this.#first);
    }
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

  #askAbout(record: TableRecord): void {
    const { extraCells, recallFile } = this.#options;
    if (extraCells === 'blank') return;
    const { cells, columns } = this.#header;
    const { message, details } = this.#ragged(record, record.cells.length, cells, '');
    const text = `${message} Does a value hold ${this.#delimiter()}, so that those behind it have moved, or are the cells behind the last heading nothing?`;
    const blank = answerOf('they are nothing, in every row', 'extraCells', 'blank');
    const isKnown = recallFile?.(columns)['extraCells'] === 'blank';
    throw new QuestionError([{ text, details, answers: [blank], ...(isKnown ? { remembered: blank } : {}) }]);
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

  #delimiter(): string {
    const { delimiter } = this.#options;
    return `the delimiter${delimiter === undefined ? '' : ` ${delimiter}`}`;
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

/** What values look like of which a heading speaks. */
const LOOKS = new Map<string, RegExp>([
  ['email', /@/],
  ...['phone', 'mobile', 'fax'].map((concept) => [concept, /^[+(]?\d[\d\s()./-]{4,}$/] as const),
  ...['website', 'linkedin'].map((concept) => [concept, /^(?:https?:|www\.)/i] as const),
  ['date_of_birth', /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/],
]);

/** A header, and rows that are wider than it. */
interface Wide {
  header: TableHeader;
  rows: readonly (readonly Cell[])[];
  knows: (heading: string) => boolean;
}

/**
 * Why a header lacks a delimiter, so that all columns behind it are moved; undefined where nothing shows that. The
 * values of which a heading speaks stand in a column behind it, or a heading is two, and nothing behind it says otherwise.
 */
function whyHeaderIsShort(wide: Wide): string | undefined {
  const { columns } = wide.header;
  const moved = columns.findIndex((_, index) => movedTo(index, wide) !== undefined);
  const at = columns.findIndex((_, index) => isTwo(index, wide));
  const two = at < 0 ? '' : `"${showName(columns[at] ?? '')}" may be two headings.`;
  if (moved < 0)
    return at < 0 || columns.some((_, index) => index > at && isInPlace(index, wide)) ? undefined : two;
  const to = movedTo(moved, wide) ?? 0;
  const other = columns[wide.header.positions.indexOf(to)];
  const where = other === undefined ? `in column ${to + 1}` : `under "${showName(other)}"`;
  const which = two === '' ? 'One of the headings up to it may be two.' : two;
  return `What "${showName(columns[moved] ?? '')}" speaks of stands ${where}. ${which}`;
}

/** The place behind its own in which the values stand of which a heading speaks. */
function movedTo(index: number, { header: { columns, positions }, rows }: Wide): number | undefined {
  const look = lookOf(columns[index] ?? '');
  const at = positions[index] ?? 0;
  if (look === undefined || share(rows, at, look) !== 'few') return undefined;
  const most = Math.max(...rows.map((cells) => cells.length)) - (positions.at(-1) ?? 0) - 1;
  const found = Array.from({ length: most }, (_, step) => at + step + 1).find(
    (place) => share(rows, place, look) === 'most',
  );
  const other = found === undefined ? undefined : columns[positions.indexOf(found)];
  return lookOf(other ?? '') === look ? undefined : found;
}

/** Whether the values of which a heading speaks stand under it. */
function isInPlace(index: number, { header: { columns, positions }, rows }: Wide): boolean {
  const look = lookOf(columns[index] ?? '');
  return look !== undefined && share(rows, positions[index] ?? 0, look) === 'most';
}

/** Whether a heading holds two names that are known, without a delimiter: `first_name last_name`. */
function isTwo(index: number, { header: { columns, positions }, rows, knows }: Wide): boolean {
  const heading = columns[index] ?? '';
  if (knows(heading)) return false;
  return [...heading.matchAll(/[\s;,|]+/g)].some(({ index: from, 0: gap }) => {
    const parts = [heading.slice(0, from), heading.slice(from + gap.length)];
    // "Guest e-mail" over addresses is one.
    const look = lookOf(parts[1] ?? '');
    const isOne = look !== undefined && share(rows, positions[index] ?? 0, look) === 'most';
    return !isOne && parts.every((part) => part !== '' && knows(part));
  });
}

function lookOf(heading: string): RegExp | undefined {
  return conceptsOf(looseName(heading))
    .map((concept) => LOOKS.get(concept))
    .find((look) => look !== undefined);
}

/** How many of the cells of a column look so that hold anything. */
function share(rows: readonly (readonly Cell[])[], at: number, look: RegExp): 'none' | 'few' | 'most' {
  const filled = rows.map((cells) => cellSource(cells[at]).trim()).filter((text) => text !== '');
  if (filled.length === 0) return 'none';
  return filled.filter((text) => look.test(text)).length * 2 > filled.length ? 'most' : 'few';
}
