import type { ChoiceQuestion } from '../../registration/model/question.ts';
import type { Reject, SourceRow } from '../../registration/model/row.ts';
import { isBlankRecord, isEmptyRow, RowWidths } from './row-widths.ts';
import {
  isEscaped,
  isHeaderAgain,
  readHeader,
  refuseNamelessValue,
  rejectHeaderAgain,
  type TableHeader,
  unescapeCell,
} from './table-header.ts';
import type { InputBatch, TableRecord, TableRecords } from '../source/table-record.ts';
import { MergedValues } from './merged-cells.ts';
import { columnAt, lineNoun, placeOf, tableName, type TableOptions } from './table-options.ts';
import { showName } from '../source/shell-word.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';
import { InputError } from '../../errors.ts';
import { findHeader, HEADER_SEARCH, joinHeadings } from './find-header.ts';

export type HeadingAt = (at: number) => string | undefined;

/** The rows of a table whose header is found. */
interface TableRows {
  headerLine: number;
  /** What a column is called, in quotes, by its number. */
  headingAt: HeadingAt;
  /** To be iterated once. Leaving the loop early ends the reading. */
  batches: AsyncGenerator<InputBatch>;
  /** Sentences on how the header was found. */
  remarks: readonly string[];
  /** Rows of blank cells passed over so far, as spreadsheets export what is only formatted. */
  emptyRows: () => number;
  /** What one complete iteration has shown; empty before. */
  questions: () => readonly ChoiceQuestion[];
}

/**
 * The rows of a table. Blank records are skipped. Throws an InputError, naming the line, here or while
 * iterating, at the first record that does not fit; a QuestionError when it is not clear which record
 * is the header.
 */
export async function readTable(source: TableRecords, options: TableOptions): Promise<TableRows> {
  const emptyLines: number[] = [];
  const records = withoutBlank(source, emptyLines);
  try {
    const { header, rest, remarks } = await openTable(records, options);
    const read = readHeader(header, options);
    const widths = new RowWidths(read, options);
    const merged = new MergedValues(options.mergedCells ?? [], header.line, options.merged);
    return {
      headerLine: header.line,
      headingAt: (at) =>
        read.named.has(at) ? `"${showName(read.columns[read.positions.indexOf(at)] ?? '')}"` : undefined,
      batches: readRows(rest, records, { header: read, widths, merged, options }),
      questions: () => merged.questions(tableName(options)),
      remarks,
      emptyRows: () => emptyLines.filter((line) => line > header.line).length,
    };
  } catch (error) {
    await records.return(undefined);
    throw error;
  }
}

interface Reading {
  header: TableHeader;
  widths: RowWidths;
  merged: MergedValues;
  options: TableOptions;
}

async function* readRows(
  first: readonly TableRecord[],
  records: TableRecords,
  reading: Reading,
): AsyncGenerator<InputBatch> {
  try {
    yield* toBatch(first, reading);
    for (let next = await records.next(); next.done !== true; next = await records.next()) {
      yield* toBatch(next.value, reading);
    }
    reading.widths.end();
  } finally {
    await records.return(undefined);
  }
}

function toBatch(
  records: readonly TableRecord[],
  { header, widths, merged, options }: Reading,
): InputBatch[] {
  const rows: SourceRow[] = [];
  const rejects: Reject[] = [];
  for (const one of records) {
    const record = merged.fill(one);
    if (isHeaderAgain(record, header)) rejects.push(rejectHeaderAgain(record, header, options));
    else {
      widths.check(record);
      rows.push(readRow(record, header, options));
    }
  }
  return rows.length + rejects.length === 0 ? [] : [{ rows, rejects }];
}

function readRow(record: TableRecord, header: TableHeader, options: TableOptions): SourceRow {
  refuseNameless(record, header, options);
  const { file, sheet } = options;
  const place = sheet === undefined ? { file, line: record.line } : { file, sheet, line: record.line };
  const cells = header.positions.map((at) => record.cells[at] ?? null);
  const escaped = new Map<number, string>();
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at];
    if (!isEscaped(cell)) continue;
    cells[at] = unescapeCell(cell);
    escaped.set(at, cell);
  }
  const row: SourceRow = { place, columns: header.columns, cells };
  if (escaped.size > 0) row.escaped = escaped;
  const sums = record.aggregates?.map((at) => header.positions.indexOf(at)).filter((at) => at !== -1);
  if (sums !== undefined) row.aggregates = sums;
  if (record.isCaption) row.isCaption = true;
  return row;
}

function refuseNameless(record: TableRecord, header: TableHeader, options: TableOptions): void {
  const at = record.cells.findIndex((cell, index) => !header.named.has(index) && !isBlank(cell));
  if (at >= 0) refuseNamelessValue(record, at, header, options);
}

/** Passes blank records over, and keeps the lines of those of blank cells. */
async function* withoutBlank(records: TableRecords, emptyLines: number[]): TableRecords {
  for await (const batch of records) {
    emptyLines.push(...batch.filter(isEmptyRow).map(({ line }) => line));
    yield batch.filter((record) => !isBlankRecord(record));
  }
}

/**
 * Reads on to the header: the one that the user named, else the one that is found. Throws an InputError
 * when there is none, a QuestionError when it is not clear which record it is.
 */
async function openTable(records: TableRecords, options: TableOptions) {
  const { headerRow } = options;
  const head: TableRecord[] = [];
  const isBehind = (line = 0): boolean => headerRow !== undefined && headerRow > 0 && line <= headerRow;
  // Not `for await`, which would end the reading.
  for (let next = await records.next(); next.done !== true; next = await records.next()) {
    head.push(...next.value);
    if (head.length >= HEADER_SEARCH && !isBehind(head.at(-1)?.line)) break;
  }
  if (headerRow === 0) {
    // Columns without names have numbers, or the letters of a sheet.
    const width = Math.max(0, ...head.map(({ cells }) => cells.length));
    const cells = Array.from({ length: width }, (_, at) => `Column ${columnAt(at, options)}`);
    return { header: { line: 0, cells }, rest: head, remarks: [] };
  }
  if (headerRow === undefined && head.length === 0) {
    throw new InputError(`${tableName(options)}: the file has no header line.`, {
      hint: 'The first line must hold the names of the columns.',
    });
  }
  const { header, remarks } =
    headerRow === undefined
      ? findHeader(head.slice(0, HEADER_SEARCH), options)
      : { header: takeHeader(head, headerRow, options), remarks: [] };
  return { header, rest: head.filter(({ line }) => line > header.line), remarks };
}

/** The rows of headings on the line that the user named. */
function takeHeader(head: readonly TableRecord[], wanted: number, options: TableOptions): TableRecord {
  const header = joinHeadings(head, options).find(({ from, line }) => from <= wanted && wanted <= line);
  if (header !== undefined) return header;
  throw new InputError(
    `${placeOf(options, wanted)}: no header can stand here: the ${lineNoun(options)} holds nothing, or is not the first of its record.`,
    {
      hint: `Give --set header-row the number of the ${lineNoun(options)} that holds the names of the columns.`,
    },
  );
}
