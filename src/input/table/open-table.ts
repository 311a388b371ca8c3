import { InputError } from '../../errors.ts';
import { isBlankRecord, isEmptyRow } from './blank-record.ts';
import { findHeader, HEADER_SEARCH } from './find-header.ts';
import type { TableRecord, TableRecords } from '../source/table-record.ts';
import { lineNoun, placeOf, tableName, type TableOptions } from './table-options.ts';

/** The beginning of a table: its header, and the records read along with it. */
interface TableOpening {
  header: TableRecord;
  rest: readonly TableRecord[];
  /** Rows of blank cells below the header that are not among these. */
  emptyRows: number;
  remarks: readonly string[];
}

/**
 * Reads on to the header: the one that the user named, else the one that is found. Throws an InputError
 * when there is none, a QuestionError when it is not clear which record it is.
 */
export async function openTable(records: TableRecords, options: TableOptions): Promise<TableOpening> {
  const { headerRow } = options;
  return headerRow === undefined
    ? await searchHeader(records, options)
    : await takeHeader(records, headerRow, options);
}

async function searchHeader(records: TableRecords, options: TableOptions): Promise<TableOpening> {
  const head: TableRecord[] = [];
  // Rows of blank cells in front of each of them, and at last those behind.
  const empty = [0];
  // Not `for await`, which would end the reading.
  for (let next = await records.next(); next.done !== true; next = await records.next()) {
    for (const record of next.value) {
      if (!isBlankRecord(record)) empty[head.push(record)] = 0;
      else if (isEmptyRow(record)) empty.push((empty.pop() ?? 0) + 1);
    }
    if (head.length >= HEADER_SEARCH) break;
  }
  if (head.length === 0) {
    throw new InputError(`${tableName(options)}: the file has no header line.`, {
      hint: 'The first line must hold the names of the columns.',
    });
  }
  const { at, remarks } = findHeader(head.slice(0, HEADER_SEARCH), options);
  const emptyRows = empty.slice(at + 1).reduce((sum, rows) => sum + rows, 0);
  return { header: head[at] as TableRecord, rest: head.slice(at + 1), emptyRows, remarks };
}

/** The record on the line that the user named. */
async function takeHeader(records: TableRecords, line: number, options: TableOptions): Promise<TableOpening> {
  for (let next = await records.next(); next.done !== true; next = await records.next()) {
    const at = next.value.findIndex((record) => record.line >= line);
    const header = next.value[at];
    if (header === undefined) continue;
    if (header.line !== line || isBlankRecord(header)) break;
    return { header, rest: next.value.slice(at + 1), emptyRows: 0, remarks: [] };
  }
  throw new InputError(
    `${placeOf(options, line)}: no header can stand here: the ${lineNoun(options)} holds nothing, or is not the first of its record.`,
    {
      hint: `Give --set header-row the number of the ${lineNoun(options)} that holds the names of the columns.`,
    },
  );
}
