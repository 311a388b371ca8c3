import { cut } from '../../registration/model/cut.ts';
import {
  columnWidth,
  textCell,
  type WorkbookCell,
  checkColumns,
  legalSheetName,
} from '../xlsx/sheet-writer.ts';
import { GENERAL_FORMAT, TEXT_FORMAT } from '../xlsx/style-sheet.ts';
import { WorkbookWriter } from '../xlsx/workbook-writer.ts';
import type { WriteBytes } from '../xlsx/zip-writer.ts';
import {
  ownCells,
  type RejectedRow,
  type RejectedRows,
  type RejectsSurvey,
  remarkColumns,
  remarksOf,
  NO_VALUE,
  rejectedText,
} from './rejected-row.ts';
import type { Cell } from '../../registration/model/row.ts';
import { DAYS_TO_1904 } from '../../registration/repairs/serial-date.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import { STORED_NUMBER } from '../../registration/repairs/sheet-value.ts';
import { jsonText } from '../words/data-text.ts';
import { escapeQuotes } from '../xlsx/xlsx-escape.ts';

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

/** A value with its number format, before it is known how it looks. */
interface WorkbookValue extends Pick<WorkbookCell, 'type' | 'stored'> {
  format: string;
}

/** What is known of the workbook that it stands in. */
type Workbook = Pick<WorkbookWriter, 'styles' | 'date1904'>;

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?$/;
/** Spreadsheet programs call a file with any other error damaged. */
const ERRORS = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A'];
const DATE_FORMAT = 'yyyy-mm-dd hh:mm:ss';

/**
 * A cell of any input as a workbook stores it, lists and objects as JSON; `format` is that of the texts
 * of its column.
 */
function workbookCell(cell: Cell | undefined, format: string, workbook: Workbook): WorkbookValue {
  if (cell instanceof SheetCell) return sheetValue(cell, workbook) ?? text(rejectedText(cell), TEXT_FORMAT);
  if (typeof cell === 'boolean') return truth(cell);
  if (typeof cell === 'number' && Number.isFinite(cell)) {
    return { type: 'number', stored: String(cell), format: GENERAL_FORMAT };
  }
  if (typeof cell === 'object' && cell !== null) return text(jsonText(cell), TEXT_FORMAT);
  return text(rejectedText(cell), format);
}

function text(value: string, format: string): WorkbookValue {
  return { type: value === '' ? 'blank' : 'text', stored: escapeQuotes(value), format };
}

/** In any format but General, LibreOffice saves a truth value as the number 1 or 0. */
function truth(value: boolean): WorkbookValue {
  return { type: 'boolean', stored: value ? '1' : '0', format: GENERAL_FORMAT };
}

/** Undefined for what would make a spreadsheet program call the file damaged: it is written as text. */
function sheetValue(cell: SheetCell, workbook: Workbook): WorkbookValue | undefined {
  const { type, stored } = cell;
  const format = storedFormat(cell, workbook);
  switch (type) {
    case 'missing':
      return { type: 'error', stored: NO_VALUE, format };
    case 'boolean':
      return truth(rejectedText(cell) === 'TRUE');
    case 'error':
      return ERRORS.includes(stored) ? { type, stored, format } : undefined;
    case 'date':
      return ISO_DATE.test(stored) ? { type, stored, format } : undefined;
    default:
      return STORED_NUMBER.test(stored) ? serialValue(cell, format, workbook) : undefined;
  }
}

/** Numbers keep their digits, and dates their day when the workbook counts from another one. */
function serialValue(cell: SheetCell, format: string, { date1904 }: Workbook): WorkbookValue | undefined {
  const isDate = cell.format.kind === 'date' || cell.format.kind === 'datetime';
  if (!isDate || cell.date1904 === date1904) return { type: 'number', stored: cell.stored, format };
  const serial = Number(cell.stored) + (cell.date1904 ? DAYS_TO_1904 : -DAYS_TO_1904);
  return serial < 0 ? undefined : { type: 'number', stored: String(serial), format };
}

function storedFormat({ format: { code, kind } }: SheetCell, { styles }: Workbook): string {
  if (styles.takes(code)) return code;
  return kind === 'date' || kind === 'datetime' ? DATE_FORMAT : GENERAL_FORMAT;
}
