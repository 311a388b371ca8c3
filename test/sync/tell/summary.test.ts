import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { noList, pushBench, visitors } from '../push-bench.ts';

test('What was new and what was updated is told by the plan where the service does not say', async () => {
  const bench = await pushBench({ createStatus: '200', createBody: 'empty' });
  const file = bench.write('a.csv', visitors('A', 'B'));
  expect((await bench.push([file])).summary).toMatchObject({ sent: 2, created: 2, updated: 0 });
  bench.write('a.csv', visitors('A:Ann', 'B', 'C'));
  expect((await bench.push([file])).summary).toMatchObject({ sent: 2, created: 1, updated: 1, unchanged: 1 });
  const again = await bench.push([file]);
  expect(again.summary).toMatchObject({ sent: 0, created: 0, updated: 0, unchanged: 3 });
});

test('What the service says of it proves nothing', async () => {
  const bench = await pushBench();
  bench.service.fault = ({ method }) =>
    method === 'POST'
      ? {
          passOn: true,
          answer: { status: 200, body: '{"registratoin_id":"reg-1","barcode":"A","action":"updated"}' },
        }
      : undefined;
  const { summary } = await bench.push([bench.write('a.csv', visitors('A')), '--no-audit']);
  expect(summary).toMatchObject({ sent: 1, created: 1, updated: 0 });
});

test('Where there is no list nothing is told apart', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', visitors('A', 'B'));
  bench.service.fault = noList;
  const dry = await bench.push([file, '--dry-run']);
  expect(dry.summary).toMatchObject({ state: 'planned', pending: 2, to_create: 0, to_update: 0 });
  expect(dry.err).toContain('2 to send\n');
  expect(dry.err).not.toContain('to create');
  const ended = await bench.push([file, '--yes']);
  expect(ended.summary).toMatchObject({ sent: 2, created: 0, updated: 0, not_looked_at: 2 });
  expect(ended.err).toContain('2 sent (new or changed: not looked at)');
});

test('A deletion that fails is a problem like any other, and counts for the exit code', async () => {
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
  const id = bench.kept()[1]?.id ?? '';
  bench.service.fault = ({ method }) =>
    method === 'DELETE' ? { answer: { status: 422, body: '{"message":"has paid"}' } } : undefined;
  const file = bench.write('b.csv', visitors('A'));
  const ended = await bench.push([file, '--prune', '--yes']);
  expect(ended.code).toBe(EXIT.rejected);
  expect(ended.summary).toMatchObject({ failed: 1, unchanged: 1, deleted: 0 });
  expect(ended.summary.problems).toMatchObject([
    {
      place: `registration ${id}`,
      state: 'failed',
      barcode: 'B',
      message: expect.stringContaining('has paid'),
    },
  ]);
  expect(ended.err).toContain('  1 not deleted, with the reason above');
  bench.service.fault = () => undefined;
  const again = await bench.push([file, '--prune', '--yes']);
  expect([again.code, again.summary]).toEqual([
    EXIT.done,
    expect.objectContaining({ deleted: 1, failed: 0 }),
  ]);
});
