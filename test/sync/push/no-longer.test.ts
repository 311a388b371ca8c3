import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bench, noList, pushBench, visitors } from '../push-bench.ts';

const LINE = /^(\d+) (?:person|people) of earlier pushes (?:is|are) no longer in this file; they stay/m;

/** What a push says of those who are no longer in its file; the same in a dry run before. */
async function missing(bench: Bench, file: string, text: string, ...argv: string[]): Promise<number> {
  const path = bench.write(file, text);
  const dry = await bench.push([path, '--dry-run', ...argv]);
  const ended = await bench.push([path, ...argv]);
  for (const { err, summary } of [dry, ended]) {
    expect(Number(LINE.exec(err)?.[1] ?? 0)).toBe(summary.no_longer_in_file);
  }
  expect(dry.summary.no_longer_in_file).toBe(ended.summary.no_longer_in_file);
  return ended.summary.no_longer_in_file;
}

const NO_BARCODES = 'First name,Last name,E-mail,Persona\n';
const guest = (name: string, email = name): string => `${name},Doe,${email}@example.com,visitor\n`;

describe('people of earlier pushes who are no longer in the file', () => {
  test('are counted, again and again, until they are there again', async () => {
    const bench = await pushBench();
    expect(await missing(bench, 'a.csv', visitors('A', 'B', 'C', 'D'))).toBe(0);
    expect(await missing(bench, 'a.csv', visitors('A', 'B'))).toBe(2);
    expect(await missing(bench, 'a.csv', visitors('A'))).toBe(3);
    expect(await missing(bench, 'a.csv', visitors('A:Ada', 'E'))).toBe(3);
    expect(await missing(bench, 'a.csv', visitors('A', 'B', 'C', 'D'))).toBe(1);
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
});
