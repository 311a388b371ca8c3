import { headingName } from './table-header.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import { HEADING_JOINT, type MergedRange, type TableRecord } from '../source/table-record.ts';
import { lineNoun, tableName, type TableOptions } from './table-options.ts';
import { type Answer, answerOf } from '../../registration/model/question.ts';
import { QuestionError } from '../source/question-error.ts';
import { showCells } from '../source/shell-word.ts';
import { coversRow } from './merged-cells.ts';

/** The header is looked for among so many records that are not blank. */
export const HEADER_SEARCH = 20;
/** Cells beyond do not make a record more of a header. */
const MOST_CELLS = 1000;

/** Rows that hold the headings together, as one. */
export interface HeadingRows extends TableRecord {
  /** The first of them; `line` is the last. */
  from: number;
}

/**
 * Finds the header among the first records of a table that are not blank, at least one, with what is said when it is more
 * than a row, or lines above it are left out. Throws a
 * QuestionError when more than one may be it.
 */
export function findHeader(
  all: readonly TableRecord[],
  options: TableOptions,
): { header: HeadingRows; remarks: readonly string[] } {
  const records = joinHeadings(all, options);
  const scores = records.map((record) => countKnown(record, options));
  const at = likeliest(records, scores, options);
  const below = records[at + 1];
  if (below !== undefined && scores[at + 1] === countFilled(below) && countFilled(below) >= 2) {
    throw askForHeader('two rows', records, [at + 1, at], options);
  }
  const header = records[at] as HeadingRows;
  const { from, line } = header;
  const noun = lineNoun(options);
  const rows = `${noun}s ${from} ${line === from + 1 ? 'and' : 'to'} ${line}`;
  const where = `The header is ${from === line ? `${noun} ${line}` : rows}`;
  const above = from === 2 ? `the ${noun} above it is` : `the ${from - 1} ${noun}s above it are`;
  if (at > 0) return { header, remarks: [`${where}; ${above} left out.`] };
  return { header, remarks: from === line ? [] : [`${where}.`] };
}

/**
 * Rows of headings that merged cells hold together, each as one: cells that go on into the next row, or groups above
 * headings that are known, `Contact` above `E-mail` and `Phone`. In a text, rows of known headings that fill each other's gaps.
 */
export function joinHeadings(records: readonly TableRecord[], options: TableOptions): HeadingRows[] {
  const groups: [TableRecord, ...TableRecord[]][] = [];
  for (const record of records) {
    const above = groups.at(-1);
    const last = above?.at(-1);
    if (above !== undefined && last !== undefined && isHeldTogether(last, record, options))
      above.push(record);
    else groups.push([record]);
  }
  return groups.map((rows) => joinRows(rows, options));
}

function isHeldTogether(upper: TableRecord, lower: TableRecord, options: TableOptions): boolean {
  const fillsGap = (one: TableRecord, other: TableRecord): boolean =>
    one.cells.some((cell, at) => isFilled(cell) && !isFilled(other.cells[at]));
  const areKnown = [upper, lower].every((record) => countKnown(record, options) > 0);
  if (areKnown && upper.line + 1 === lower.line && fillsGap(upper, lower) && fillsGap(lower, upper))
    return true;
  const { mergedCells = [] } = options;
  const covering = mergedCells.filter((range) => coversRow(range, upper.line));
  if (covering.some((range) => coversRow(range, lower.line))) return true;
  const isAbove = ({ column, lastColumn, lastRow }: MergedRange): boolean =>
    lastRow + 1 === lower.line &&
    column < lastColumn &&
    lower.cells
      .slice(column, lastColumn + 1)
      .some((cell) => isFilled(cell) && options.knows(headingName(cell)));
  return countFilled(upper) > 1 && covering.some(isAbove);
}

function joinRows(
  rows: readonly [TableRecord, ...TableRecord[]],
  { mergedCells = [] }: TableOptions,
): HeadingRows {
  const [first] = rows;
  const line = rows.at(-1)?.line ?? first.line;
  if (rows.length === 1) return { ...first, from: line };
  const textAt = (row: number, at: number): string =>
    headingName(rows.find((one) => one.line === row)?.cells[at]);
  const names = ({ line: row, cells }: TableRecord, at: number): string[] => {
    if (isFilled(cells[at])) return [textAt(row, at)];
    const over = mergedCells.find(
      (range) => coversRow(range, row) && range.column < at && at <= range.lastColumn,
    );
    return over === undefined ? [] : [textAt(over.row, over.column)];
  };
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const cells = Array.from({ length: width }, (_, at) =>
    // A group alone names no column.
    rows.some((row) => isFilled(row.cells[at]))
      ? [...new Set(rows.flatMap((row) => names(row, at)))].join(HEADING_JOINT)
      : '',
  );
  return { line, from: first.line, cells };
}

function likeliest(
  records: readonly TableRecord[],
  scores: readonly number[],
  options: TableOptions,
): number {
  const best = Math.max(...scores);
  const [first = 0] = scores;
  if (best < 2 && records[0]?.cells.some(isAddress) === true) {
    throw askForHeader('no names', records, [0], options);
  }
  if (first >= 1 && first === best) return 0;
  if (best >= 2) {
    const at = scores.indexOf(best);
    const width = countFilled(records[at]);
    // Rows would be as wide as the header itself: those above it are titles and remarks.
    const isPreamble = records.slice(0, at).every((record) => countFilled(record) < width);
    if (scores.lastIndexOf(best) === at && isPreamble) return at;
    const likely = [...scores.keys()].filter((one) => scores[one] === best);
    throw askForHeader('several', records, likely, options);
  }
  if (
    isTitle(records, options) ||
    (records.length > 1 && records[0]?.cells.some((cell) => cell instanceof SheetCell) === true)
  ) {
    const widths = records.map(countFilled);
    throw askForHeader('unknown', records, [widths.indexOf(Math.max(...widths))], options);
  }
  return 0;
}

/**
 * Whether the first record is narrower than what follows. Rows of a text are as wide as their header,
 * else it is refused for them: so there only a line of one cell, the first, counts as a title.
 */
function isTitle(records: readonly TableRecord[], { sheet }: TableOptions): boolean {
  const width = countFilled(records[0]);
  const narrow = sheet !== undefined || (width === 1 && headingName(records[0]?.cells[0]) !== '');
  return narrow && records.some((record) => countFilled(record) > width);
}

const countFilled = (record: TableRecord | undefined): number => record?.cells.filter(isFilled).length ?? 0;

function isFilled(cell: TableRecord['cells'][number] | undefined): boolean {
  return headingName(cell) !== '';
}

function isAddress(cell: TableRecord['cells'][number]): boolean {
  return typeof cell === 'string' && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell.trim());
}

/** How many different known names a record holds. */
function countKnown({ cells }: TableRecord, options: TableOptions): number {
  const names = new Set(
    cells
      .slice(0, MOST_CELLS)
      .map((cell) => (typeof cell === 'string' ? headingName(cell) : ''))
      .filter((name) => name !== ''),
  );
  return [...names].filter((name) => options.knows(name)).length;
}

/** So many records are shown, from the first on. */
const SHOWN = 5;

/**
 * Asks which record is the header: one of `likely`, the likeliest first, or another of those shown.
 * `why` says what makes it doubtful.
 */
function askForHeader(
  why: 'two rows' | 'several' | 'unknown' | 'no names',
  records: readonly TableRecord[],
  likely: readonly number[],
  options: TableOptions,
): QuestionError {
  const noun = lineNoun(options);
  const shown = new Set([...records.keys()].filter((at) => at < SHOWN || likely.includes(at)));
  const show = (at: number): string => `${noun} ${records[at]?.line}: ${showCells(records[at]?.cells ?? [])}`;
  const answer = (at: number): Answer => answerOf(show(at), 'headerRow', String(records[at]?.line));
  const reasons = {
    'two rows': `the header seems to stand in two ${noun}s, but a column has one name only.`,
    several: `more than one ${noun} may be the header.`,
    'no names': `the first ${noun} seems to be a guest, and no other one holds names that are known.`,
    unknown: `the first ${noun} does not look like a header, and no other one holds names that are known.`,
  };
  const named = [...new Set([...likely, ...shown])].map(answer);
  const none = answerOf(`none: the first ${noun} is a guest`, 'headerRow', '0');
  const answers = {
    'no names': [none, ...named],
    unknown: [...named, none],
    several: named,
    'two rows': named,
  };
  return new QuestionError([
    {
      text: `${tableName(options)}: ${reasons[why]} Which ${noun} holds the names of the columns?`,
      details: [...shown].map(show),
      answers: answers[why],
      unlikely: why === 'several' || why === 'unknown',
    },
  ]);
}
