import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesAndCells, readAll, sourceOf } from './open-text.ts';

/** Letters that make trouble: delimiters, quotes, line ends, blanks, several bytes, apostrophes. */
const cell = fc.string({
  unit: fc.constantFrom('a', 'Ö', '💥', '1', ',', ';', '\t', '|', '"', '\n', '\r', ' ', "'"),
});
const table = fc
  .integer({ min: 1, max: 5 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
  );

interface Writing {
  delimiter: string;
  eol: string;
  quoteAll: boolean;
}

function writeCell(text: string, { delimiter, quoteAll }: Writing): string {
  const needsQuotes = quoteAll || text.includes(delimiter) || /["\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows that come back: blank ones are skipped, our own escape of formulas loses its apostrophe. */
function expectedRows(rows: readonly (readonly string[])[]): unknown[] {
  let line = 2;
  const expected: unknown[] = [];
  for (const cells of rows) {
    if (cells.some((text) => text.trim() !== '')) {
      expected.push([line, ...cells.map((text) => text.replace(/^'(?='*[=+\-@\t\r])/, ''))]);
    }
    line += 1 + countBreaks(cells);
  }
  return expected;
}

function countBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, text) => sum + text.split(/\r\n|\r|\n/).length - 1, 0);
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

test('Rows written as CSV come back the same, with their lines, in whatever chunks', async () => {
  const writing = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    eol: fc.constantFrom('\n', '\r\n', '\r'),
    quoteAll: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(table, writing, fc.array(fc.nat(), { maxLength: 6 }), async (rows, how, cuts) => {
      const header = (rows[0] ?? []).map((_, at) => `column ${at}`);
      const text = [header, ...rows]
        .map((cells) => cells.map((value) => writeCell(value, how)).join(how.delimiter))
        .join(how.eol);
      const source = sourceOf(cutAt(Buffer.from(text), cuts), 'a.csv');
      const input = await readAll(source, { delimiter: how.delimiter });
      expect(linesAndCells(input)).toEqual(expectedRows(rows));
    }),
    { numRuns: 500 },
  );
});

test('The delimiter is found when plain cells do not hold another', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '0', '.', '-'), minLength: 1 });
  const rows = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(word, { minLength: width, maxLength: width }), { maxLength: 6 }));
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(',', ';', '\t', '|'), async (cells, delimiter) => {
      const header = (cells[0] ?? ['x', 'y']).map((_, at) => `c${at}`);
      const text = [header, ...cells].map((row) => row.join(delimiter)).join('\n');
      expect((await readAll(sourceOf([Buffer.from(text)], 'a.csv'))).delimiter).toBe(delimiter);
    }),
  );
});
