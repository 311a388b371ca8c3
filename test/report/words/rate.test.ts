import { expect, test } from 'vitest';
import { formatRate, perHour } from '../../../src/report/words/number.ts';

test.each([
  [5, 1_000, '5 a second'],
  [30, 60_000, '30 a minute'],
  [30, 60_800, '30 a minute'],
  [30, 62_000, '30 every 1 min 2 s'],
  [10_000, 3_600_000, '10,000 an hour'],
  [100_000, 86_400_000, '100,000 a day'],
  [300, 10_000, '300 every 10 s'],
  [30, undefined, '30 a window'],
])('%d in %s ms is %s', (count, windowMs, words) => {
  expect(formatRate(count, windowMs)).toBe(words);
});

test('what is counted has a name where it is given', () => {
  const rates = [1, 30].map((count) => formatRate(count, 60_000, ['request', 'requests']));
  expect(rates).toEqual(['1 request a minute', '30 requests a minute']);
});

test('requests an hour are never more than the service allows', () => {
  expect([perHour(30, 60_000), perHour(7, 13_000)]).toEqual([1_800, 1_938]);
});
