import { describe, expect, test } from 'vitest';
import { readRetryAfter } from '../../../src/service/http/retry.ts';
import { listed } from '../../support/tables.ts';

const NOW = Date.parse('Thu, 15 Jan 2026 12:00:00 GMT');
const read = (value: string, date?: string): number | undefined =>
  readRetryAfter({ 'retry-after': value, ...(date === undefined ? {} : { date }) }, NOW);

describe('readRetryAfter', () => {
  test.each([
    ['1', 1000],
    [' 30 ', 30_000],
    ['900', 900_000],
    ['901', 900_000],
    ['9999999999', 900_000],
    ['Thu, 15 Jan 2026 12:00:20 GMT', 20_000],
    [String(NOW / 1000 + 20), 20_000],
    [String(NOW + 20_000), 20_000],
    [String(NOW / 1000 + 86_400), 900_000],
    ['Thursday, 15-Jan-26 12:00:20 GMT', 20_000],
    ['Thu, 15 Jan 2099 12:00:20 GMT', 900_000],
  ])('reads %s', (value, ms) => {
    expect(read(value)).toBe(ms);
  });

  test.each([
    '',
    ...listed(`
      soon | -1 | 1.5 | 1e3 | 0x10 | NaN | 99999999999 | 12 s | 1768478395 | Thu, 99 Foo 2026 | 2026-01-15 | 0 |
      Thu, 15 Jan 2026 11:59:00 GMT
    `),
  ])('knows no wait in %j', (value) => {
    expect(read(value)).toBeUndefined();
  });

  test('knows no wait without the header', () => {
    expect(readRetryAfter({}, NOW)).toBeUndefined();
  });

  test('measures a date from the date of the answer: the clocks may differ', () => {
    expect(read('Thu, 15 Jan 2026 09:00:20 GMT', 'Thu, 15 Jan 2026 09:00:00 GMT')).toBe(20_000);
    expect(read('Thu, 15 Jan 2026 12:00:20 GMT', 'nonsense')).toBe(20_000);
    expect(read(String(NOW / 1000 - 10_780), 'Thu, 15 Jan 2026 09:00:00 GMT')).toBe(20_000);
  });
});
