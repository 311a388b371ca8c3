import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from '../../../src/report/words/data-text.ts';
import { anyText } from '../arbitrary-text.ts';
import { paired } from '../../support/tables.ts';

/** The rule for readers: exactly one apostrophe off an escaped cell. */
function unescape(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

describe('csvCell', () => {
  it.each([
    ['two\nlines', '"two\nlines"'],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['', ''],
    ...paired(`
      plain → plain | O'Neil → O'Neil | 'tis → 'tis | a,b → "a,b" | say "hi" → "say ""hi""" | =1+1 → '=1+1 |
      +49 171 → '+49 171 | -5 → '-5 | @x → '@x | '=1 → ''=1 | ''=1 → '''=1
    `),
  ])('writes %j', (value, cell) => {
    expect(csvCell(value, ',', '"')).toBe(cell);
  });

  it('quotes for the delimiter in use only', () => {
    expect(csvCell('a;b', ';', '"')).toBe('"a;b"');
    expect(csvCell('a,b', ';', '"')).toBe('a,b');
  });
});

describe('csvLine', () => {
  it('ends every record with a newline and quotes a lone empty cell', () => {
    expect(csvLine(['a', '', 'c'], ';', '"')).toBe('a;;c\n');
    expect(csvLine([''], ',', '"')).toBe('""\n');
  });

  it('is read back as the same values, whatever they are', () => {
    // UTF-8 has no lone surrogates, so neither has a CSV file.
    const wellFormed = anyText().map((text) => Buffer.from(text).toString());
    const row = fc.array(wellFormed, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(',', ';', '\t', '|'),
        (rows, delimiter) => {
          const text = rows.map((values) => csvLine(values, delimiter, '"')).join('');
          const options = { delimiter, bom: true, relax_column_count: true, record_delimiter: '\n' };
          const read: string[][] = parse(text, options);
          expect(read.map((values) => values.map((cell) => unescape(cell)))).toEqual(rows);
        },
      ),
      { numRuns: 500 },
    );
  });
});
