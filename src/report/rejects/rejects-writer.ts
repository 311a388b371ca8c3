import { stat } from 'node:fs/promises';
import { UsageError } from '../../errors.ts';
import { replaceFile, writePieces } from '../records/replace-file.ts';
import { csvLine, jsonText } from '../words/data-text.ts';
import { visible } from '../words/escape.ts';
import {
  ownCells,
  rejectedJson,
  type RejectedRow,
  type RejectedRows,
  rejectedText,
  type RejectsSurvey,
  remarkColumns,
  remarksOf,
  surveyRows,
  wasOf,
} from './rejected-row.ts';
import { type RejectsSheet, writeXlsxRejects } from './xlsx-rejects.ts';

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

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Writes rejected rows, with `_errors` as the last column, ready to be mended and pushed. The file
 * (mode 0600) appears whole or not at all, replacing one of that name. Returns the number of rows.
 * Errors name the path.
 */
export async function writeRejects(options: RejectsOptions, rows: RejectedRows): Promise<number> {
  const { path, format } = options;
  await refuseOtherThanFile(path);
  const survey = surveyRows(rows);
  await replaceFile(path, async (file) => {
    if (format === 'xlsx') {
      await writeXlsxRejects((bytes) => file.writeFile(bytes), options, survey, rows);
    } else if (format === 'csv') await writePieces(file, csvPieces(options, survey, rows), options.encode);
    else await writePieces(file, format === 'json' ? jsonPieces(rows) : ndjsonPieces(rows));
  });
  return survey.rows;
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

/** All columns in order of appearance, then the notes, if there are any, and the reasons. */
function* csvPieces(
  { delimiter, quote = '"', byteOrderMark }: RejectsOptions,
  survey: RejectsSurvey,
  rows: RejectedRows,
): Generator<string> {
  const columns = [...survey.columns.keys()];
  if (byteOrderMark) yield BYTE_ORDER_MARK;
  yield csvLine([...columns, ...remarkColumns(survey)], delimiter, quote);
  for (const row of rows()) {
    const cells = new Map(ownCells(row));
    const values = columns.map((column) => rejectedText(cells.get(column)));
    const told = remarksOf(row, survey).map(([, text]) => text);
    yield csvLine([...values, ...told], delimiter, quote);
  }
}

function* jsonPieces(rows: RejectedRows): Generator<string> {
  let before = '[\n  ';
  for (const row of rows()) {
    yield before + rowObject(row);
    before = ',\n  ';
  }
  yield before.startsWith('[') ? '[]\n' : '\n]\n';
}

function* ndjsonPieces(rows: RejectedRows): Generator<string> {
  for (const row of rows()) yield `${rowObject(row)}\n`;
}

/** Written by hand: an object would move keys that look like numbers to the front and swallow `__proto__`. */
function rowObject(row: RejectedRow): string {
  const cells = ownCells(row).map(([column, cell]) => [column, rejectedJson(cell)] as const);
  const members = [...cells, ...remarksOf(row, { withNotes: row.notes !== '', withWas: wasOf(row) !== '' })];
  return `{${members.map(([name, value]) => `${jsonText(name)}:${jsonText(value)}`).join(',')}}`;
}
