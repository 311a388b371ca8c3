import { expect, it } from 'vitest';
import { formatCount, plural } from '../../../src/report/words/number.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [12_345, '12,345'],
  [1_234_567, '1,234,567'],
  [-1_000, '-1,000'],
])('formatCount groups %d', (n, text) => {
  expect(formatCount(n)).toBe(text);
});

it('plural takes the noun that goes with the count', () => {
  expect([0, 1, 12_000].map((n) => plural(n, 'row', 'rows'))).toEqual(['0 rows', '1 row', '12,000 rows']);
});
