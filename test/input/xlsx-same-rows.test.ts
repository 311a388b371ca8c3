import * as fc from 'fast-check';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import type { Cell } from '../../src/registration/model/row.ts';
import { SheetCell } from '../../src/registration/model/sheet-cell.ts';
import { oneSheet, text, workbook } from '../support/workbook.ts';
import { readSheet, type WholeSheet } from './open-workbook.ts';
import { IS_NIGHT, runsOf } from '../support/night.ts';

/** A value as another reader gives it: numbers and truths as such. */
function plain(cell: Cell): unknown {
  if (!(cell instanceof SheetCell)) return cell;
  if (cell.type === 'boolean') return cell.stored === '1';
  return cell.type === 'number' ? Number(cell.stored) : cell.stored;
}

/** Whether a cell makes a row one that is not blank. */
function isFilled(cell: unknown): boolean {
  // A cell of joiners alone shows nothing.
  return typeof cell === 'string' ? /[^\s\u200D]/u.test(cell) : cell !== null && cell !== undefined;
}

/** Rows by number, without what is blank. */
function byRow(rows: Iterable<readonly [number, readonly unknown[]]>): Map<number, unknown[]> {
  const kept = new Map<number, unknown[]>();
  for (const [line, cells] of rows) {
    const last = cells.findLastIndex((cell) => cell !== null && cell !== undefined && cell !== '');
    if (!cells.some(isFilled)) continue;
    if (last !== -1)
      kept.set(
        line,
        cells.slice(0, last + 1).map((cell) => (cell === '' ? null : (cell ?? null))),
      );
  }
  return kept;
}

describe('a workbook that another program wrote', () => {
  // Neither control characters, which XML cannot hold, nor half surrogate pairs.
  const letter = fc.constantFrom(...('aZ0 <>&"\'=+\t\nß漢💥_x\u00A0\u200D'.match(/./gsu) ?? []));
  const words = fc.string({ unit: letter, maxLength: 12 });
  const value = fc.oneof(
    words,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const table = fc.array(fc.array(value, { maxLength: 6 }), { minLength: 1, maxLength: 12 });

  test('reads as its own reader reads it', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        fc.pre(rows.some((row) => row.some(isFilled)));
        const bytes = await writeXlsx({ sheets: [{ name: 'Guests', rows }] });
        const theirs = (await readXlsx(bytes)).sheets[0]?.rows ?? [];
        const ours = (await readSheet(bytes, { includeHidden: true })).rows;
        expect(byRow(ours.map(([line, ...cells]) => [line, cells.map(plain)]))).toEqual(
          byRow(theirs.map((cells, at) => [at + 1, cells])),
        );
      }),
      { numRuns: runsOf(100) },
    );
  });
});

describe('a workbook with one byte changed', () => {
  const small = oneSheet(
    `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row hidden="1"><c s="1"><v>45000</v></c>${text('Zoë')}</row>`,
    {
      strings: '<si><t>Born</t></si><si><t>Name</t></si>',
      styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
    },
  );
  const two = workbook({
    sheets: [
      { name: '_lists', xml: `<sheetData><row>${text('no')}</row></sheetData>` },
      { name: 'Guests', xml: `<sheetData><row>${text('yes')}</row></sheetData>` },
    ],
  });

  /** At night every byte is changed. By day one in three, so that each of the eight bits is met. */
  const STEP = IS_NIGHT ? 1 : 3;

  /** The whole sheet, or the sentence that refuses it. */
  async function read(bytes: Uint8Array): Promise<WholeSheet | string> {
    try {
      return await readSheet(bytes);
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
  }

  test.each([
    ['a small one', small],
    ['one of two sheets', two],
  ])('reads the same or is refused by name: %s, byte by byte', async (_, bytes) => {
    const whole = await read(bytes);
    expect(typeof whole).toBe('object');
    let refused = 0;
    for (let at = 0; at < bytes.length; at += STEP) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      const found = await read(changed);
      if (typeof found === 'string') {
        expect(found).toMatch(/^guests\.xlsx:/);
        refused += 1;
      } else expect(found, `byte ${at} changed`).toEqual(whole);
    }
    // Time stamps, versions and attributes are free; the rest is not.
    expect(refused).toBeGreaterThan(bytes.length / STEP / 3);
  });

  test('and any number of others as well', async () => {
    const change = fc.tuple(fc.nat(small.length - 1), fc.nat(255));
    const whole = await read(small);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(40), async (changes, cut) => {
        const changed = Buffer.from(small.subarray(0, small.length - (cut > 30 ? cut : 0)));
        for (const [at, byte] of changes) if (at < changed.length) changed[at] = byte;
        const found = await read(changed);
        if (typeof found === 'string') expect(found).toMatch(/^guests\.xlsx:/);
        else expect(found).toEqual(whole);
      }),
      { numRuns: runsOf(300) },
    );
  });
});

describe('XML with one character changed', () => {
  // The checksum is right here: only the reader of the XML stands between damage and rows.
  const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><f>1</f><v>2</v></c></row><row r="2">${text('x')}</row>`;

  test('never crashes the reader', async () => {
    const character = fc.constantFrom(...Array.from('<>/"=&;#x0189- ACrstv\u0000é'));
    await fc.assert(
      fc.asyncProperty(fc.nat(rows.length - 1), character, async (at, replacement) => {
        const changed = rows.slice(0, at) + replacement + rows.slice(at + 1);
        const found = await readSheet(oneSheet(changed, { strings: '<si><t>a</t></si>' })).catch(
          (error: unknown) => error,
        );
        if (found instanceof Error) expect(found).toBeInstanceOf(InputError);
      }),
      { numRuns: runsOf(300) },
    );
  });
});
