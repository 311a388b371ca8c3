import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { visitors } from '../sync/push-bench.ts';
import { passOn, type WireFault } from '../support/tcp-fault-proxy.ts';
import * as tcp from '../support/tcp-faults.ts';
import { breakNext, type FaultBench, faultBench } from './fault-bench.ts';
import { bySilence } from './fault-matrix.ts';
import { FAULTS, type NamedFault } from './fault-table.ts';

const DELETE_THREE = ['delete', '--barcode', 'A', '--barcode', 'B', '--barcode', 'C', '--yes'];

/** Four guests in the service, and the second DELETE about to meet with something. */
async function openBench(fault: WireFault, silent = false): Promise<FaultBench> {
  const bench = await faultBench({}, { silent });
  const file = bench.write('guests.csv', visitors('A', 'B', 'C', 'D'));
  expect((await bench.push([file])).code).toBe(EXIT.done);
  bench.proxy.fault = ({ method, nth }) => (method === 'DELETE' && nth === 1 ? fault : undefined);
  return bench;
}

/** Statuses that the service gave to requests to delete a guest, in order. */
function answersAbout(bench: FaultBench, id: string): number[] {
  return bench.sandbox
    .requests()
    .filter(({ method, path }) => method === 'DELETE' && path.endsWith(`/${id}`))
    .map(({ status }) => status);
}

const idOf = (bench: FaultBench, barcode: string): string =>
  bench.kept().find((one) => one.barcode === barcode)?.id ?? 'none';

/** What the service answers: the first DELETE that lands works, and every one after it finds nothing. */
function expectedAnswers({ attempt, landed }: NamedFault): number[] {
  return [200, 404, 404].slice(0, landed + Number(attempt !== 'done'));
}

describe('a DELETE that meets with a fault is sent again, and what it finds gone counts as deleted', () => {
  // A DELETE has no body to be cut in, and what is broken needs a test of its own.
  const { 'request cut in its body': _inBody, ...faults } = FAULTS;
  const [silent, loud] = bySilence(faults);
  const wires = loud.filter(([, { wire, broken }]) => typeof wire !== 'string' && broken !== true);

  test.each(wires)('%s', async (_name, fault) => {
    await checkDelete(fault);
  });
  test(`side by side: ${silent.map(([name]) => name).join(', ')}`, async () => {
    await Promise.all(silent.map(([, fault]) => checkDelete(fault)));
  });

  test.each(['refuse', 'close', 'reset'] as const)('connection: %s', async (how) => {
    const bench = await openBench(passOn);
    bench.proxy.fault = ({ method, nth }) => {
      if (method === 'DELETE' && nth === 0) breakNext(bench, how);
      return tcp.answerLast;
    };
    const id = idOf(bench, 'B');
    expect((await bench.run(DELETE_THREE)).code).toBe(EXIT.done);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['D']);
    expect(answersAbout(bench, id)).toEqual([200]);
  });
});

async function checkDelete(fault: NamedFault): Promise<void> {
  const bench = await openBench(fault.wire as WireFault, fault.silent === true);
  const id = idOf(bench, 'B');
  const ended = await bench.run(DELETE_THREE);
  if (fault.late === true) await bench.proxy.release();
  expect(ended.err).toContain('3 registrations deleted');
  expect(ended.code).toBe(EXIT.done);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['D']);
  expect(answersAbout(bench, id)).toEqual(expectedAnswers(fault));
}

test.each([
  ['garbage in its body', tcp.garbageInAnswer(tcp.inBody)],
  ['cut off without a word', tcp.wrongLength(-7)],
])('an answer in broken JSON proves nothing, and the list tells the truth: %s', async (_name, fault) => {
  const bench = await openBench(fault);
  const ended = await bench.run(DELETE_THREE);
  expect(ended).toMatchObject({
    code: EXIT.done,
    err: expect.stringContaining('3 registrations deleted'),
  });
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['D']);
});

test('a first 404 is a success where the list shows it no more', async () => {
  const bench = await openBench(async ({ client, deliver }) => {
    await deliver();
    client.write(await deliver());
  });
  const ended = await bench.run(DELETE_THREE);
  expect(ended.code).toBe(EXIT.done);
  expect(ended.err).toContain('3 registrations deleted');
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['D']);
});

test('a DELETE that is never answered is no success either, and the others are deleted', async () => {
  const bench = await openBench(passOn);
  const id = idOf(bench, 'B');
  bench.proxy.fault = ({ method, path }) =>
    method === 'DELETE' && path.endsWith(`/${id}`) ? tcp.cutRequest(tcp.inHead) : undefined;
  const ended = await bench.run(DELETE_THREE);
  expect(ended.code).not.toBe(EXIT.done);
  expect(ended.err).toContain(id);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['B', 'D']);
  bench.proxy.fault = () => undefined;
  expect((await bench.run(['delete', '--barcode', 'B', '--yes'])).code).toBe(EXIT.done);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['D']);
});

test('a DELETE that lands late does not take what was registered anew', async () => {
  const bench = await openBench(tcp.deliverLate);
  const file = bench.write('again.csv', visitors('B'));
  expect((await bench.run(DELETE_THREE)).code).toBe(EXIT.done);
  expect((await bench.push([file])).code).toBe(EXIT.done);
  await bench.proxy.release();
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['B', 'D']);
});
