import type { FileHandle } from 'node:fs/promises';
import type { OpenedInput } from '../../input/read-input.ts';
import type { StoredInput } from '../../input/source/stored-input.ts';
import { readMark } from '../../input/text/decoded-chunks.ts';
import { encodeText, type Encoding, isSingleByte } from '../../input/text/encoding.ts';
import { createRecordWriter } from '../../report/records/record-writer.ts';
import { csvLine } from '../../report/words/csv-text.ts';
import type { WrittenFormat } from '../options/written-file.ts';

/** A row of a list: its columns and cells, and at which places the file had an escape for spreadsheet programs. */
export interface MaskedRow {
  columns: readonly string[];
  cells: readonly unknown[];
  isEscaped: (at: number) => boolean;
}

/** How a CSV file is written. */
export interface CsvStyle {
  delimiter: string;
  quote: string;
  encoding: Encoding;
  byteOrderMark: boolean;
}

const PLAIN: CsvStyle = { delimiter: ',', quote: '"', encoding: 'utf-8', byteOrderMark: false };
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * As a file is. In an encoding of few characters masked ones could not be written, such as an accent on a letter that has
 * none there: that is UTF-8, and says so.
 */
export async function csvStyleOf({ style }: OpenedInput, input: StoredInput): Promise<CsvStyle> {
  if (style.format !== 'csv') return PLAIN;
  const isNarrow = isSingleByte(style.encoding);
  return {
    delimiter: style.delimiter,
    quote: style.quote ?? PLAIN.quote,
    encoding: isNarrow ? 'utf-8' : style.encoding,
    byteOrderMark: isNarrow || (await readMark(input)) !== undefined,
  };
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Writes a masked list. Returns how many rows it has. */
export async function writeMasked(
  file: FileHandle,
  { format, csv }: { format: WrittenFormat; csv: CsvStyle },
  rows: AsyncIterable<MaskedRow>,
): Promise<number> {
  return format === 'csv' ? await writeCsv(file, csv, rows) : await writeRecords(file, format, rows);
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
async function writeCsv(
  file: FileHandle,
  { delimiter, quote, encoding, byteOrderMark }: CsvStyle,
  rows: AsyncIterable<MaskedRow>,
): Promise<number> {
  const write = async (text: string): Promise<void> => await file.writeFile(encodeText(text, encoding));
  let count = 0;
  let pending = byteOrderMark ? BYTE_ORDER_MARK : '';
  for await (const { columns, cells, isEscaped } of rows) {
    if (count === 0) pending += csvLine(columns, delimiter, quote);
    count += 1;
    const values = cells.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell)));
    pending += csvLine(values, delimiter, quote, (at) => NUMBER.test(values[at] ?? '') && !isEscaped(at));
    if (pending.length < CHUNK_CHARACTERS) continue;
    await write(pending);
    pending = '';
  }
  await write(pending);
  return count;
}
