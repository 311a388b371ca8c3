import { InputError } from '../../errors.ts';
import type { Cell, Reject } from '../../registration/model/row.ts';
import { alikeName, headingOf } from '../columns/alias-index.ts';
import { madeOnce } from '../../registration/model/maps.ts';
import { showCells, showName } from '../source/shell-word.ts';
import { cellSource } from '../../registration/repairs/cell-text.ts';
import { trimEnds } from '../../registration/repairs/clean-text.ts';
import type { TableRecord } from '../source/table-record.ts';
import { columnAt, lineNoun, placeOf, type TableOptions } from './table-options.ts';

const MOST_COLUMNS = 1000;

/** The header of a table. Columns without a name are left out: their cells must be blank. */
export interface TableHeader {
  line: number;
  /** Names as messages and mappings have them. */
  columns: readonly string[];
  /** For each column its index among the cells of a record. */
  positions: readonly number[];
  /** The same indexes, for asking. */
  named: ReadonlySet<number>;
  /** Cells of the record itself, those without a name included. */
  cells: number;
  /** Cells that a row must have at least: up to the last named column. */
  width: number;
}

/** Reads a record as the header. Throws an InputError on more than 1,000 columns. */
export function readHeader(record: TableRecord, options: TableOptions): TableHeader {
  const names = record.cells.map(headingName);
  const positions = [...names.keys()].filter((at) => names[at] !== '');
  if (positions.length > MOST_COLUMNS) {
    throw new InputError(
      `${placeOf(options, record.line)}: the header has ${positions.length} columns; ${MOST_COLUMNS.toLocaleString('en')} is the most.`,
      { hint: 'Delete the columns that do not belong to the registrations.' },
    );
  }
  const columns = apart(positions.map((at) => names[at] ?? ''));
  const width = (positions.at(-1) ?? -1) + 1;
  return {
    line: record.line,
    columns,
    positions,
    named: new Set(positions),
    cells: record.cells.length,
    width,
  };
}

/** Columns that are called alike are told apart: `Name (1 of 2)`. */
function apart(columns: readonly string[]): readonly string[] {
  const alike = new Map<string, number[]>();
  for (const [at, name] of columns.entries())
    madeOnce(alike, name.toLowerCase(), (): number[] => []).push(at);
  if (alike.size === columns.length) return columns;
  const named = columns.map((name, at) => {
    const all = alike.get(name.toLowerCase()) ?? [at];
    return all.length === 1 ? name : alikeName(name, all.indexOf(at) + 1, all.length);
  });
  return apart(named);
}

/** Refuses a row with a value where no column has a name. `shifted`: what else it may come from. */
export function refuseNamelessValue(
  record: TableRecord,
  at: number,
  header: TableHeader,
  options: TableOptions,
  shifted = '',
): never {
  const before = header.positions.findLastIndex((position) => position < at);
  const neighbour = header.columns[before];
  const where = neighbour === undefined ? '' : ` (after "${showName(neighbour)}")`;
  throw new InputError(
    `${placeOf(options, record.line)}: column ${columnAt(at, options)}${where} holds a value, but its header in ${lineNoun(options)} ${header.line} is empty.`,
    {
      details: [`The ${lineNoun(options)}: ${showCells(record.cells)}`],
      hint: `Give the column a name, or ${shifted === '' ? 'delete it' : 'empty the cell'}.${shifted}`,
    },
  );
}

/** Whether a record is the header once more, as files put together from several have it: nobody is called so. */
export function isHeaderAgain({ cells }: TableRecord, { columns, positions }: TableHeader): boolean {
  return (
    columns.length > 1 &&
    columns.every((name, at) => headingName(cells[positions[at] ?? -1]) === headingOf(name))
  );
}

export function rejectHeaderAgain({ line }: TableRecord, header: TableHeader, options: TableOptions): Reject {
  const { file, sheet } = options;
  const first = placeOf(options, header.line);
  const reason = {
    code: 'header-again' as const,
    problem: `repeats the header of ${first}`,
    remedy: 'delete the row',
    personal: false,
  };
  return { place: { file, sheet, line }, reasons: [reason] };
}

/** White space, and what is as little seen: zero-width characters, soft hyphens, bidi marks. */
const UNSEEN = /^[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]$/;
const trimUnseen = (text: string): string => trimEnds(text, (code) => UNSEEN.test(String.fromCharCode(code)));
const LINE_ENDS = /[\n\v\f\r\u0085\u2028\u2029]+/;

/**
 * A cell as the name of a column: without what is not seen at its ends, and on one line. Numbers and
 * dates of a workbook are named as it stores them. Empty when there is none.
 */
export function headingName(cell: Cell | undefined): string {
  const text = cellSource(typeof cell === 'string' ? unescapeCell(cell) : cell);
  if (!LINE_ENDS.test(text)) return trimUnseen(text);
  return text
    .split(LINE_ENDS)
    .map(trimUnseen)
    .filter((line) => line !== '')
    .join(' ');
}

/** What our own exports put a `'` in front of, lest a spreadsheet program takes it for a formula. */
const ESCAPED_FORMULA = /^'+[=+\-@\t\r]/;
/** A text written as a formula, by which shops keep Excel from making a number of it: `="0049 170 1"`. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;

/** A text without the escape that an export has put round it for spreadsheet programs. */
export function unescapeCell(cell: string): string {
  if (!isEscaped(cell)) return cell;
  const text = TEXT_FORMULA.exec(cell)?.[1];
  return text === undefined ? cell.slice(1) : text.replaceAll('""', '"');
}

/** Whether a cell is a text with such an escape. */
export function isEscaped(cell: Cell | undefined): cell is string {
  if (typeof cell !== 'string' || !(cell.startsWith("'") || cell.startsWith('='))) return false;
  return ESCAPED_FORMULA.test(cell) || TEXT_FORMULA.test(cell);
}
