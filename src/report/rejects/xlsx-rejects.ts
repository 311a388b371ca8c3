import { cut } from '../../registration/model/cut.ts';
import { columnWidth, textCell, type WorkbookCell } from '../xlsx/sheet-writer.ts';
import { GENERAL_FORMAT, TEXT_FORMAT } from '../xlsx/style-sheet.ts';
import { WorkbookWriter } from '../xlsx/workbook-writer.ts';
import { checkColumns, legalSheetName } from '../xlsx/xlsx-limits.ts';
import type { WriteBytes } from '../xlsx/zip-writer.ts';
import {
  ownCells,
  type RejectedRow,
  type RejectedRows,
  type RejectsSurvey,
  remarkColumns,
  remarksOf,
} from './rejected-row.ts';
import { workbookCell } from './xlsx-values.ts';

export interface RejectsSheet {
  /** Name of the sheet. */
  sheet: string;
  /** Whether the workbook counts days from 1904, as that of the rows does. */
  date1904: boolean;
}

const REMARK_WIDTH = 60;
/** A cell holds 32,767 characters. */
const LONGEST_REMARK = 30_000;
const LONGEST_COMMENT = 1_000;

/**
 * Writes the rows as a workbook: cells as they were, wrong ones red and with a comment, `_notes` (if
 * there are any) and `_errors` as the last columns.
 */
export async function writeXlsxRejects(
  write: WriteBytes,
  { sheet: name, date1904 }: RejectsSheet,
  survey: RejectsSurvey,
  rows: RejectedRows,
): Promise<void> {
  checkColumns([...survey.columns.keys()]);
  const workbook = await WorkbookWriter.open(write, {
    sheets: [{ name: legalSheetName(name), commented: survey.commented }],
    date1904,
  });
  const { styles } = workbook;
  const own = [...survey.columns].map(([heading, texts]) => ({
    heading,
    width: columnWidth([heading, ...texts]),
    style: styles.index(formatOf(heading, survey), 'plain'),
  }));
  const style = styles.index(GENERAL_FORMAT, 'plain');
  const told = remarkColumns(survey).map((heading) => ({ heading, width: REMARK_WIDTH, style }));
  const sheet = await workbook.begin({ columns: [...own, ...told] });
  for (const row of rows()) {
    const remarks = remarksOf(row, survey).map(([, text]) => cut(text, LONGEST_REMARK));
    await sheet.row([...rowCells(row, survey, workbook), ...remarks.map((text) => textCell(text, style))]);
  }
  await workbook.end();
}

function formatOf(column: string, { asText }: RejectsSurvey): string {
  return asText.has(column) ? TEXT_FORMAT : GENERAL_FORMAT;
}

function rowCells(
  row: RejectedRow,
  survey: RejectsSurvey,
  workbook: WorkbookWriter,
): (WorkbookCell | undefined)[] {
  const problems = new Map<string, string>();
  for (const { column, problem } of row.wrong) {
    const before = problems.get(column);
    problems.set(column, cut(before === undefined ? problem : `${before}\n${problem}`, LONGEST_COMMENT));
  }
  const cells = new Map(ownCells(row));
  return [...survey.columns.keys()].map((column) => {
    const problem = cells.has(column) ? problems.get(column) : undefined;
    const { type, stored, format } = workbookCell(cells.get(column), formatOf(column, survey), workbook);
    const style = workbook.styles.index(format, problem === undefined ? 'plain' : 'wrong');
    if (type === 'blank' && problem === undefined) return undefined;
    return { type, stored, style, comment: problem };
  });
}
