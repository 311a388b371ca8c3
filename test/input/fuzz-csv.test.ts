import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { QuestionError } from '../../src/input/source/question-error.ts';
import { type InputStyle, openInput } from '../../src/input/read-input.ts';
import { storeInput } from '../../src/input/source/stored-input.ts';
import type { Reject, SourceRow } from '../../src/registration/model/row.ts';
import { FOUND_OUT } from '../support/found-out.ts';
import { anyMutations, mutate } from './mutations.ts';
import { sourceOf } from './open-text.ts';
import { readStrictly, type StrictReading, type StrictRecord } from './strict-csv.ts';
import { runsOf } from '../support/night.ts';

type CsvStyle = Extract<InputStyle, { format: 'csv' }>;

/** What reading gave: how the file is read, as far as it came, and rows or an error. */
interface Reading {
  style: InputStyle | undefined;
  rows: SourceRow[];
  rejects: Reject[];
  remarks: readonly string[];
  error: InputError | undefined;
}

const FILE = 'guests.csv';
const FIXTURES = [
  ['carriage-return.csv', 'macintosh.csv', 'pipe.txt', 'semicolon.csv', 'sep-line.csv', 'tab.tsv'],
  ['utf-16be-bom.txt', 'utf-16le-bom.txt', 'utf-16le.txt', 'utf-8-bom.csv', 'utf-8.csv', 'windows-1252.csv'],
].flat();
const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/same-guests/${name}`, import.meta.url));
/** The first rows of each; the second rows with quotes and line breaks. */
const PIECES: readonly Buffer[] = [
  ...FIXTURES.flatMap((name) => {
    const bytes = fixture(name);
    const wide = name.startsWith('utf-16') ? 2 : 1;
    return [bytes.subarray(0, wide * 520), bytes.subarray(0, wide * 1300)];
  }),
  ...[
    'a,b\n1,2\n',
    '"a""b";c\r\n"1\r\n2";3\r\n\r\n;\r\n',
    'sep=|\na|b\n1|"2\n3"\n',
    "a\tb\r'=1\t'-2\r \t\r3\t4",
  ].map((text) => Buffer.from(text)),
  Buffer.from('\uFEFFa;b;\n1;2;\n\n 3 ;"";;;\n'),
];

async function read(bytes: Buffer): Promise<Reading> {
  const reading: Reading = { style: undefined, rows: [], rejects: [], remarks: [], error: undefined };
  try {
    const opened = await openInput(await storeInput(sourceOf([bytes], FILE)), {
      ...FOUND_OUT,
      knows: () => false,
    });
    reading.style = opened.style;
    for await (const { rows, rejects } of opened.batches()) {
      reading.rows.push(...rows);
      reading.rejects.push(...rejects);
    }
    reading.remarks = opened.remarks();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    reading.error = error;
  }
  return reading;
}

/** The text without its byte order mark, by the language's own decoders. */
function decode(bytes: Buffer, { encoding }: CsvStyle): string {
  // With `stream`, lest some versions of Node decode Windows-1252 as Latin-1.
  return new TextDecoder(encoding).decode(bytes, { stream: encoding === 'windows-1252' });
}

function oracle(bytes: Buffer, style: CsvStyle): StrictReading {
  const text = decode(bytes, style);
  const sep = /^"?sep=[^"\r\n]"?(?:\r\n|\r|\n|$)/i.exec(text)?.[0] ?? '';
  return readStrictly(text.slice(sep.length), style.delimiter, '"', sep === '' ? 1 : 2);
}

const isBlank = (text: string): boolean => text.trim() === '';
const isFilled = ({ cells }: StrictRecord): boolean => !cells.every(isBlank);

/** Line and cells of a row as the file has them. */
function asWritten(row: SourceRow): StrictRecord {
  const cells = row.cells.map((cell, at) => row.escaped?.get(at) ?? (cell as string));
  return { line: row.place.line, cells };
}

/** The filled records below the header; what is blank beyond or between its columns is not asked for. */
function below(records: readonly StrictRecord[], count: number, columns: readonly string[]): StrictRecord[] {
  const filled = records.filter(isFilled);
  const header = filled[filled.length - count - 1]?.cells ?? [];
  const named = [...header.keys()].filter((at) => nameIn(header[at] ?? '') !== '');
  expect(named).toHaveLength(columns.length);
  return filled.slice(filled.length - count).map(({ line, cells }) => {
    expect(cells.every((cell, at) => named.includes(at) || isBlank(cell))).toBe(true);
    return { line, cells: named.map((at) => cells[at] ?? '(missing)') };
  });
}

/** What is seen of a heading, without the escape round it and the white space in it. */
function nameIn(heading: string): string {
  const text = /^="((?:[^"]|"")*)"$/.exec(heading)?.[1]?.replaceAll('""', '"');
  return (text ?? heading.replace(/^'(?='*[=+\-@\t\r])/, '')).replace(/[\s\p{Cf}\u0085]/gu, '');
}

function checkRows(reading: Reading, bytes: Buffer): void {
  const { rows, rejects, style } = reading;
  const { records, faultLine } = oracle(bytes, style as CsvStyle);
  expect(faultLine).toBeUndefined();
  const columns = rows[0]?.columns;
  if (columns !== undefined) {
    const again = new Set(rejects.map(({ place }) => place.line));
    const found = below(records, rows.length + rejects.length, columns);
    expect(rows.map(asWritten)).toEqual(found.filter(({ line }) => !again.has(line)));
    // No other row is refused here than the header once more.
    const repeated = found.filter(({ line }) => again.has(line)).map(({ cells }) => cells.map(nameIn));
    expect(repeated).toEqual(rejects.map(() => columns.map(nameIn)));
  }
  checkWidths(records, rows);
  const filled = records.filter(isFilled).length;
  expect(filled).toBe(leftOut(reading) + 1 + rows.length + rejects.length);
}

/** No row is wider than the header, unless two or more are all so. */
function checkWidths(records: readonly StrictRecord[], rows: readonly SourceRow[]): void {
  const byLine = new Map(records.filter(isFilled).map(({ line, cells }) => [line, cells.length]));
  const [first] = rows;
  if (first === undefined) return;
  const widths = rows.map(({ place }) => byLine.get(place.line) ?? 0);
  const isHeader = ({ line, cells }: StrictRecord): boolean =>
    line < first.place.line && cells.filter((cell) => nameIn(cell) !== '').length === first.columns.length;
  const header = records.filter(isHeader).map(({ cells }) => cells.length);
  if (Math.max(...widths) <= Math.max(...header)) return;
  expect([rows.length > 1, new Set(widths).size]).toEqual([true, 1]);
}

/** How many filled lines above the header the remarks tell of. */
function leftOut({ remarks }: Reading): number {
  const told = remarks.map((remark) =>
    /; the (?:line above it is|(\d+) lines above it are) left out/.exec(remark),
  );
  return told.reduce((sum, match) => sum + (match === null ? 0 : Number(match[1] ?? 1)), 0);
}

const WHOLE_FILE =
  /^guests\.csv: (?:the file (?:is empty|holds nothing but white space|has no header line)|this is (?:a|an) .+|this file says .+|the object holds no list .+)\.$/;

function checkRefusal({ error, style }: Reading, bytes: Buffer): void {
  if (error === undefined || WHOLE_FILE.test(error.message)) return;
  const line = /^guests\.csv:(\d+): /.exec(error.message)?.[1];
  if (line === undefined) {
    expect(error).toBeInstanceOf(QuestionError);
    expect(error.message).toMatch(/^guests\.csv: /);
    return;
  }
  expect(Number(line)).toBeGreaterThan(0);
  if (style?.format === 'csv') checkLine(error.message, Number(line), oracle(bytes, style));
}

/** A complaint about quotes or cells must be what the oracle finds in that line. */
function checkLine(message: string, line: number, { records, faultLine }: StrictReading): void {
  if (message.includes('quote')) {
    expect(faultLine).toBe(line);
    return;
  }
  const cells = records.find((record) => record.line === line)?.cells ?? [];
  const width = /: this row has (\d+) cells?(?: \([^)]*\))?, but the header has (\d+)\./.exec(message);
  if (width === null) return expect(message).toMatch(/holds a value, but its header/);
  const [found, wanted] = [Number(width[1]), Number(width[2])];
  expect(found).not.toBe(wanted);
  const lastFilled = cells.findLastIndex((cell) => !isBlank(cell)) + 1;
  expect(found < wanted ? [cells.length] : [cells.length, lastFilled]).toContain(found);
}

const SIGNS = '",;\t|\r\n\'= \x00\xEF\xBB\xBF\xFF\xFE\xC3\xA9\x80\x81[{';
const piece = fc.constantFrom(...PIECES);
const whole = fc.tuple(piece, anyMutations(SIGNS)).map(([bytes, mutations]) => mutate(bytes, mutations));
const spliced = fc
  .tuple(piece, piece, fc.double({ min: 0, max: 1, noNaN: true }), anyMutations(SIGNS))
  .map(([one, other, share, mutations]) => {
    const at = Math.floor(share * one.length);
    return mutate(
      Buffer.concat([one.subarray(0, at), other.subarray(Math.min(at, other.length))]),
      mutations,
    );
  });
const signs = fc
  .string({ unit: fc.constantFrom(...Array.from('a1",;\r\n\'= é')), maxLength: 40 })
  .map((text) => Buffer.from(text));

test.each(FIXTURES)('%s reads as a strict reader reads it', async (name) => {
  const bytes = fixture(name);
  const reading = await read(bytes);
  expect(reading.error).toBeUndefined();
  expect(reading.rows.length).toBeGreaterThan(400);
  checkRows(reading, bytes);
});

test.each([
  ['changed', whole, 1500, 40],
  ['spliced', spliced, 1000, 20],
  ['made of signs', signs, 2000, 100],
])(
  'a damaged CSV text that is %s reads as a strict reader reads it, or is refused by line',
  async (_, texts, numRuns, least) => {
    let read_ = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (bytes) => {
        const reading = await read(bytes);
        if (reading.error !== undefined) checkRefusal(reading, bytes);
        else if (reading.style?.format === 'csv') checkRows(reading, bytes);
        if (reading.error === undefined) read_ += 1;
      }),
      { numRuns: runsOf(numRuns), examples: [[Buffer.from('a;=""\ra')]] },
    );
    expect(read_).toBeGreaterThanOrEqual(runsOf(least));
  },
);
