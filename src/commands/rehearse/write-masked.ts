import type { FileHandle } from 'node:fs/promises';
import type { OpenedInput } from '../../input/read-input.ts';
import type { StoredInput } from '../../input/source/stored-input.ts';
import { readMark } from '../../input/text/decoded-chunks.ts';
import { encodeText, type Encoding, isSingleByte } from '../../input/text/encoding.ts';
import { createRecordWriter } from '../../report/records/record-writer.ts';
import { streamInto, writePieces } from '../../report/records/replace-file.ts';
import { csvLine } from '../../report/words/data-text.ts';
import type { WrittenFormat } from '../options/written-file.ts';

/** A row of a list: its columns and cells, and at which places the file had an escape for spreadsheet programs. */
export interface MaskedRow {
  columns: readonly string[];
  cells: readonly unknown[];
  isEscaped: (at: number) => boolean;
}

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

/** Writes a masked list, in a workbook under these columns. Returns how many rows it has. */
export async function writeMasked(
  file: FileHandle,
  { format, csv, columns }: { format: WrittenFormat; csv: CsvStyle; columns: readonly string[] },
  masked: AsyncIterable<MaskedRow>,
): Promise<number> {
  let count = 0;
  async function* rows(): AsyncGenerator<MaskedRow> {
    for await (const row of masked) {
      count += 1;
      yield row;
    }
  }
  if (format === 'csv')
    await writePieces(file, csvPieces(csv, rows()), (text) => encodeText(text, csv.encoding));
  else await writeRecords(file, { format, columns }, rows());
  return count;
}

async function writeRecords(
  file: FileHandle,
  { format, columns }: { format: WrittenFormat; columns: readonly string[] },
  rows: AsyncIterable<MaskedRow>,
): Promise<void> {
  const stream = streamInto(file);
  const writer = createRecordWriter({ format, stream, columns, width: 0, color: false });
  for await (const row of rows) {
    // fromEntries defines keys, so that a heading called __proto__ is one like any other.
    await writer.write(Object.fromEntries(row.columns.map((column, at) => [column, row.cells[at]])));
  }
  await writer.end();
}

/** A phone number or another number: no program takes more than a number for it. */
const NUMBER = /^[+-][\d ()./-]+$/;

/** As the file had it, a number has no escape: the next push would say that it took it off. */
async function* csvPieces(
  { delimiter, quote, byteOrderMark }: CsvStyle,
  rows: AsyncIterable<MaskedRow>,
): AsyncGenerator<string> {
  let head = byteOrderMark ? BYTE_ORDER_MARK : '';
  let isBegun = false;
  for await (const { columns, cells, isEscaped } of rows) {
    if (!isBegun) head += csvLine(columns, delimiter, quote);
    isBegun = true;
    const values = cells.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell)));
    yield head + csvLine(values, delimiter, quote, (at) => NUMBER.test(values[at] ?? '') && !isEscaped(at));
    head = '';
  }
  yield head;
}
