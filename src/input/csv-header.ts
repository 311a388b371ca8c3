import { InputError } from '../errors.ts';
import type { CsvRecord } from './csv-records.ts';

const MOST_COLUMNS = 1000;

/** The header of a CSV file. Columns without a name are left out: their cells must be blank. */
export interface CsvHeader {
  line: number;
  /** Trimmed names, in order. */
  columns: readonly string[];
  /** For each column its index among the cells of a record. */
  positions: readonly number[];
  /** True when the columns are simply the first cells of a record. */
  gapless: boolean;
  /** Cells that a row must have at least: up to the last named column. */
  width: number;
}

/** Reads a record as the header. Throws an InputError on equal names and on more than 1,000 columns. */
export function readHeader(record: CsvRecord, file: string): CsvHeader {
  const place = `${file}:${record.line}`;
  const names = record.cells.map((cell) => cell.trim());
  const positions = [...names.keys()].filter((at) => names[at] !== '');
  if (positions.length > MOST_COLUMNS) {
    throw new InputError(
      `${place}: the header has ${positions.length} columns; ${MOST_COLUMNS.toLocaleString('en')} is the most.`,
      { hint: 'Delete the columns that do not belong to the registrations.' },
    );
  }
  refuseEqualNames(record.cells, names, positions, place);
  const columns = positions.map((at) => names[at] ?? '');
  const width = (positions.at(-1) ?? -1) + 1;
  return { line: record.line, columns, positions, gapless: width === positions.length, width };
}

function refuseEqualNames(
  cells: readonly string[],
  names: readonly string[],
  positions: readonly number[],
  place: string,
): void {
  const seen = new Map<string, number>();
  const findings: string[] = [];
  for (const at of positions) {
    const key = names[at]?.toLowerCase() ?? '';
    const first = seen.get(key);
    if (first === undefined) seen.set(key, at);
    else
      findings.push(
        `columns ${first + 1} ("${cells[first]}") and ${at + 1} ("${cells[at]}") have the same name.`,
      );
  }
  const [first, ...more] = findings.map((finding) => `${place}: ${finding}`);
  if (first === undefined) return;
  throw new InputError(first, {
    details: more,
    hint: 'Rename one of them, or delete the one that is not needed.',
  });
}
