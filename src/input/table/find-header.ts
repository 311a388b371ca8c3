import { headingName } from './table-header.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import type { TableRecord } from '../source/table-record.ts';
import { lineNoun, tableName, type TableOptions } from './table-options.ts';
import { type Answer, answerOf } from '../../registration/model/question.ts';
import { QuestionError } from '../source/question-error.ts';
import { showCells } from '../columns/show-cells.ts';

/** The header is looked for among so many records that are not blank. */
export const HEADER_SEARCH = 20;
/** Cells beyond do not make a record more of a header. */
const MOST_CELLS = 1000;

/** Where the header was found. */
interface HeaderPlace {
  /** Index among the records. */
  at: number;
  /** Said when lines above it are left out. */
  remarks: readonly string[];
}

/**
 * Finds the header among the first records of a table that are not blank, at least one. Throws a
 * QuestionError when more than one may be it.
 */
export function findHeader(records: readonly TableRecord[], options: TableOptions): HeaderPlace {
  const scores = records.map((record) => countKnown(record, options));
  const at = likeliest(records, scores, options);
  const below = records[at + 1];
  if (below !== undefined && scores[at + 1] === countFilled(below) && countFilled(below) >= 2) {
    throw askForHeader('two rows', records, [at + 1, at], options);
  }
  const header = records[at];
  if (at === 0 || header === undefined) return { at, remarks: [] };
  const noun = lineNoun(options);
  const above = header.line - 1;
  const left = above === 1 ? `the ${noun} above it is` : `the ${above} ${noun}s above it are`;
  return { at, remarks: [`The header is ${noun} ${header.line}; ${left} left out.`] };
}

function likeliest(
  records: readonly TableRecord[],
  scores: readonly number[],
  options: TableOptions,
): number {
  const best = Math.max(...scores);
  const [first = 0] = scores;
  if (first >= 1 && first === best) return 0;
  if (best >= 2) {
    const at = scores.indexOf(best);
    if (scores.lastIndexOf(best) === at && isPreamble(records, at)) return at;
    throw askForHeader('several', records, indexesOf(scores, best), options);
  }
  if (isTitle(records, options) || (records.length > 1 && records[0]?.cells.some(isNoText) === true)) {
    throw askForHeader('unknown', records, [widest(records)], options);
  }
  return 0;
}

/** Rows would be as wide as the header itself: those above it are titles and remarks. */
function isPreamble(records: readonly TableRecord[], at: number): boolean {
  const width = filledCells(records, at);
  return records.slice(0, at).every((record) => countFilled(record) < width);
}

/**
 * Whether the first record is narrower than what follows. Rows of a text are as wide as their header,
 * else it is refused for them: so there only a line of one cell, the first, counts as a title.
 */
function isTitle(records: readonly TableRecord[], { ragged }: TableOptions): boolean {
  const width = filledCells(records, 0);
  const narrow = ragged === 'blank' || (width === 1 && headingName(records[0]?.cells[0]) !== '');
  return narrow && filledCells(records, widest(records)) > width;
}

/** Index of the first record with the most filled cells. */
function widest(records: readonly TableRecord[]): number {
  const widths = records.map(countFilled);
  return widths.indexOf(Math.max(...widths));
}

function filledCells(records: readonly TableRecord[], at: number): number {
  const record = records[at];
  return record === undefined ? 0 : countFilled(record);
}

function countFilled({ cells }: TableRecord): number {
  return cells.reduce<number>((count, cell) => (isFilled(cell) ? count + 1 : count), 0);
}

function isFilled(cell: TableRecord['cells'][number]): boolean {
  return headingName(cell) !== '';
}

function isNoText(cell: TableRecord['cells'][number]): boolean {
  return cell instanceof SheetCell;
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

function indexesOf(scores: readonly number[], score: number): number[] {
  return [...scores.keys()].filter((at) => scores[at] === score);
}

/** So many records are shown, from the first on. */
const SHOWN = 5;

/**
 * Asks which record is the header: one of `likely`, the likeliest first, or another of those shown.
 * `why` says what makes it doubtful.
 */
function askForHeader(
  why: 'two rows' | 'several' | 'unknown',
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
    unknown: `the first ${noun} does not look like a header, and no other one holds names that are known.`,
  };
  return new QuestionError([
    {
      text: `${tableName(options)}: ${reasons[why]} Which ${noun} holds the names of the columns?`,
      details: [...shown].map(show),
      answers: [...new Set([...likely, ...shown])].map(answer),
      unlikely: why !== 'two rows',
    },
  ]);
}
