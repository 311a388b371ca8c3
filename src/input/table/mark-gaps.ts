import { isBlankRecord } from './blank-record.ts';
import type { TableRecord, TableRecords } from '../source/table-record.ts';

/** Marks the records that stand behind blank ones. Sheets leave blank rows out: there the numbers show them. */
export async function* markGaps(records: TableRecords, ragged: 'refuse' | 'blank'): TableRecords {
  let gap = false;
  let line = 0;
  const mark = (record: TableRecord): TableRecord => {
    const jumped = ragged === 'blank' && line > 0 && record.line > line + 1;
    const afterGap = gap || jumped;
    gap = isBlankRecord(record);
    line = record.line;
    return afterGap && !gap ? { ...record, afterGap } : record;
  };
  for await (const batch of records) yield batch.map(mark);
}
