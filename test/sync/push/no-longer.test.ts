import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { text, workbook } from '../../support/workbook.ts';
import { type Bench, noList, pushBench, visitors } from '../push-bench.ts';

const LINE = /^(\d+) (?:person|people) of the earlier list (?:is|are) not in this one; stays? \(--prune/m;

/** What a push says of those who are no longer in its file; the same in a dry run before. */
async function missing(bench: Bench, file: string, text: string, ...argv: string[]): Promise<number> {
  const path = bench.write(file, text);
  const dry = await bench.push([path, '--dry-run', ...argv]);
  const ended = await bench.push([path, ...argv]);
  for (const { err, summary } of [dry, ended]) {
    expect(Number(LINE.exec(err)?.[1] ?? 0)).toBe(summary.no_longer_in_file.length);
  }
  expect(dry.summary.no_longer_in_file).toEqual(ended.summary.no_longer_in_file);
  return ended.summary.no_longer_in_file.length;
}

const NO_BARCODES = 'First name,Last name,E-mail,Persona\n';
const guest = (name: string, email = name): string => `${name},Doe,${email}@example.com,visitor\n`;

describe('people of an earlier list who are not in this one', () => {
  test('are counted, again and again, until they are there again', async () => {
    const bench = await pushBench();
    expect(await missing(bench, 'a.csv', visitors('A', 'B', 'C', 'D'))).toBe(0);
    expect(await missing(bench, 'a.csv', visitors('A', 'B'))).toBe(2);
    expect(await missing(bench, 'a.csv', visitors('A'))).toBe(3);
    expect(await missing(bench, 'a.csv', visitors('A:Ada', 'E'))).toBe(3);
    expect(await missing(bench, 'a.csv', visitors('A', 'B', 'C', 'D'))).toBe(1);
  });

  test('are counted though it is asked about another whom a row may stand for', async () => {
    const bench = await pushBench();
    const rows = (...all: string[]): string => NO_BARCODES + all.join('');
    await missing(bench, 'a.csv', rows(guest('Ann'), guest('Bo'), guest('Cy'), guest('Di')));
    expect(await missing(bench, 'a.csv', rows(guest('Ann'), guest('Bo', 'other'), guest('Di')))).toBe(1);
  });

  test('are none of other files, and not those whom another file has by now', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', visitors('A', 'B'));
    expect(await missing(bench, 'b.csv', visitors('C'))).toBe(0);
    expect(await missing(bench, 'a.csv', visitors('A'))).toBe(1);
    await missing(bench, 'b.csv', visitors('B', 'C'));
    expect(await missing(bench, 'a.csv', visitors('A'))).toBe(0);
  });

  test('are none of the companions of a row that is rejected this time', async () => {
    const bench = await pushBench();
    const head = 'Barcode,First name,E-mail,Persona,Companion 1 First name,Companion 2 First name\n';
    const rows = (email: string): string =>
      `${head}A,Ada,${email},visitor,Bo,Cy\nD,Di,di@example.com,visitor,Ed,\n`;
    expect(await missing(bench, 'a.csv', rows('ada@example.com'))).toBe(0);
    expect(await missing(bench, 'a.csv', rows('ada@example'), '--invalid', 'skip')).toBe(0);
    const alone = `${head}A,Ada,ada@example,visitor,Bo,Cy\nD,Di,di@example.com,visitor,,\n`;
    expect(await missing(bench, 'a.csv', alone, '--invalid', 'skip')).toBe(0);
    expect(await missing(bench, 'a.csv', alone.replace('ada@example,', 'ada@example.com,'))).toBe(1);
  });

  test('are counted also when the file was named by another path before', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', visitors('A', 'B', 'C'));
    await bench.push([join(bench.directory, 'a.csv')]);
    expect(await missing(bench, 'a.csv', visitors('A'))).toBe(2);
  });

  test('are not those who were deleted since, here or by somebody else', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', visitors('A', 'B', 'C', 'D'));
    await bench.run(['delete', '--barcode', 'B', '--yes']);
    bench.sandbox.remove(bench.kept().find(({ barcode }) => barcode === 'C')?.id ?? '');
    expect(await missing(bench, 'a.csv', visitors('A'))).toBe(1);
  });

  test('are not those whose row is edited, nor those who got a barcode', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', NO_BARCODES + guest('Ann') + guest('Bea') + guest('Cem'));
    expect(
      await missing(bench, 'a.csv', NO_BARCODES + guest('Anna', 'Ann') + guest('Bea'), '--match', 'email'),
    ).toBe(1);
  });

  test('are told only where the rows were compared', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', NO_BARCODES + guest('Ann') + guest('Bea'));
    bench.service.fault = noList;
    expect(await missing(bench, 'a.csv', NO_BARCODES + guest('Ann'), '--yes')).toBe(0);
    bench.service.fault = () => undefined;
    expect(await missing(bench, 'a.csv', NO_BARCODES + guest('Ann'))).toBe(1);
  });

  test('are not told where not all rows are meant, or they are deleted', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', visitors('A', 'B', 'C'));
    expect(await missing(bench, 'a.csv', visitors('A', 'B'), '--only', 'A')).toBe(0);
    expect(await missing(bench, 'a.csv', visitors('A', 'B'), '--prune', '--yes')).toBe(0);
  });

  test('are not those of rejected rows, which are in the file', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', visitors('A', 'B'));
    const text = visitors('A', 'B').replace(/B@|b@/, 'no address ');
    expect(await missing(bench, 'a.csv', text, '--invalid', 'skip')).toBe(0);
  });

  test('are named: masked unless asked for, and in the document', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', visitors('A', 'B'));
    const path = bench.write('a.csv', visitors('A', 'C'));
    const masked = await bench.push([path, '--dry-run']);
    expect(masked.err).toContain(': A•• E•••••• (B)\n');
    const shown = await bench.push([path, '--show-values']);
    expect(shown.err).toContain('1 new, 0 changed, 1 the same, 1 not in the list any more');
    expect(shown.err).toContain(
      '1 person of the earlier list is not in this one; stays (--prune removes them): Ada Example (B)\n',
    );
    const [, b] = bench.kept();
    expect(shown.summary.no_longer_in_file).toEqual([
      { registration_id: b?.id, barcode: 'B', name: 'Ada Example' },
    ]);
  });

  test('are told under another name, where most of an earlier list are in this one', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', visitors('A', 'B', 'C', 'D', 'E'));
    expect(await missing(bench, 'other.csv', visitors('A', 'B', 'X', 'Y'))).toBe(0);
    expect(await missing(bench, 'newer.csv', visitors('A', 'B', 'C', 'D', 'F'))).toBe(1);
    expect(await missing(bench, 'newest.csv', visitors('A', 'B', 'C', 'F', 'G'))).toBe(2);
  });

  test.each([
    ['with barcodes', (...names: string[]): string => visitors(...names)],
    ['without', (...names: string[]): string => NO_BARCODES + names.map((one) => guest(one)).join('')],
  ])('are none of a list that is pushed in turn with this one: %s', async (_, list) => {
    const bench = await pushBench();
    const [office, sponsor] = [list('A', 'B', 'C', 'D'), list('B', 'C', 'D', 'E')];
    const told = [];
    for (const name of ['office', 'sponsor', 'office', 'sponsor'])
      told.push(await missing(bench, `${name}.csv`, name === 'office' ? office : sponsor));
    // Once, as it may be the same list under another name.
    expect(told).toEqual([0, 1, 0, 0]);
    expect(await missing(bench, 'office.csv', list('A', 'B', 'C'))).toBe(0);
    expect(await missing(bench, 'office.csv', list('B', 'C'))).toBe(1);
  });

  test('are told of lists without barcodes, too', async () => {
    const bench = await pushBench();
    await missing(bench, 'a.csv', NO_BARCODES + guest('Ann') + guest('Bea') + guest('Cem'));
    expect(await missing(bench, 'b.csv', NO_BARCODES + guest('Cem') + guest('Ann') + guest('Dan'))).toBe(1);
  });

  test('are told where the list has another name, and a column more', async () => {
    const bench = await pushBench();
    const withCompany = (text: string): string =>
      text
        .replaceAll(/\n(?=.)/g, ',Acme\n')
        .replace(',Acme', ',Company')
        .replace(/\n$/, ',Acme\n');
    await missing(bench, 'a.csv', NO_BARCODES + guest('Ann') + guest('Bea') + guest('Cem'));
    const left = withCompany(NO_BARCODES + guest('Ann') + guest('Cem'));
    expect(await missing(bench, 'b.csv', left, '--match', 'email')).toBe(1);
  });

  test('are not those of a list that only shares some, and not those whom that one has by now', async () => {
    const bench = await pushBench();
    await missing(bench, 'speakers.csv', visitors('S', 'T', 'A'));
    await missing(bench, 'guests.csv', visitors('A', 'B', 'C', 'S'));
    expect(await missing(bench, 'new guests.csv', visitors('A', 'B', 'C'))).toBe(0);
  });

  test('are told of what comes through a pipe by whom it has', async () => {
    const bench = await pushBench();
    const piped = async (text: string): Promise<number> =>
      (await bench.push(['-'], { stdin: Readable.from([text]) })).summary.no_longer_in_file.length;
    expect(await piped(visitors('A', 'B', 'C'))).toBe(0);
    expect(await piped(visitors('A', 'C'))).toBe(1);
    expect(await piped(visitors('X', 'Y'))).toBe(0);
  });

  test.each([
    ['one sheet, whatever its name', ['Guests'], 'List', 1],
    ['other sheets', ['Guests', 'Staff'], 'Guests', 0],
  ])('under another name are told of a workbook of which %s was pushed', async (_, before, now, count) => {
    const bench = await pushBench();
    const push = async (file: string, sheet: string, ...barcodes: string[]) => {
      const [head = '', ...rows] = visitors(...barcodes)
        .trim()
        .split('\n');
      const xml = [head, ...rows]
        .map(
          (line) =>
            `<row>${line
              .split(',')
              .map((value) => text(value))
              .join('')}</row>`,
        )
        .join('');
      const path = join(bench.directory, file);
      writeFileSync(path, workbook({ sheets: [{ name: sheet, xml: `<sheetData>${xml}</sheetData>` }] }));
      return (await bench.push([path])).summary.no_longer_in_file.length;
    };
    for (const [at, sheet] of before.entries())
      await push('a.xlsx', sheet, 'A', 'B', 'C', ...(at === 0 ? [] : ['S']));
    expect(await push('b.xlsx', now, 'A', 'B', 'D')).toBe(count);
  });
});
