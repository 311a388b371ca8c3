import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { visitors } from '../sync/push-bench.ts';
import type { WireFault } from '../support/tcp-fault-proxy.ts';
import { faultBench } from './fault-bench.ts';

/** Passes the first request on, and gives its answer to the second one, which is lost: a gateway that mixes them up. */
function mixUp(): (nth: number) => WireFault | undefined {
  let first: Buffer = Buffer.alloc(0);
  const keep: WireFault = async ({ client, deliver }) => {
    first = await deliver();
    client.write(first);
  };
  const repeat: WireFault = async ({ client }) => {
    client.write(first);
    await Promise.resolve();
  };
  return (nth) => [keep, repeat][nth];
}

test('the answer about another row says nothing: with a barcode the row is looked up and sent', async () => {
  const bench = await faultBench({ upsert: 'double' });
  const fault = mixUp();
  bench.proxy.fault = ({ method, nth }) => (method === 'POST' ? fault(nth) : undefined);
  const file = bench.write('guests.csv', visitors('A:Ann', 'B:Bob', 'C:Cid'));
  const ended = await bench.push([file, '--concurrency', '1']);
  expect(ended.code).toBe(EXIT.done);
  expect(bench.histories().get('Bob')).toContain('uncertain');
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A', 'B', 'C']);
});

test('the answer about another row says nothing: without a barcode the row is uncertain', async () => {
  const bench = await faultBench();
  const fault = mixUp();
  bench.proxy.fault = ({ method, nth }) => (method === 'POST' ? fault(nth) : undefined);
  const file = bench.write('guests.csv', visitors(':Ann', ':Bob', ':Cid'));
  const ended = await bench.push([file, '--concurrency', '1']);
  expect(
    bench
      .kept()
      .map(({ fields }) => fields['first_name'])
      .sort(),
  ).toEqual(['Ann', 'Cid']);
  expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { sent: 2, uncertain: 1 } });
  expect(ended.summary.problems).toMatchObject([{ place: 'guests.csv:3', state: 'uncertain' }]);
});
