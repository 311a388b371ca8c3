import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { casesOf } from '../support/night.ts';
import { pushBench, type Summary, visitors } from '../sync/push-bench.ts';

const NAMES = Array.from({ length: 24 }, (_, index) => `${String.fromCharCode(65 + index)}da`);

/** Statuses that sound as if nothing was done; whether it was, only reading tells. */
const STATUSES = [408, 421, 425, 409, 503, 307];

const openRows = ({ uncertain, failed, pending }: Summary): number => uncertain + failed + pending;

/** Pushes to a service that answers some creates with a status, then twice to one that is well again. */
async function pushPast(
  status: number,
  { barcodes, stored, every }: { barcodes: boolean; stored: boolean; every: number },
) {
  const bench = await pushBench();
  const file = bench.write(
    'a.csv',
    visitors(...NAMES.map((name) => (barcodes ? `${name}:${name}` : `:${name}`))),
  );
  bench.service.fault = ({ method, body }) => {
    const isHit = method === 'POST' && NAMES.findIndex((name) => body.includes(`"${name}"`)) % every === 0;
    if (!isHit) return undefined;
    return {
      passOn: stored,
      answer: { status, body: '{"message":"Try again."}', headers: { 'retry-after': '1' } },
    };
  };
  const first = await bench.push([file]);
  bench.service.fault = () => undefined;
  const later = [await bench.push([file]), await bench.push([file])];
  const there = bench.kept().map(({ fields }) => String(fields['first_name']));
  return { bench, first, last: later.at(-1) ?? first, there };
}

/** With and without barcodes, carried out or not, all of them or one in four. */
const CASES = STATUSES.flatMap((status) =>
  [true, false].flatMap((barcodes) =>
    [true, false].flatMap((stored) => [1, 4].map((every) => ({ status, barcodes, stored, every }))),
  ),
);

describe('a create that is answered with a status and a wish to come again', () => {
  test.each(casesOf(CASES, 6))(
    'registers nobody twice, and forgets nobody: %j',
    async ({ status, ...each }) => {
      const { bench, last, there } = await pushPast(status, each);
      expect([...there].sort()).toEqual([...new Set(there)].sort());
      const missing = NAMES.length - there.length;
      // Whoever is not there is listed as such; whoever is settled is there.
      expect(openRows(last.summary)).toBeGreaterThanOrEqual(missing);
      expect(last.code === EXIT.done).toBe(openRows(last.summary) === 0);
      if (each.stored && each.every > 1 && status !== 307) expect(missing).toBe(0);
      if (each.barcodes && status !== 409) expect([last.code, missing]).toEqual([EXIT.done, 0]);
      const posts = bench.posts().map(({ body }) => NAMES.find((name) => body?.includes(`"${name}"`)));
      if (!each.barcodes && each.stored) expect(new Set(posts).size).toBe(posts.length);
    },
  );
});
