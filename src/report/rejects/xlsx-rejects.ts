import { ERRORS_COLUMN, NOTES_COLUMN } from '../../registration/model/own-names.ts';
import type { Cell } from '../../registration/model/row.ts';
import { cut } from '../../registration/model/cut.ts';
import { rejectedText } from './rejected-cell.ts';
import { isOwnColumn, type RejectedRow, type RejectedRows, remarksOf } from '../views/rejected-row.ts';
import { checkColumns, legalSheetName } from '../xlsx/xlsx-limits.ts';
import { type SheetWriter, textCell, type WorkbookCell } from '../xlsx/sheet-writer.ts';
import { GENERAL_FORMAT, type StyleSheet, TEXT_FORMAT } from '../xlsx/style-sheet.ts';
import { workbookCell } from './xlsx-values.ts';
import { columnWidth } from '../xlsx/xlsx-widths.ts';
import { WorkbookWriter } from '../xlsx/workbook-writer.ts';
import type { WriteBytes } from '../xlsx/zip-writer.ts';

export interface RejectsSheet {
  /** Name of the sheet. */
  sheet: string;
  /** Whether the workbook counts days from 1904, as that of the rows does. */
  date1904: boolean;
}

/** What the rows show before any is written. */
interface Survey {
  /** The user's own columns in order of appearance, with texts from the first rows. */
  columns: Map<string, string[]>;
  /** Columns in which texts look like numbers or dates, such as barcodes. */
  asText: Set<string>;
  withNotes: boolean;
  commented: boolean;
}

const SAMPLE = 200;
const REMARK_WIDTH = 60;
/** A cell holds 32,767 characters. */
const LONGEST_REMARK = 30_000;
const LONGEST_COMMENT = 1_000;
/** What a spreadsheet program would take for a number, a date or a formula when it is typed again. */
const LIKE_NUMBER = /^\s*[+\-=.@(]?\s*\d/;

/**
 * Writes the rows as a workbook: cells as they were, wrong ones red and with a comment, `_notes` (if
 * there are any) and `_errors` as the last columns. Returns the number of rows.
 */
export async function writeXlsxRejects(
  write: WriteBytes,
  { sheet: name, date1904 }: RejectsSheet,
  rows: RejectedRows,
): Promise<number> {
  const survey = surveyRows(rows);
  const columns = [...survey.columns.keys()];
  checkColumns(columns);
  const workbook = await WorkbookWriter.open(write, {
    sheets: [{ name: legalSheetName(name), hidden: false, commented: survey.commented }],
    date1904,
  });
  const sheet = await startSheet(workbook, survey);
  let count = 0;
  for (const row of rows()) {
    await sheet.row(rowCells(row, columns, survey, workbook.styles, date1904));
    count += 1;
  }
  await workbook.finish(sheet);
  await workbook.end();
  return count;
}

function surveyRows(rows: RejectedRows): Survey {
  const survey: Survey = { columns: new Map(), asText: new Set(), withNotes: false, commented: false };
  let seen = 0;
  for (const row of rows()) {
    survey.withNotes ||= row.notes !== '';
    survey.commented ||= row.wrong.some(({ column }) => row.columns.includes(column));
    for (const [at, column] of row.columns.entries()) {
      if (!isOwnColumn(column)) surveyCell(survey, column, row.cells[at], seen < SAMPLE);
    }
    seen += 1;
  }
  return survey;
}

function surveyCell(survey: Survey, column: string, cell: Cell | undefined, sampled: boolean): void {
  let sample = survey.columns.get(column);
  if (sample === undefined) {
    sample = [];
    survey.columns.set(column, sample);
  }
  if (sampled) sample.push(rejectedText(cell));
  if (typeof cell === 'string' && LIKE_NUMBER.test(cell)) survey.asText.add(column);
}

async function startSheet(workbook: WorkbookWriter, survey: Survey): Promise<SheetWriter> {
  const { styles } = workbook;
  const own = [...survey.columns].map(([column, texts]) => ({
    width: columnWidth([column, ...texts]),
    style: styles.index(formatOf(column, survey), 'plain'),
  }));
  const remarks = survey.withNotes ? [NOTES_COLUMN, ERRORS_COLUMN] : [ERRORS_COLUMN];
  const told = remarks.map(() => ({ width: REMARK_WIDTH, style: styles.index(GENERAL_FORMAT, 'plain') }));
  const sheet = await workbook.begin({ columns: [...own, ...told], hints: [] });
  const header = styles.index(TEXT_FORMAT, 'header');
  await sheet.row([...survey.columns.keys(), ...remarks].map((column) => textCell(column, header)));
  return sheet;
}

function formatOf(column: string, { asText }: Survey): string {
  return asText.has(column) ? TEXT_FORMAT : GENERAL_FORMAT;
}

function rowCells(
  row: RejectedRow,
  columns: readonly string[],
  survey: Survey,
  styles: StyleSheet,
  date1904: boolean,
): (WorkbookCell | undefined)[] {
  const problems = new Map<string, string>();
  for (const { column, problem } of row.wrong) {
    const before = problems.get(column);
    problems.set(column, cut(before === undefined ? problem : `${before}\n${problem}`, LONGEST_COMMENT));
  }
  const cells = new Map(row.columns.map((column, index) => [column, row.cells[index]]));
  const own = columns.map((column) => {
    const problem = cells.has(column) ? problems.get(column) : undefined;
    const { type, stored, format } = workbookCell(
      cells.get(column),
      formatOf(column, survey),
      styles,
      date1904,
    );
    const style = styles.index(format, problem === undefined ? 'plain' : 'wrong');
    if (type === 'blank' && problem === undefined) return undefined;
    return { type, stored, style, comment: problem };
  });
  const plain = styles.index(GENERAL_FORMAT, 'plain');
  return [
    ...own,
    ...remarksOf(row, survey.withNotes).map(([, text]) => textCell(cut(text, LONGEST_REMARK), plain)),
  ];
}
