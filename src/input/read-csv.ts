import { InputError } from '../errors.ts';
import type { SourceRow } from '../registration/row.ts';
import { type CsvDialect, nameDelimiter } from './csv-dialect.ts';
import { type CsvHeader, readHeader } from './csv-header.ts';
import { type CsvRecord, splitCsv } from './csv-records.ts';
import type { InputBatch } from './input-batch.ts';

/** What our own CSV export puts a `'` in front of, lest a spreadsheet program takes it for a formula. */
const ESCAPED_FORMULA = /^'+[=+\-@\t\r]/;

/**
 * The rows of a CSV text. The first line that is not blank is the header; blank lines, and rows of blank
 * cells only, are skipped. Throws an InputError, naming the line, at the first row that does not fit.
 */
export async function* readCsv(
  text: AsyncIterable<Buffer>,
  file: string,
  dialect: CsvDialect,
): AsyncGenerator<InputBatch> {
  let header: CsvHeader | undefined;
  for await (const records of splitCsv(text, file, dialect)) {
    const rows: SourceRow[] = [];
    for (const record of records) {
      if (record.cells.every(isBlankCell)) continue;
      const unescaped = { line: record.line, cells: record.cells.map(unescapeCell) };
      if (header === undefined) header = readHeader(unescaped, file);
      else rows.push(readRow(unescaped, header, file, dialect));
    }
    if (rows.length > 0) yield { rows, rejects: [] };
  }
  if (header === undefined) {
    throw new InputError(`${file}: the file has no header line.`, {
      hint: 'The first line must hold the names of the columns.',
    });
  }
}

function readRow(record: CsvRecord, header: CsvHeader, file: string, dialect: CsvDialect): SourceRow {
  refuseMisfit(record, header, file, dialect);
  return {
    place: { file, line: record.line },
    columns: header.columns,
    cells: header.gapless
      ? record.cells.slice(0, header.width)
      : header.positions.map((at) => record.cells[at] ?? ''),
  };
}

function refuseMisfit(record: CsvRecord, header: CsvHeader, file: string, dialect: CsvDialect): void {
  const { cells } = record;
  if (cells.length === header.width && header.gapless) return;
  const beyond = cells.findLastIndex((cell, at) => at >= header.width && !isBlankCell(cell));
  if (cells.length < header.width || beyond !== -1) {
    const found = beyond === -1 ? cells.length : beyond + 1;
    throw new InputError(
      `${file}:${record.line}: this row has ${countCells(found)}, but the header has ${header.width}.`,
      {
        hint: `A cell that holds the delimiter ${nameDelimiter(dialect.delimiter)} or a line break must be in double quotes; another delimiter is chosen with --delimiter.`,
      },
    );
  }
  if (!header.gapless) refuseNamelessValue(record, header, file);
}

function refuseNamelessValue(record: CsvRecord, header: CsvHeader, file: string): void {
  const named = new Set(header.positions);
  const at = record.cells.findIndex((cell, index) => !named.has(index) && !isBlankCell(cell));
  if (at === -1) return;
  const neighbour = header.columns[header.positions.findLastIndex((position) => position < at)];
  const where = neighbour === undefined ? '' : ` (after "${neighbour}")`;
  throw new InputError(
    `${file}:${record.line}: column ${at + 1}${where} holds a value, but its header in line ${header.line} is empty.`,
    { hint: 'Give the column a name, or delete it.' },
  );
}

function countCells(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}

function unescapeCell(cell: string): string {
  return cell.charCodeAt(0) === 0x27 && ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell;
}

function isBlankCell(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}
