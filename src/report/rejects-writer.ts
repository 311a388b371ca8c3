import { type FileHandle, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EventregError, EXIT, UsageError } from '../errors.ts';
import type { Cell } from '../registration/row.ts';
import { cellText } from './cell-text.ts';
import { csvLine } from './csv-text.ts';
import { visible } from './escape.ts';
import { jsonText } from './json-text.ts';

/** A rejected row as it stood in the user's file; `cells[i]` belongs to `columns[i]`. */
export interface RejectedRow {
  columns: readonly string[];
  cells: readonly Cell[];
  /** Every reason, as one text. */
  errors: string;
}

/** Iterated twice for csv: once to learn the columns, once to write. */
export type RejectedRows = () => Iterable<RejectedRow>;

const ERRORS_COLUMN = '_errors';
const BYTE_ORDER_MARK = '\uFEFF';
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Writes rejected rows in the user's own format, with `_errors` as the last column, ready to be
 * mended and pushed. The file (mode 0600) appears whole or not at all, replacing one of that name.
 * Returns the number of rows. Errors name the path.
 */
export async function writeRejects(
  path: string,
  format: 'csv' | 'json' | 'ndjson',
  delimiter: string,
  rows: RejectedRows,
): Promise<number> {
  await refuseOtherThanFile(path);
  try {
    return await replaceFile(path, formatted(format, delimiter, rows));
  } catch (cause) {
    // What the rows' own source has to say is not about this file.
    if (cause instanceof EventregError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EventregError(
      EXIT.failed,
      `The rejects cannot be written to ${visible(path)}: ${visible(why)}.`,
      {
        cause,
      },
    );
  }
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

/** Pieces of the file, and whether a row ends with each. */
type Pieces = Iterable<{ text: string; row: boolean }>;

async function replaceFile(path: string, pieces: Pieces): Promise<number> {
  const folder = await mkdtemp(join(dirname(path), '.rejects-'));
  try {
    const draft = join(folder, 'draft');
    const file = await open(draft, 'wx', 0o600);
    const count = await writeAndClose(file, pieces);
    await rename(draft, path);
    return count;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeAndClose(file: FileHandle, pieces: Pieces): Promise<number> {
  try {
    return await writePieces(file, pieces);
  } finally {
    await file.close();
  }
}

async function writePieces(file: FileHandle, pieces: Pieces): Promise<number> {
  let count = 0;
  let pending = '';
  for (const { text, row } of pieces) {
    if (row) count += 1;
    pending += text;
    if (pending.length < CHUNK_CHARACTERS) continue;
    await file.writeFile(pending);
    pending = '';
  }
  await file.writeFile(pending);
  await file.sync();
  return count;
}

function formatted(format: 'csv' | 'json' | 'ndjson', delimiter: string, rows: RejectedRows): Pieces {
  if (format === 'csv') return csvPieces(delimiter, rows);
  return format === 'json' ? jsonPieces(rows) : ndjsonPieces(rows);
}

function* csvPieces(delimiter: string, rows: RejectedRows): Pieces {
  const columns = ownColumns(rows);
  yield { text: BYTE_ORDER_MARK + csvLine([...columns, ERRORS_COLUMN], delimiter), row: false };
  for (const row of rows()) {
    const cells = new Map(row.columns.map((column, index) => [column, row.cells[index]]));
    const values = columns.map((column) => cellText(cells.get(column)));
    yield { text: csvLine([...values, row.errors], delimiter), row: true };
  }
}

function ownColumns(rows: RejectedRows): string[] {
  const columns = new Set<string>();
  for (const row of rows()) for (const column of row.columns) columns.add(column);
  columns.delete(ERRORS_COLUMN);
  return [...columns];
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
function rowObject({ columns, cells, errors }: RejectedRow): string {
  const members = columns.flatMap((column, index) =>
    column === ERRORS_COLUMN ? [] : [`${jsonText(column)}:${jsonText(cells[index])}`],
  );
  return `{${[...members, `${jsonText(ERRORS_COLUMN)}:${jsonText(errors)}`].join(',')}}`;
}
