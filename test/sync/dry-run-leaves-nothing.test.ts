import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pushBench, visitors } from './push-bench.ts';

const BARCODES = Array.from({ length: 400 }, (_, n) => `B${n}`);

/** The journal with its log, wherever in the folder it is. */
function journalFiles(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true }).map(String);
  return names.filter((name) => name.includes('journal.sqlite')).map((name) => join(directory, name));
}

/** Files by which runs are locked. */
const locksIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => /\blocks\W./.test(name));

test.each([
  ['that ends well', []],
  ['that breaks off', ['--only', 'nobody']],
])('A dry run %s leaves neither rows nor room in the journal', async (_, more) => {
  const bench = await pushBench();
  const few = bench.write('few.csv', visitors('A'));
  await bench.push([few, '--dry-run']);
  const sizes = (): number[] => journalFiles(bench.directory).map((file) => statSync(file).size);
  const before = sizes();
  expect(before.length).toBeGreaterThan(0);
  const file = bench.write('guests.csv', visitors(...BARCODES));
  const { code } = await bench.push([file, '--dry-run', ...more]);
  expect(code).toBe(more.length === 0 ? 0 : 2);
  expect(sizes()).toEqual(before);
  expect(journalFiles(bench.directory).some((name) => readFileSync(name).includes('B399'))).toBe(false);
  expect(bench.runs()).toEqual([]);
  expect(locksIn(bench.directory)).toEqual([]);
});

test('What is new is planned alike whether all of it is or not', async () => {
  const bench = await pushBench();
  const file = bench.write('guests.csv', visitors('A', 'B', 'C/A', ':No one'));
  const dry = await bench.push([file, '--dry-run']);
  const run = await bench.push([file]);
  expect(dry.summary).toMatchObject({ state: 'planned' });
  expect(run.summary).toMatchObject({ state: 'finished', created: 4 });
  // Once bases are known, every row is looked at by itself.
  const again = bench.write('more.csv', visitors('A', 'B', 'C/A', ':No one', 'D'));
  expect(JSON.parse((await bench.push([again, '--dry-run', '--diff'])).out)).toMatchObject({
    plan: [{ action: 'create', barcode: 'D' }],
  });
});

test('A dry run knows what was sent of a registration before', async () => {
  const bench = await pushBench({ misstored: 'dropped' });
  await bench.push([bench.write('a.csv', 'persona,barcode,First name,Company\nvisitor,A,Ann,Acme\n')]);
  const file = bench.write('b.csv', 'persona,barcode,First name,Country\nvisitor,A,Ann,NL\n');
  const dry = await bench.push([file, '--dry-run']);
  expect(dry).toMatchObject({ code: 0, summary: { conflict: 0, problems: [] } });
  expect(await bench.push([file])).toMatchObject({ code: 0, summary: { updated: 1 } });
});

test('A dry run settles first what a run before was in doubt about, and shows what a push then does', async () => {
  const bench = await pushBench();
  bench.service.fault = ({ method }) => (method === 'POST' ? { answer: 'cut' } : undefined);
  const first = bench.write(
    'a.csv',
    'persona,E-mail,First name,Last name\nvisitor,eva@example.com,Eva,Curie\n',
  );
  expect(await bench.push([first])).toMatchObject({ code: 5, summary: { uncertain: 1 } });
  bench.service.fault = () => undefined;
  const file = bench.write('b.csv', 'persona,E-mail,First name\nvisitor,eva@example.com,Eva\n');
  const dry = await bench.push([file, '--match', 'email', '--dry-run']);
  expect(dry).toMatchObject({ code: 0, summary: { state: 'planned', to_create: 1, conflict: 0 } });
  expect(await bench.push([file, '--match', 'email'])).toMatchObject({ code: 0, summary: { created: 1 } });
});
