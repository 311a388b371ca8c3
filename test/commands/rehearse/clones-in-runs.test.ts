import { expect, test } from 'vitest';
import { readDocument } from '../../support/documents.ts';
import { pushBench, visitors } from '../../sync/push-bench.ts';

interface Listed {
  runs: { run: string; service: string; message: string }[];
}

test('runs tell the clone that they were at, and which of them were only copied', async () => {
  const bench = await pushBench();
  bench.write('a.csv', visitors('A:Ada', 'B:Bob'));
  await bench.push(['a.csv', '--no-audit']);
  await bench.run(['sandbox', 'clone', '--as', 'fair']);
  await bench.run(['sandbox', 'clone', '--as', 'empty', '--registrations', 'none']);
  bench.write('b.csv', visitors('C:Cid'));
  expect((await bench.push(['b.csv', '--no-audit', '--sandbox=fair'])).code).toBe(0);
  expect((await bench.push(['b.csv', '--no-audit', '--sandbox'])).code).toBe(0);
  const { runs } = readDocument((await bench.run(['runs', '--json'])).out) as unknown as Listed;
  expect(runs.map(({ service, message }) => [service.replace(/^http.*/, 'live'), message])).toEqual([
    ['the embedded sandbox', ''],
    ['the clone fair', ''],
    ['the clone fair', 'copied with the clone: what was sent to the live event'],
    ['live', ''],
  ]);
  expect((await bench.run(['runs'], { tty: true })).out).toMatch(/clone\s+fair/);
  const [, at] = runs;
  expect((await bench.run(['runs', 'show', at?.run ?? ''])).err).toContain(
    'Harbour Trade Fair 2027 at the clone fair',
  );
  expect(await bench.run(['runs', 'undo', at?.run ?? '', '--yes'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('hint: Add --sandbox=fair.'),
  });
  const why = await bench.run(['runs', 'why', 'A']);
  expect([why.out, why.err]).toEqual([
    expect.stringContaining('Harbour Trade Fair 2027 at http'),
    'Values of persons are masked; --show-values shows them.\n',
  ]);
  expect((await bench.run(['runs', 'why', 'C', '--sandbox=fair'])).out).toContain('at the clone fair');
});

test('a plan for a clone holds for that one alone', async () => {
  const bench = await pushBench();
  bench.write('a.csv', visitors('A:Ada'));
  for (const name of ['fair', 'other']) await bench.run(['sandbox', 'clone', '--as', name]);
  await bench.push(['a.csv', '--sandbox=fair', '--plan-out', 'plan.json']);
  const run = async (sandbox: string) => await bench.push(['--plan', 'plan.json', `--sandbox=${sandbox}`]);
  expect(await run('other')).toMatchObject({
    code: 7,
    err: expect.stringContaining('at the clone fair, and this is Harbour Trade Fair 2027 at the clone other'),
  });
  await bench.run(['sandbox', 'clone', '--as', 'fair', '--yes']);
  expect(await run('fair')).toMatchObject({
    code: 7,
    err: expect.stringContaining('The clone was made anew since the plan was made.'),
  });
});
