import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakePrompt } from '../support/fake-runtime.ts';
import { type Bench, pushBench } from './push-bench.ts';

const HEAD = 'First name,Last name,E-Mail,Companion 1 First name,Companion 1 Last name';
const ANA = 'Ana,Gil,ana@example.com,Ben,Gil';
const BO = 'Bo,Ek,bo@example.com,Cy,Ek';
const DI = 'Di,Fox,di@example.com,,';
const MENDED = [ANA.replace('ana@', 'anna@'), BO];
const ARGV = ['--persona', 'visitor', '--set', 'make-barcodes=true'];

async function push(bench: Bench, rows: readonly string[], argv: readonly string[] = ARGV) {
  return await bench.push([bench.write('a.csv', [HEAD, ...rows, ''].join('\n')), ...argv]);
}

const names = (bench: Bench): string[] =>
  bench.sandbox
    .registrations()
    .map(({ fields }) => String((fields as Record<string, unknown>)['first_name']))
    .sort();

test('Rows with companions get a barcode, and no others do', async () => {
  const bench = await pushBench();
  const { code, summary } = await push(bench, [ANA, BO, DI]);
  expect([code, summary.sent]).toEqual([0, 5]);
  expect(names(bench)).toEqual(['Ana', 'Ben', 'Bo', 'Cy', 'Di']);
  const kept = bench.sandbox.registrations();
  const parent = (name: string) =>
    kept.find(({ fields }) => (fields as Record<string, unknown>)['first_name'] === name);
  expect(parent('Ana')?.barcode).toMatch(/^GUEST-/);
  expect(parent('Ben')?.parentBarcode).toBe(parent('Ana')?.barcode);
  expect(parent('Di')?.barcode).not.toMatch(/^GUEST-/);
});

test('The same people in another order, and with mended names, are the same registrations', async () => {
  const bench = await pushBench();
  await push(bench, [ANA, BO, DI]);
  const again = await push(bench, [DI, BO, ANA]);
  expect([again.code, again.summary.sent, again.summary.unchanged]).toEqual([0, 0, 5]);
  const mended = await push(bench, [DI, BO, ANA.replace('Ana,Gil', 'Anna,Gil')]);
  expect([mended.code, mended.summary.updated, mended.summary.created]).toEqual([0, 1, 0]);
  expect(names(bench)).toEqual(['Anna', 'Ben', 'Bo', 'Cy', 'Di']);
});

test('A mended e-mail is a conflict that names the barcode, rather than registered twice', async () => {
  const bench = await pushBench();
  await push(bench, [ANA, BO]);
  const { code, summary, err } = await push(bench, MENDED);
  expect([code, summary.sent, summary.unchanged, summary.conflict]).toEqual([3, 0, 2, 2]);
  const [, barcode = ''] = /to change it, write its barcode (GUEST-\S+) into the row/.exec(err) ?? [];
  const told = bench.write('a.csv', `Barcode,${HEAD}\n${barcode},${MENDED[0]}\n,${BO}\n`);
  const mended = await bench.push([told, ...ARGV]);
  expect([mended.code, mended.summary.created, mended.summary.updated]).toEqual([0, 0, 1]);
  expect(names(bench)).toEqual(['Ana', 'Ben', 'Bo', 'Cy']);
  // What the barcode was made from is still not what it would be made from now.
  const again = await push(bench, MENDED);
  expect([again.code, again.summary.sent]).toEqual([3, 0]);
});

test('--match email gives nobody another barcode', async () => {
  const bench = await pushBench();
  await push(bench, [ANA, BO]);
  const before = bench.kept().map(({ barcode }) => barcode);
  const { summary } = await push(bench, MENDED, [...ARGV, '--match', 'email']);
  expect([summary.conflict, summary.created]).toEqual([1, 0]);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(before);
});

test('Without e-mails a mended name is a conflict, and so it is in a dry run', async () => {
  const bench = await pushBench();
  const bare = ANA.replace('ana@example.com', '');
  await push(bench, [bare]);
  for (const argv of [[...ARGV, '--dry-run'], ARGV]) {
    const { code, summary } = await push(bench, [bare.replace('Ana,', 'Anna,')], argv);
    expect([code, summary.conflict]).toEqual([3, 2]);
  }
  expect(names(bench)).toEqual(['Ana', 'Ben']);
});

test('A guest whose companion stays at home is still the same registration', async () => {
  const bench = await pushBench();
  await push(bench, [ANA, BO]);
  const { code, summary } = await push(bench, ['Ana,Gil,ana@example.com,,', BO]);
  expect([code, summary.created]).toEqual([0, 0]);
  const nameless = await pushBench();
  await push(nameless, [ANA.replace('ana@example.com', '')]);
  const alone = await push(nameless, ['Ana,Gil,,,']);
  expect([alone.code, alone.summary.created, nameless.kept().length]).toEqual([0, 0, 2]);
});

test('Two people with one e-mail get no barcode in common, and nobody is overwritten', async () => {
  const bench = await pushBench();
  const { code, summary } = await push(bench, [ANA, ANA.replace('Ana', 'Eva').replace('Ben', 'Fe')]);
  expect([code, summary.sent]).toEqual([3, 0]);
});

test('A row that has a barcode keeps it, and one without e-mail and name gets none', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', `Barcode,${HEAD}\nA1,${ANA}\n,,,,Cy,Ek\n`);
  const { code, summary, err } = await bench.push([file, ...ARGV, '--invalid', 'skip']);
  expect([code, summary.sent]).toEqual([3, 2]);
  expect(err).toContain('nor an e-mail or a name to make one from');
  expect(bench.kept()[0]?.barcode).toBe('A1');
});

test('At a terminal it is asked, and elsewhere the remedy names the flag', async () => {
  const bench = await pushBench();
  const refused = await push(bench, [ANA, BO], ['--persona', 'visitor']);
  expect(refused.err).toContain('let one be made with --set make-barcodes=true');
  const { prompt, asked } = fakePrompt({ 'no barcode to tie them to': 'make barcodes' });
  const { code, err } = await bench.push(['a.csv', '--persona', 'visitor'], {
    tty: true,
    prompt: async () => prompt,
  });
  expect(code).toBe(0);
  expect(asked).toEqual([
    'a.csv:2: this row and 1 more have companions, and no barcode to tie them to. What about that?',
  ]);
  expect(err).toContain('The same without being asked: --set make-barcodes=true');
});

test('That barcodes are made is remembered for files with these headings', async () => {
  const bench = await pushBench();
  await push(bench, [ANA, BO]);
  const { code, summary } = await push(bench, [ANA, BO, DI], ['--persona', 'visitor']);
  expect([code, summary.created, summary.unchanged]).toEqual([0, 1, 4]);
});

test('Rows without a barcode that need one are written with a column for it', async () => {
  const bench = await pushBench();
  const rejects = ['--invalid', 'skip', '--rejects', 'r.csv', '--persona', 'visitor'];
  await push(bench, [ANA, BO], rejects);
  const lines = readFileSync(join(bench.directory, 'r.csv'), 'utf8').split('\n');
  expect([lines[0]?.replace('\uFEFF', ''), lines.length]).toEqual([`${HEAD},barcode,_was,_errors`, 4]);
});

test('Of several people whom a row may be, or rows that may be one person, none is taken', async () => {
  const bench = await pushBench();
  const twins = [ANA, ANA.replace('ana@', 'ana2@').replace('Ben', 'Fe')];
  await push(bench, twins);
  const one = await push(bench, [ANA.replace('ana@', 'anna@')]);
  expect(one.err).toMatch(/\(barcode GUEST-\S+\), registration \S+ \(barcode GUEST-\S+\) have its name/);
  const both = await push(
    bench,
    twins.map((row) => row.replace('@example.com', '@example.org')),
  );
  expect([one.summary.sent, both.code, both.summary.sent, bench.kept().length]).toEqual([0, 3, 0, 4]);
});
