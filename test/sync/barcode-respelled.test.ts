import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, pushBench, visitors } from './push-bench.ts';

/** A service that writes barcodes its own way, and tells ids in its answers in one of several ways. */
async function respelling(told: (id: string) => string): Promise<Bench> {
  const bench = await pushBench({ upsert: 'double' });
  const spell = (all: string, barcode: string): string => all.replace(barcode, barcode.toUpperCase());
  bench.service.sent = ({ method, body }) =>
    method === 'POST' ? body.replace(/"barcode":"([^"]*)"/, spell) : body;
  bench.service.shown = (body, { method }) =>
    method === 'POST' ? body.replace(/"id":"([^"]*)",/, (_, id: string) => told(id)) : body;
  return bench;
}

test.each([
  { ids: 'as listed', told: (id: string) => `"id":"${id}",` },
  { ids: 'not at all', told: () => '' },
  { ids: 'otherwise than listed', told: (id: string) => `"id":"of-${id}",` },
])('whom an answer names under another barcode is not sent again: ids told $ids', async ({ told }) => {
  const bench = await respelling(told);
  const file = bench.write('a.csv', visitors('ev-1', 'ev-2', 'ev-3'));
  const kept = (): string[] => bench.kept().map(({ barcode }) => barcode);
  const { code, summary } = await bench.push([file]);
  const run = summary.run ?? '';
  // The others of its kind wait.
  expect([code, summary.uncertain, kept()]).toEqual([EXIT.uncertain, 1, ['EV-1']]);
  const why = 'not sent yet: a.csv:2 went first, and the service answered 201 with another barcode';
  expect(summary.problems[1]).toMatchObject({ state: 'postponed', message: expect.stringContaining(why) });
  expect(summary.problems[0]?.message).toContain(`eventreg runs decide ${run} a.csv:2 sent`);
  const again = await bench.push([file]);
  expect([again.code, kept()]).toEqual([EXIT.uncertain, ['EV-1', 'EV-2']]);
  const story = await bench.run(['runs', 'why', 'a.csv:2', '--run', run]);
  expect(story.out + story.err).not.toContain('did not land');
  const undone = await bench.run(['runs', 'undo', run, '--yes']);
  expect(undone.err).not.toContain('undone already');
});
