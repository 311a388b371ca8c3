import { isBlankRecord } from '../table/row-widths.ts';
import { headingName } from '../table/table-header.ts';
import { findHeader, HEADER_SEARCH } from '../table/find-header.ts';
import type { TableRecord } from '../source/table-record.ts';
import type { SheetEntry, Workbook } from './open-workbook.ts';
import { readRecords } from './sheet-records.ts';
import { SheetFindings } from './xlsx-findings.ts';

/** Rows that are counted of a sheet of which nobody knows yet whether it is meant. */
const MOST_COUNTED = 5_000;
const MOST_HEADINGS = 3;

/** How many rows a sheet has, and how its first columns are called: `31 rows: Nr., Anrede, Vorname …`. */
export async function describeSheet(
  workbook: Workbook,
  sheet: SheetEntry,
  knows: (heading: string) => boolean,
): Promise<string> {
  const head: TableRecord[] = [];
  let records = 0;
  try {
    for await (const batch of readRecords(workbook, sheet, false, new SheetFindings())) {
      const filled = batch.filter((record) => !isBlankRecord(record));
      head.push(...filled.slice(0, HEADER_SEARCH - head.length));
      records += filled.length;
      if (records > MOST_COUNTED) break;
    }
  } catch {
    // Whoever chooses it is told what is wrong with it.
    return 'damaged';
  }
  const at = headerOf(head, workbook, sheet, knows);
  const rows = records - at - 1;
  const names = (head[at]?.cells ?? []).map(headingName).filter((name) => name !== '');
  const more = names.length > MOST_HEADINGS ? ' …' : '';
  const count =
    records > MOST_COUNTED
      ? `over ${MOST_COUNTED.toLocaleString('en')} rows`
      : `${rows} ${rows === 1 ? 'row' : 'rows'}`;
  return `${count}: ${names.slice(0, MOST_HEADINGS).join(', ')}${more}`;
}

/** The first record where it is not clear which one it is: that is asked later. */
function headerOf(
  head: readonly TableRecord[],
  workbook: Workbook,
  { name }: SheetEntry,
  knows: (heading: string) => boolean,
): number {
  const { file } = workbook.package.input;
  try {
    const options = {
      file,
      sheet: name,
      headerRow: undefined,
      knows,
      ragged: 'blank',
      delimiter: undefined,
    } as const;
    return findHeader(head, options).at;
  } catch {
    return 0;
  }
}
