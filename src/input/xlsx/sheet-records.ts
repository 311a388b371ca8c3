import { formatPlace } from '../../registration/model/row.ts';
import type { TableRecords } from '../source/table-record.ts';
import { damagedWorkbook } from './xlsx-damage.ts';
import { SheetFindings } from './xlsx-findings.ts';
import { SHEET_LIMITS } from './sheet-limits.ts';
import { RowsReader } from './xlsx-rows.ts';
import type { SheetEntry, Workbook } from './open-workbook.ts';
import { WorksheetReader } from './xlsx-worksheet.ts';

/**
 * The records of a sheet, some hundreds at a time; what is found on the way goes into `findings`. They
 * are to be used only when the iteration has come to its end: damage may show there.
 */
export async function* readRecords(
  workbook: Workbook,
  sheet: SheetEntry,
  leaveOutHidden: boolean,
  findings: SheetFindings,
): TableRecords {
  const { file } = workbook.package.input;
  const { part } = sheet;
  if (typeof part !== 'string') throw damagedWorkbook(file, part.missing);
  const place = (line?: number): string =>
    line === undefined ? `${file}:${sheet.name}` : formatPlace({ file, sheet: sheet.name, line });
  const hiddenColumns = new Set<number>();
  const rows = new RowsReader(
    {
      ...workbook,
      hiddenColumns,
      leaveOutHidden,
      limits: SHEET_LIMITS,
      place,
    },
    findings,
  );
  const reader = new WorksheetReader(rows, findings, hiddenColumns, (what) => damagedWorkbook(place(), what));
  for await (const _ of workbook.package.parse(part, 'worksheet', reader)) {
    const records = rows.take();
    if (records.length > 0) yield records;
  }
}

/** Whether a sheet holds anything: it is read only until it shows a value. */
export async function isFilled(workbook: Workbook, sheet: SheetEntry): Promise<boolean> {
  for await (const _ of readRecords(workbook, sheet, false, new SheetFindings())) return true;
  return false;
}
