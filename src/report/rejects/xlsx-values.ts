import type { Cell } from '../../registration/model/row.ts';
import { DAYS_TO_1904 } from '../../registration/repairs/serial-date.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import { STORED_NUMBER } from '../../registration/repairs/sheet-value.ts';
import { jsonText } from '../words/json-text.ts';
import { NO_VALUE, rejectedText } from './rejected-row.ts';
import { escapeQuotes } from '../xlsx/xlsx-escape.ts';
import type { WorkbookCell } from '../xlsx/sheet-writer.ts';
import { GENERAL_FORMAT, TEXT_FORMAT } from '../xlsx/style-sheet.ts';
import type { WorkbookWriter } from '../xlsx/workbook-writer.ts';

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
export function workbookCell(cell: Cell | undefined, format: string, workbook: Workbook): WorkbookValue {
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
  const format = formatOf(cell, workbook);
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

function formatOf({ format: { code, kind } }: SheetCell, { styles }: Workbook): string {
  if (styles.takes(code)) return code;
  return kind === 'date' || kind === 'datetime' ? DATE_FORMAT : GENERAL_FORMAT;
}
