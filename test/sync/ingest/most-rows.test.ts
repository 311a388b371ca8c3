import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { pushBench } from '../push-bench.ts';

const rows = (count: number): string => `Barcode\n${'A\n'.repeat(count)}`;

test('More than 200,000 rows, of one file or of several, are refused before anything is sent', async () => {
  const bench = await pushBench();
  bench.write('one.csv', rows(100_000));
  bench.write('other.csv', rows(100_001));
  const refused = await bench.push(['one.csv', 'other.csv', '--persona', 'visitor']);
  expect(refused.code).toBe(EXIT.usage);
  expect(refused.err.replaceAll(/\s+/g, ' ')).toMatch(
    /more than 200,000 rows, .* Split them into files of at most 200,000 rows, .* without --prune/,
  );
  expect(bench.postedBarcodes()).toEqual([]);
}, 60_000);
