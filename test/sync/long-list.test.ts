import { expect, test } from 'vitest';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { barcodes, pushBench, visitors } from './push-bench.ts';
import { keepVisitors } from '../service/visitors.ts';

/** Requests of a push of 20 guests to an event with so many others, in pages of 5. */
async function countRequests(others: number, switches: Partial<Switches>): Promise<number> {
  const bench = await pushBench({ perPageCap: 5, ...switches });
  keepVisitors(bench.sandbox, others, 'X');
  const before = bench.service.requests.length;
  const { summary } = await bench.push([bench.write('a.csv', visitors(...barcodes(20)))]);
  expect(summary).toMatchObject({ sent: 20, failed: 0 });
  return bench.service.requests.length - before;
}

const UNCOUNTED = { listTotal: 'hidden', pageShape: 'array' } as const;

test('A list that is too long for the file costs little more where it does not say how long it is', async () => {
  // The event; the first page and three requests that prove the filter; the first page; each row three times, the first once more.
  const counted = 1 + 1 + 3 + 1 + 3 * 20 + 1;
  expect(await countRequests(330, {})).toBe(counted);
  // Before and after: the second page, and the first one too many.
  expect(await countRequests(330, UNCOUNTED)).toBe(counted + 4);
});

test('A list that was worth reading for the plan is not read again for the audit', async () => {
  // The event; 60 pages and an empty one, five lookups behind it; the first page; sent, the first looked at, and all looked up.
  const counted = 1 + 61 + 5 + 1 + 1 + 2 * 20;
  expect(await countRequests(300, {})).toBe(counted);
  expect(await countRequests(300, UNCOUNTED)).toBe(counted + 3);
});
