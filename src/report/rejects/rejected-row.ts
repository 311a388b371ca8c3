import { ERRORS_COLUMN, NOTES_COLUMN, OWN_COLUMNS, WAS_COLUMN } from '../../registration/model/own-names.ts';
import type { Cell } from '../../registration/model/row.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import { sheetText } from '../../registration/repairs/sheet-value.ts';
import { cellText, jsonText } from '../words/data-text.ts';

/** A rejected row as it stood in the user's file; `cells[i]` belongs to `columns[i]`. */
export interface RejectedRow {
  columns: readonly string[];
  cells: readonly Cell[];
  /** Every reason, as one text. */
  errors: string;
  /** What push changes in the row, as one text; empty when nothing. */
  notes: string;
  /** Columns with a wrong value, each with what is wrong and how to mend it. */
  wrong: readonly { column: string; problem: string }[];
}

/** Iterated twice: once to learn what there is, once to write. */
export type RejectedRows = () => Iterable<RejectedRow>;

/** What the rows show before any is written. */
export interface RejectsSurvey {
  rows: number;
  /** The user's own columns in order of appearance, with texts from the first rows. */
  columns: ReadonlyMap<string, readonly string[]>;
  /** Columns in which texts look like numbers or dates, such as barcodes. */
  asText: ReadonlySet<string>;
  withNotes: boolean;
  withWas: boolean;
  /** Whether there is a cell to put a comment on. */
  commented: boolean;
}

const SAMPLE = 200;
/** What a spreadsheet program would take for a number, a date or a formula when it is typed again. */
const LIKE_NUMBER = /^\s*[+\-=.@(]?\s*\d/;

export function surveyRows(rows: RejectedRows): RejectsSurvey {
  const columns = new Map<string, string[]>();
  const asText = new Set<string>();
  const survey = { rows: 0, columns, asText, withNotes: false, withWas: false, commented: false };
  for (const row of rows()) {
    survey.withNotes ||= row.notes !== '';
    survey.withWas ||= wasOf(row) !== '';
    survey.commented ||= row.wrong.some(({ column }) => row.columns.includes(column));
    for (const [column, cell] of ownCells(row)) {
      const sample = columns.get(column) ?? [];
      columns.set(column, sample);
      if (survey.rows < SAMPLE) sample.push(rejectedText(cell));
      if (typeof cell === 'string' && LIKE_NUMBER.test(cell)) asText.add(column);
    }
    survey.rows += 1;
  }
  return survey;
}

/** The cells of the user's own columns: those that an earlier push has written are written anew. */
export function ownCells({ columns, cells }: RejectedRow): [column: string, cell: Cell | undefined][] {
  const all = columns.map((column, at): [string, Cell | undefined] => [column, cells[at]]);
  return all.filter(([column]) => !OWN_COLUMNS.includes(column));
}

/** Which of the columns of remarks have anything in them. */
type WithRemarks = Pick<RejectsSurvey, 'withNotes' | 'withWas'>;

/** What people are told about a row, by column; in the order in which the columns stand, after all others. */
export function remarksOf(
  row: RejectedRow,
  { withNotes, withWas }: WithRemarks,
): [column: string, text: string][] {
  return [
    ...(withNotes ? [[NOTES_COLUMN, row.notes] as [string, string]] : []),
    ...(withWas ? [[WAS_COLUMN, wasOf(row)] as [string, string]] : []),
    [ERRORS_COLUMN, row.errors],
  ];
}

/** What the wrong cells hold: tells a later push what they were mended from. Empty where none has a text. */
export function wasOf(row: RejectedRow): string {
  const wrong = new Set(row.wrong.map(({ column }) => column));
  const was = ownCells(row).filter(
    ([column, cell]) => wrong.has(column) && typeof cell === 'string' && cell.trim() !== '',
  );
  return was.length === 0 ? '' : jsonText(Object.fromEntries(was));
}

/** The columns of remarks. */
export const remarkColumns = (survey: RejectsSurvey): string[] =>
  remarksOf({ columns: [], cells: [], wrong: [], notes: '', errors: '' }, survey).map(([column]) => column);

/**
 * Stands for a formula without a stored value: an empty cell would pass as blank when it is pushed back,
 * this error is refused until it is mended.
 */
export const NO_VALUE = '#N/A';

/** A cell as CSV holds it: dates of a workbook as yyyy-mm-dd, its numbers in plain digits. */
export function rejectedText(cell: Cell | undefined): string {
  if (!(cell instanceof SheetCell)) return cellText(cell);
  if (cell.type === 'missing') return NO_VALUE;
  const text = sheetText(cell, 'text');
  return text.ok ? text.value.value : cell.stored;
}

/** A cell as JSON holds it: as in CSV, but with numbers and switches of a workbook as such. */
export function rejectedJson(cell: Cell | undefined): unknown {
  if (!(cell instanceof SheetCell)) return cell;
  const text = rejectedText(cell);
  if (cell.type === 'boolean') return text === 'TRUE';
  const isPlain = cell.type === 'number' && /^(?:0|[1-9]\d{0,14})$/.test(text);
  return isPlain ? Number(text) : text;
}
