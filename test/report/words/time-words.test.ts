import { expect, test } from 'vitest';
import { timeInWords } from '../../../src/report/words/time-words.ts';
import { paired } from '../../support/tables.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

test.each(
  paired(`
    2026-11-22T10:58:59Z → today 10:58 | 2026-11-22T00:00:00Z → today 00:00 |
    2026-11-21T23:59:59Z → yesterday 23:59 | 2026-11-20T17:02:00Z → 20 Nov | 2026-09-01T17:02:00Z → 1 Sep |
    2025-12-03T17:02:00Z → 3 Dec 2025 | 2026-11-23T00:00:00Z → 23 Nov
  `),
)('%s is %s', (iso, words) => {
  expect(timeInWords(Date.parse(iso), { nowMs: NOW, timeZone: 'UTC' })).toBe(words);
});

test('it is the day of the person, on the first of a month and when clocks change too', () => {
  const at = (iso: string, nowMs: number, timeZone: string): string =>
    timeInWords(Date.parse(iso), { nowMs, timeZone });
  expect(at('2026-11-21T23:30:00Z', NOW, 'Europe/Berlin')).toBe('today 00:30');
  expect(at('2026-11-22T03:30:00Z', NOW, 'America/New_York')).toBe('yesterday 22:30');
  expect(at('2027-02-28T20:00:00Z', Date.parse('2027-03-01T20:00:00Z'), 'UTC')).toBe('yesterday 20:00');
  // The day in between had 23 hours.
  expect(at('2027-03-27T22:59:00Z', Date.parse('2027-03-28T22:00:00Z'), 'Europe/Berlin')).toBe('27 Mar');
});
