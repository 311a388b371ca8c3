import { ERRORS_COLUMN, NOTES_COLUMN } from '../../registration/model/own-names.ts';
import { csvLine } from '../words/csv-text.ts';
import { rejectedJson, rejectedText } from './rejected-cell.ts';
import { isOwnColumn, type RejectedRow, type RejectedRows, remarksOf } from '../views/rejected-row.ts';
import { jsonText } from '../words/json-text.ts';

/** Pieces of a text file, and whether a row ends with each. */
export type Pieces = Iterable<{ text: string; row: boolean }>;

/** All columns in order of appearance, then the notes, if there are any, and the reasons. */
export function* csvPieces(rows: RejectedRows, delimiter: string, quote: string): Pieces {
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

export function* jsonPieces(rows: RejectedRows): Pieces {
  let before = '[\n  ';
  for (const row of rows()) {
    yield { text: before + rowObject(row), row: true };
    before = ',\n  ';
  }
  yield { text: before.startsWith('[') ? '[]\n' : '\n]\n', row: false };
}

export function* ndjsonPieces(rows: RejectedRows): Pieces {
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
