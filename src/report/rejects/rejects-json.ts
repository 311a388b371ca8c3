import { jsonText } from '../words/json-text.ts';
import { rejectedJson } from './rejected-cell.ts';
import { isOwnColumn, type RejectedRow, type RejectedRows, remarksOf } from '../views/rejected-row.ts';
import type { Pieces } from './rejects-csv.ts';

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
