import { type FileHandle, stat } from 'node:fs/promises';
import { UsageError } from '../../errors.ts';
import { visible } from '../words/escape.ts';
import { type RejectedRows, isOwnColumn, type RejectedRow, remarksOf } from '../views/rejected-row.ts';
import { replaceFile } from '../records/replace-file.ts';
import { type RejectsSheet, writeXlsxRejects } from './xlsx-rejects.ts';
import { ERRORS_COLUMN, NOTES_COLUMN } from '../../registration/model/own-names.ts';
import { csvLine } from '../words/csv-text.ts';
import { rejectedJson, rejectedText } from './rejected-cell.ts';
import { jsonText } from '../words/json-text.ts';

type RejectsFormat = 'csv' | 'json' | 'ndjson' | 'xlsx';

export interface RejectsOptions extends RejectsSheet {
  path: string;
  format: RejectsFormat;
  /** Of csv, as in the file that the rows are from; `"` where it shows no quotes. */
  delimiter: string;
  quote: string | undefined;
  /** Text of csv in the encoding of that file. */
  encode: (text: string) => Buffer;
  byteOrderMark: boolean;
}

const asUtf8 = (text: string): Buffer => Buffer.from(text);

const BYTE_ORDER_MARK = '\uFEFF';
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Writes rejected rows, with `_errors` as the last column, ready to be mended and pushed. The file
 * (mode 0600) appears whole or not at all, replacing one of that name. Returns the number of rows.
 * Errors name the path.
 */
export async function writeRejects(options: RejectsOptions, rows: RejectedRows): Promise<number> {
  const { path } = options;
  await refuseOtherThanFile(path);
  return await replaceFile(path, (file) => writeRows(file, options, rows));
}

/** A rename would replace a device or, on some systems, fail on a folder with a message that helps nobody. */
async function refuseOtherThanFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? 'a folder' : 'not a plain file';
  throw new UsageError(`The rejects cannot be written to ${visible(path)}: it is ${what}.`, {
    hint: 'Name a file: --rejects rejects.csv',
  });
}

async function writeRows(file: FileHandle, options: RejectsOptions, rows: RejectedRows): Promise<number> {
  const { format, delimiter, quote, encode, byteOrderMark } = options;
  switch (format) {
    case 'xlsx':
      return await writeXlsxRejects((bytes) => file.writeFile(bytes), options, rows);
    case 'csv':
      if (byteOrderMark) await file.writeFile(encode(BYTE_ORDER_MARK));
      return await writePieces(file, csvPieces(rows, delimiter, quote ?? '"'), encode);
    default:
      return await writePieces(file, format === 'json' ? jsonPieces(rows) : ndjsonPieces(rows), asUtf8);
  }
}

async function writePieces(
  file: FileHandle,
  pieces: Pieces,
  encode: (text: string) => Buffer,
): Promise<number> {
  let count = 0;
  let pending = '';
  for (const { text, row } of pieces) {
    if (row) count += 1;
    pending += text;
    if (pending.length < CHUNK_CHARACTERS) continue;
    await file.writeFile(encode(pending));
    pending = '';
  }
  await file.writeFile(encode(pending));
  return count;
}

/** Pieces of a text file, and whether a row ends with each. */
type Pieces = Iterable<{ text: string; row: boolean }>;

/** All columns in order of appearance, then the notes, if there are any, and the reasons. */
function* csvPieces(rows: RejectedRows, delimiter: string, quote: string): Pieces {
  const { columns, withNotes } = survey(rows);
  const remarks = withNotes ? [NOTES_COLUMN, ERRORS_COLUMN] : [ERRORS_COLUMN];
  yield { text: csvLine([...columns, ...remarks], delimiter, quote), row: false };
  for (const row of rows()) {
    const cells = new Map(row.columns.map((column, index) => [column, row.cells[index]]));
    const values = columns.map((column) => rejectedText(cells.get(column)));
    const told = remarksOf(row, withNotes).map(([, text]) => text);
    yield { text: csvLine([...values, ...told], delimiter, quote), row: true };
  }
}

function survey(rows: RejectedRows): { columns: readonly string[]; withNotes: boolean } {
  const columns = new Set<string>();
  let withNotes = false;
  for (const row of rows()) {
    for (const column of row.columns) columns.add(column);
    withNotes ||= row.notes !== '';
  }
  return { columns: [...columns].filter((column) => !isOwnColumn(column)), withNotes };
}

function* jsonPieces(rows: RejectedRows): Pieces {
  let before = '[\n  ';
  for (const row of rows()) {
    yield { text: before + rowObject(row), row: true };
    before = ',\n  ';
  }
  yield { text: before.startsWith('[') ? '[]\n' : '\n]\n', row: false };
}

function* ndjsonPieces(rows: RejectedRows): Pieces {
  for (const row of rows()) yield { text: `${rowObject(row)}\n`, row: true };
}

/** Written by hand: an object would move keys that look like numbers to the front and swallow `__proto__`. */
function rowObject(row: RejectedRow): string {
  const cells = row.columns.flatMap((column, index) =>
    isOwnColumn(column) ? [] : [member(column, rejectedJson(row.cells[index]))],
  );
  const told = remarksOf(row, row.notes !== '').map(([column, text]) => member(column, text));
  return `{${[...cells, ...told].join(',')}}`;
}

function member(name: string, value: unknown): string {
  return `${jsonText(name)}:${jsonText(value)}`;
}
