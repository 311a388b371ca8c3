import { formatPlace } from '../../registration/model/row.ts';
import type { TableRecords } from '../source/table-record.ts';
import type { SheetFindings } from './sheet-findings.ts';
import { SheetRows } from './sheet-rows.ts';
import { damagedWorkbook } from './workbook-damage.ts';

/** A sheet, in the order of the tabs. */
export interface SheetEntry {
  name: string;
  hidden: boolean;
  /** By what `parse` finds its rows, or why there are none, as a clause. */
  part: string | { missing: string };
}

/** A file of sheets, whatever its format. */
export interface Workbook {
  /** What messages call it. */
  file: string;
  /** Those that may have rows. */
  sheets: readonly SheetEntry[];
  /** Whether days are counted from 1904. */
  date1904: boolean;
  /** Reads the part of a sheet into `rows`, in steps, at each of which these may be taken. */
  parse(part: string, rows: SheetRows): AsyncGenerator<void>;
}

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
  const { file } = workbook;
  const { name, part } = sheet;
  if (typeof part !== 'string') throw damagedWorkbook(file, part.missing);
  const place = (line?: number): string =>
    line === undefined ? `${file}:${name}` : formatPlace({ file, sheet: name, line });
  const rows = new SheetRows({ leaveOutHidden, place }, findings);
  for await (const _ of workbook.parse(part, rows)) {
    const records = rows.take();
    if (records.length > 0) yield records;
  }
}
