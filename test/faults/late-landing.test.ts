import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { visitors } from '../sync/push-bench.ts';
import { passOn, type WireFault } from '../support/tcp-fault-proxy.ts';
import { deliverLate } from '../support/tcp-faults.ts';
import { type FaultBench, faultBench, firstNameOf, isListRead } from './fault-bench.ts';

/** Two reads that find nothing are at least that far apart. */
const BETWEEN_LOOKS_MS = 10_000;
const GUESTS = visitors('A:Ann', 'B/A:Bob', 'C:Cid');

/** Holds back the first request about a guest, whose connection is gone; `again` is for the second. */
function holdBack(bench: FaultBench, guest: string, again?: WireFault): void {
  let requests = 0;
  bench.proxy.fault = (request) => {
    if (request.method !== 'POST' || firstNameOf(request) !== guest) return undefined;
    requests += 1;
    return [undefined, deliverLate, again][requests];
  };
}

/** Lets go what is held in the wait between the two looks for it. */
function releaseBetweenLooks(bench: FaultBench): () => boolean {
  const readsBefore = (): number => bench.proxy.requests.findLastIndex(isListRead);
  const sentAt = (): number => bench.proxy.requests.findIndex(({ method }) => method === 'POST');
  let released = false;
  bench.onSleep = async (ms) => {
    if (released || ms < BETWEEN_LOOKS_MS || sentAt() < 0 || readsBefore() < sentAt()) return;
    released = true;
    await bench.proxy.release();
  };
  return () => released;
}

const idsOf = (bench: FaultBench, barcode: string): string[] =>
  bench.sandbox
    .registrations()
    .filter((one) => one.barcode === barcode)
    .map(({ id }) => id);

const postsOf = (bench: FaultBench, barcode: string): number =>
  bench.postedBarcodes().filter((one) => one === barcode).length;

describe.each(['update', 'double', 'refuse', 'ignore'] as const)(
  'a request that lands late, where a known barcode means %s,',
  (upsert) => {
    test.each([
      ['Ann', 'A'],
      ['Bob', 'B'],
      ['Cid', 'C'],
    ])('between the two looks for it is found, and not sent again (%s)', async (guest, barcode) => {
      const bench = await faultBench({ upsert });
      holdBack(bench, guest);
      const released = releaseBetweenLooks(bench);
      const ended = await bench.push([bench.write('guests.csv', GUESTS)]);
      expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 3, uncertain: 0 } });
      expect(released()).toBe(true);
      expect([postsOf(bench, barcode), idsOf(bench, barcode).length]).toEqual([1, 1]);
      expect(bench.histories().get(guest)).toEqual(['sending', 'uncertain', 'done']);
    });
  },
);

/** The late request lands right before the one that was sent instead of it, or right after. */
const AROUND: readonly [string, (bench: FaultBench) => WireFault][] = [
  [
    'before',
    ({ proxy }) =>
      async (wire) => {
        await proxy.release();
        await passOn(wire);
      },
  ],
  [
    'after',
    ({ proxy }) =>
      async (wire) => {
        await passOn(wire);
        await proxy.release();
      },
  ],
];

describe.each(AROUND)('a request that lands right %s the one sent instead of it', (_when, around) => {
  test.each(['update', 'refuse', 'ignore'] as const)('does no harm (%s)', async (upsert) => {
    const bench = await faultBench({ upsert });
    holdBack(bench, 'Bob', around(bench));
    const ended = await bench.push([bench.write('guests.csv', GUESTS)]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 3 } });
    expect([postsOf(bench, 'B'), idsOf(bench, 'B').length]).toEqual([2, 1]);
  });

  test('is reported as doubled with both ids, where nothing else can be done', async () => {
    const bench = await faultBench({ upsert: 'double' });
    holdBack(bench, 'Bob', around(bench));
    const ended = await bench.push([bench.write('guests.csv', GUESTS)]);
    const ids = idsOf(bench, 'B');
    expect([postsOf(bench, 'B'), ids.length]).toEqual([2, 2]);
    expect(ended.code).not.toBe(EXIT.done);
    for (const id of ids) {
      expect(ended.err).toContain(id);
      expect(ended.out).toContain(id);
    }
    // Never deleted by us, and never sent a third time.
    await bench.push(['guests.csv']);
    expect([postsOf(bench, 'B'), idsOf(bench, 'B')]).toEqual([2, ids]);
  });
});

describe('a request that lands after the run', () => {
  test('is reported by the next one, with both ids', async () => {
    const bench = await faultBench({ upsert: 'double' });
    holdBack(bench, 'Bob');
    const file = bench.write('guests.csv', GUESTS);
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 3 } });
    await bench.proxy.release();
    const ids = idsOf(bench, 'B');
    expect(ids).toHaveLength(2);
    const ended = await bench.push([file]);
    expect(ended.code).not.toBe(EXIT.done);
    for (const id of ids) expect(ended.err).toContain(id);
    expect(postsOf(bench, 'B')).toBe(2);
  });

  test('without a barcode is found by the next push, and is not followed by another', async () => {
    const bench = await faultBench();
    holdBack(bench, 'Bob');
    const file = bench.write('guests.csv', visitors(':Ann', ':Bob', ':Cid'));
    expect(await bench.push([file])).toMatchObject({ code: EXIT.uncertain, summary: { uncertain: 1 } });
    await bench.proxy.release();
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { uncertain: 0 } });
    expect(bench.posts()).toHaveLength(3);
  });

  test('does not put old values over those of an edited file, which waits for it', async () => {
    const bench = await faultBench();
    const file = bench.write('guests.csv', GUESTS);
    await bench.push([file]);
    holdBack(bench, 'Bea');
    const stopped = bench.proxy.fault;
    bench.proxy.fault = (request) => (isListRead(request) ? outOfOrder : stopped(request));
    bench.write('guests.csv', GUESTS.replace('Bob', 'Bea'));
    const cut = await bench.push([file]);
    expect(cut.code).not.toBe(EXIT.done);
    bench.proxy.fault = () => undefined;
    bench.onSleep = () => bench.proxy.release();
    bench.write('guests.csv', GUESTS.replace('Bob', 'Ben'));
    await bench.push([file]);
    const names = bench.kept().map(({ fields }) => fields['first_name']);
    expect(names).toEqual(['Ann', 'Ben', 'Cid']);
  });
});

/** Reads fail, so that nothing can be settled. */
const outOfOrder: WireFault = async ({ client }) => {
  client.destroy();
  await Promise.resolve();
};
