import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pushBench } from '../../sync/push-bench.ts';

const MIXED = [
  'Persona,First name,Last name,Diet,Stand size',
  'visitor,Ann,Alt,Halal,',
  'exhibitor,Bo,Berg,Halal,Small',
  'exhibitor,Cy,Cole,Kosher,Large',
  'visitor,Di,Dorn,,Small',
  '',
].join('\n');

/** Whoever has most fields goes first: by name, not in the order in which they came. */
const fields = (bench: Awaited<ReturnType<typeof pushBench>>) =>
  bench
    .kept()
    .map((one) => one.fields)
    .sort((one, other) => String(one['first_name']).localeCompare(String(other['first_name'])));

const SENT = [
  { first_name: 'Ann', last_name: 'Alt', dietary_needs: ['Halal'] },
  { first_name: 'Bo', last_name: 'Berg', stand_size: 'Small' },
  { first_name: 'Cy', last_name: 'Cole', stand_size: 'Large' },
  { first_name: 'Di', last_name: 'Dorn' },
];

test('What a kind of guest has no field for is left out once that is said, also the next time', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', MIXED);
  const refused = await bench.push([file]);
  expect([refused.code, bench.kept()]).toEqual([3, []]);
  expect(refused.err).toContain('or leave such values out with --set leave-out="Diet"');

  const said = ['--set', 'leave-out=Diet', '--set', 'leave-out=Stand size'];
  const { code, err, summary } = await bench.push([file, ...said]);
  expect([code, summary.sent]).toEqual([0, 4]);
  expect(err).toContain(
    '3 values were left out: "Diet" (2), "Stand size" (1); these kinds of guests have no such field.',
  );
  expect(fields(bench)).toEqual(SENT);

  const again = await bench.push([file]);
  expect([again.code, again.summary.sent, again.summary.unchanged]).toEqual([0, 0, 4]);
});

test('A flag and a mapping file say it as well, and the file is written', async () => {
  const argv = ['--no-saved-mapping', '--set', 'leave-out=diet', '--set', 'leave-out=Stand size'];
  const bench = await pushBench();
  const file = bench.write('a.csv', MIXED);
  expect((await bench.push([file, ...argv, '--write-mapping', 'm.json', '--dry-run'])).code).toBe(0);
  const written = JSON.parse(readFileSync(join(bench.directory, 'm.json'), 'utf8')) as object;
  expect(written).toMatchObject({ settings: { 'leave-out': ['diet', 'Stand size'] } });
  const sent = await bench.push([file, '--no-saved-mapping', '--mapping', join(bench.directory, 'm.json')]);
  expect([sent.code, sent.summary.sent]).toEqual([0, 4]);
  expect(fields(bench)).toEqual(SENT);
  // Only of the column that was named.
  const one = await bench.push([file, '--no-saved-mapping', ...argv.slice(1, 3)]);
  expect([one.code, one.summary.rejected]).toEqual([3, 1]);
});
