import type { FileHandle } from 'node:fs/promises';
import { createRecordWriter } from '../../report/records/record-writer.ts';
import { csvLine } from '../../report/words/csv-text.ts';
import type { WrittenFormat } from '../options/written-file.ts';

/** A row of a list: its columns and cells, and at which places the file had an escape for spreadsheet programs. */
export interface MaskedRow {
  columns: readonly string[];
  cells: readonly unknown[];
  isEscaped: (at: number) => boolean;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Writes a masked list. Returns how many rows it has. */
export async function writeMasked(
  file: FileHandle,
  format: WrittenFormat,
  rows: AsyncIterable<MaskedRow>,
): Promise<number> {
  return format === 'csv' ? await writeCsv(file, rows) : await writeRecords(file, format, rows);
}

async function writeRecords(
  file: FileHandle,
  format: WrittenFormat,
  rows: AsyncIterable<MaskedRow>,
): Promise<number> {
  const stream = file.createWriteStream({ autoClose: false });
  const writer = createRecordWriter({ format, stream, columns: undefined, width: 0, color: false });
  let count = 0;
  for await (const { columns, cells } of rows) {
    // fromEntries defines keys, so that a heading called __proto__ is one like any other.
    await writer.write(Object.fromEntries(columns.map((column, at) => [column, cells[at]])));
    count += 1;
  }
  await writer.end();
  return count;
}

/** A phone number or another number: no program takes more than a number for it. */
const NUMBER = /^[+-][\d ()./-]+$/;

/** As the file had it, a number has no escape: the next push would say that it took it off. */
async function writeCsv(file: FileHandle, rows: AsyncIterable<MaskedRow>): Promise<number> {
  let count = 0;
  let pending = '';
  for await (const { columns, cells, isEscaped } of rows) {
    if (count === 0) pending += csvLine(columns, ',', '"');
    count += 1;
    const values = cells.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell)));
    pending += csvLine(values, ',', '"', (at) => NUMBER.test(values[at] ?? '') && !isEscaped(at));
    if (pending.length < CHUNK_CHARACTERS) continue;
    await file.writeFile(pending);
    pending = '';
  }
  await file.writeFile(pending);
  return count;
}
