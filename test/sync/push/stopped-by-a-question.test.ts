import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { pushBench, visitors } from '../push-bench.ts';

/** As on a machine that has never pushed to the service. */
const elsewhere = () => ({ paths: { config: temporaryDirectory(), state: temporaryDirectory() } });

test('a question that nobody answers names rows, fields and both values, for people and jobs', async () => {
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', visitors('A', 'B:Ben'))]);
  const file = bench.write('a.csv', visitors('A:Eve', 'B:Ben', 'C'));
  const { code, err, summary } = await bench.push([file, '--show-values'], elsewhere());
  expect(code).toBe(EXIT.guarded);
  expect(summary).toMatchObject({ stopped_by: 'confirmation', to_create: 1, to_update: 1, to_delete: 0 });
  expect(summary.problems).toEqual([
    {
      file: 'a.csv',
      sheet: null,
      line: 2,
      place: 'a.csv:2',
      column: null,
      field: null,
      value: null,
      code: 'unanswered',
      state: 'unanswered',
      barcode: 'A',
      remedy: null,
      registration_id: expect.stringMatching(/^reg-/),
      message: 'this machine cannot tell who changed it',
      differences: [{ field: 'first_name', kind: 'disputed', expected: 'Eve', found: 'Ada' }],
    },
  ]);
  expect(err).toContain(
    'a.csv:2 (barcode A) unanswered: this machine cannot tell who changed it\n  first_name: "Eve" in the file, "Ada" in the service\n',
  );
  // What was warned of is not said again in the question.
  expect(err.match(/phone of visitor/g)).toHaveLength(1);
  expect(bench.posts()).toHaveLength(2);
});

test('who would be deleted is named where nobody has said yes', async () => {
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', visitors('A', 'B', 'C'))]);
  const file = bench.write('a.csv', visitors('A', 'B'));
  const { code, summary } = await bench.push([file, '--prune', '--max-delete', '90%']);
  expect([code, summary]).toMatchObject([EXIT.guarded, { stopped_by: 'confirmation', to_delete: 1 }]);
  expect(summary.problems).toMatchObject([
    { code: 'unanswered', barcode: 'C', message: 'would be deleted: the file does not have it' },
  ]);
});

test('where nothing was planned nothing is said of what would be created', async () => {
  const bench = await pushBench();
  const { summary } = await bench.push([bench.write('a.csv', visitors('A')), '--leave', '1000000']);
  expect(summary).toMatchObject({ to_create: null, problems: [] });
});

test('who would be deleted is named where it is too many, masked, and --diff shows all', async () => {
  const bench = await pushBench();
  const all = ['A:Ada', 'B:Ben', 'C:Cem', 'D:Dan', 'E:Eve', 'F:Fay'];
  await bench.push([bench.write('a.csv', visitors(...all))]);
  const argv = [bench.write('a.csv', visitors('A:Ada')), '--prune', '--max-delete', '1'];
  const { code, summary, err } = await bench.push(argv);
  expect([code, summary]).toMatchObject([
    EXIT.guarded,
    { stopped_by: 'max-delete', to_create: 0, to_update: 0, to_delete: 5 },
  ]);
  expect(summary.problems).toHaveLength(5);
  expect(summary.problems[0]).toMatchObject({
    code: 'stopped',
    barcode: 'B',
    who: 'B•• E••••••',
    registration_id: expect.stringMatching(/^reg-/),
    message: 'would be deleted: the file does not have it',
  });
  expect(err).toMatch(/registration reg-\S+ \(barcode B, "B•• E••••••"\) stopped: would be deleted/);
  const shown = await bench.run(['push', ...argv, '--dry-run', '--diff', '--plan-out', 'p.json']);
  expect(shown.code).toBe(EXIT.guarded);
  for (const barcode of ['B', 'C', 'D', 'E', 'F']) expect(shown.out).toContain(`barcode ${barcode}`);
  expect(existsSync(join(bench.directory, 'p.json'))).toBe(false);
});
