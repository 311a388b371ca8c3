import * as fc from 'fast-check';
import { writeOds } from 'hucre/ods';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import type { Cell } from '../../../src/registration/model/row.ts';
import { SheetCell } from '../../../src/registration/model/sheet-cell.ts';
import { odsParts, row, table, told, valued } from '../../support/ods.ts';
import { zip } from '../../support/zip.ts';
import { runsOf } from '../../support/night.ts';
import { anyMutations, mutate } from '../mutations.ts';
import { readSheet } from '../open-workbook.ts';

function plain(cell: Cell): unknown {
  if (!(cell instanceof SheetCell)) return cell;
  if (cell.type === 'boolean') return cell.stored === 'true';
  return cell.type === 'number' ? Number(cell.stored) : cell.stored;
}

/** Rows that hold something, up to their last value. */
const byRow = (rows: Iterable<readonly [number, readonly unknown[]]>) =>
  new Map(
    [...rows].flatMap(([line, cells]) => {
      const last = cells.findLastIndex((cell) => cell !== null);
      return last === -1 ? [] : [[line, cells.slice(0, last + 1)] as const];
    }),
  );

test('a spreadsheet that another program wrote reads as what it was made of', async () => {
  const letter = fc.constantFrom(...('aZ0<>&"\'=+ß漢💥_\u00A0'.match(/./gsu) ?? []));
  const words = fc
    .string({ unit: letter, minLength: 1, maxLength: 12 })
    .filter((text) => /[^\s]/u.test(text));
  const value = fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null));
  const rows = fc.array(fc.array(value, { maxLength: 6 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(rows, async (made) => {
      fc.pre(made.flat().some((cell) => cell !== null));
      const bytes = await writeOds({ sheets: [{ name: 'Guests', rows: made }] });
      const read = (await readSheet(bytes, { includeHidden: true })).rows;
      expect(byRow(read.map(([line, ...cells]) => [line, cells.map(plain)]))).toEqual(
        byRow(made.map((cells, at) => [at + 1, cells])),
      );
    }),
    { numRuns: runsOf(60) },
  );
});

test('whatever XML it holds, it is read or refused by name', async () => {
  const xml = table(
    'Guests',
    `<table:table-column table:number-columns-repeated="3" table:visibility="collapse"/>${row(told('a', 'table:number-columns-repeated="2"') + valued('date', 'office:date-value="2026-02-26"'))}${row(valued('time', 'office:time-value="PT26H"'), 'table:number-rows-repeated="3"')}`,
  );
  await fc.assert(
    fc.asyncProperty(anyMutations('<>/="\'&;: 0129PTH'), async (changes) => {
      const tables = mutate(Buffer.from(xml), changes).toString('latin1');
      const read = readSheet(zip(odsParts({ tables })));
      await read.catch((error: unknown) => {
        if (!(error instanceof InputError)) throw error;
        expect(error.message).toMatch(/^guests\.xlsx/);
      });
    }),
    { numRuns: runsOf(300) },
  );
});
