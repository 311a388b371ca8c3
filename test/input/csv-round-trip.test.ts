import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { encodeText, type Encoding } from '../../src/input/text/encoding.ts';
import { runsOf } from '../support/night.ts';
import { readRecords } from './open-records.ts';

/** Letters that make trouble: delimiters, quotes, line ends, blanks, several bytes, apostrophes. */
const TROUBLE = ['a', 'Ö', '1', ',', ';', '\t', '|', '"', '\n', '\r', ' ', "'"];
const UNICODE = [...TROUBLE, '💥', '山', '\u00A0', '\uFEFF'];

interface Writing {
  encoding: Encoding;
  delimiter: string;
  quote: string;
  eol: string;
  quoteAll: boolean;
  /** Whether a line end stands behind the last row. */
  closed: boolean;
}

const writing: fc.Arbitrary<Writing> = fc.record({
  encoding: fc.constantFrom<Encoding>(
    'utf-8',
    'utf-16le',
    'utf-16be',
    'windows-1252',
    'windows-1250',
    'macintosh',
  ),
  delimiter: fc.constantFrom(',', ';', '\t', '|', '§'),
  quote: fc.constantFrom('"', "'"),
  eol: fc.constantFrom('\n', '\r\n', '\r'),
  quoteAll: fc.boolean(),
  closed: fc.boolean(),
});

function tableOf(units: readonly string[]): fc.Arbitrary<string[][]> {
  const cell = fc.string({ unit: fc.constantFrom(...units) });
  return fc
    .integer({ min: 1, max: 5 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
    );
}

const written = writing.chain((how) => {
  const wide = how.encoding.startsWith('utf');
  return fc.record({ how: fc.constant(how), rows: tableOf(wide ? UNICODE : TROUBLE) });
});

function writeCell(text: string, { delimiter, quote, quoteAll }: Writing): string {
  const needsQuotes = quoteAll || text.includes(delimiter) || text.includes(quote) || /[\r\n]/.test(text);
  return needsQuotes ? `${quote}${text.replaceAll(quote, quote + quote)}${quote}` : text;
}

function writeTable(rows: readonly (readonly string[])[], how: Writing): string {
  const lines = rows.map((cells) => cells.map((text) => writeCell(text, how)).join(how.delimiter));
  return lines.join(how.eol) + (how.closed ? how.eol : '');
}

/** The rows with the lines on which they start. */
function expectedRecords(rows: readonly (readonly string[])[]): unknown[][] {
  let line = 1;
  return rows.map((cells) => {
    const record = [line, ...cells];
    line += 1 + cells.reduce((sum, text) => sum + text.split(/\r\n|\r|\n/).length - 1, 0);
    return record;
  });
}

test('Any table comes back the same, with its lines, in every encoding, in whatever chunks', async () => {
  await fc.assert(
    fc.asyncProperty(written, fc.array(fc.nat(), { maxLength: 6 }), async ({ how, rows }, cuts) => {
      const header = (rows[0] ?? []).map((_, at) => `column ${at}`);
      const mark = how.encoding.startsWith('utf-16') ? '\uFEFF' : '';
      const bytes = encodeText(mark + writeTable([header, ...rows], how), how.encoding);
      const { records } = await readRecords(
        bytes,
        { encoding: how.encoding, delimiter: how.delimiter, quote: how.quote },
        cuts.map((cut) => cut % (bytes.length + 1)),
      );
      const expected = expectedRecords([header, ...rows]);
      // A last row of one empty cell is not to be told from the end of the line before.
      const last = rows.at(-1);
      if (last?.length === 1 && last[0] === '' && !how.quoteAll && !how.closed) expected.pop();
      expect(records).toEqual(expected);
    }),
    { numRuns: runsOf(500) },
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
      expect((await readRecords(text)).survey.dialect?.delimiter).toBe(delimiter);
    }),
  );
});

test('Whatever bytes change, other lines read the same, or a line is named', async () => {
  const text = 'Name;City;"Note"\r\nJosé;Köln;"a;""b"\r\n\r\nMüller;Ulm;"x\r\ny"\r\nAnn;Bonn;\r\n';
  const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) });
  const encoding = fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'windows-1252');
  await fc.assert(
    fc.asyncProperty(
      encoding,
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async (encoding, changes) => {
        const bytes = encodeText(text, encoding);
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
        const outcome = await readRecords(bytes, { format: 'csv' }).catch((error: unknown) => error);
        if (outcome instanceof InputError) expect(outcome.message).toMatch(/^a\.csv(?::\d+)?: /);
        else expect(outcome).toHaveProperty('records');
      },
    ),
    { numRuns: runsOf(2000) },
  );
});

test('A changed letter changes nothing but its own row', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => [`name ${at}`, 'Ulm', `"${at}, x"`].join(','));
  const text = ['a,b,c', ...rows, ''].join('\n');
  const whole = (await readRecords(text)).records;
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 1, max: 127 }), async (at, code) => {
      const bytes = Buffer.from(text);
      const touched = text.slice(0, at).split('\n').length;
      if (text[at] === '\n' || text[at] === '"' || '"\n\r'.includes(String.fromCharCode(code))) return;
      bytes[at] = code;
      const read = await readRecords(bytes, { format: 'csv', delimiter: ',' }).catch(
        (error: unknown) => error,
      );
      if (read instanceof InputError) expect(read.message).toMatch(new RegExp(`^a\\.csv:${touched}: `));
      else {
        const { records } = read as Awaited<ReturnType<typeof readRecords>>;
        expect(records.filter(([line]) => line !== touched)).toEqual(
          whole.filter(([line]) => line !== touched),
        );
      }
    }),
    { numRuns: runsOf(1000) },
  );
});
