import { readFileSync, writeFileSync } from 'node:fs';
import { readParts } from '../report/read-workbook.ts';
import { zip } from './zip.ts';

/** The heading of the column; below it stand small numbers. */
const HEADING = 'Table number';

/** Adds a column of numbers of tables at the end of every line of a file, in which cells may hold line breaks. */
export function addToText(file: string, encoding: 'utf8' | 'latin1', delimiter: string): Promise<void> {
  let quotes = 0;
  const lines = readFileSync(file, encoding).split(/(?<=\n)/);
  const more = lines.map((line, at) => {
    quotes += line.split('"').length - 1;
    const cell = quotes % 2 === 1 ? '' : `${delimiter}${at === 0 ? HEADING : at % 7}`;
    return line.replace(/(?=\r?\n$)/, cell);
  });
  writeFileSync(file, more.join(''), encoding);
  return Promise.resolve();
}

/** Where the heading of one column more goes in a sheet, and the last row that gets a number. */
export interface NewColumn {
  column: string;
  headingRow: number;
  lastRow: number;
}

/** Adds the same to the first sheet of a workbook. */
export async function addToSheet(file: string, { column, headingRow, lastRow }: NewColumn): Promise<void> {
  const parts = await readParts(readFileSync(file));
  const cellFor = (row: number): string => {
    const text = row === headingRow ? HEADING : String(row % 7);
    return `<c r="${column}${row}" t="inlineStr"><is><t>${text}</t></is></c>`;
  };
  const files = [...parts].map(([name, content]) => ({
    name,
    content: name.endsWith('/sheet1.xml')
      ? content.replaceAll(
          /(<row r="(\d+)"[^>]*>.*?)(<\/row>)/gs,
          (whole: string, start: string, row: string, end: string) =>
            Number(row) < headingRow || Number(row) > lastRow ? whole : start + cellFor(Number(row)) + end,
        )
      : content,
  }));
  writeFileSync(file, zip(files));
}
