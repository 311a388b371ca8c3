import { expect, it } from 'vitest';
import { formatDuration } from '../../../src/report/words/number.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it.each([
  [-5, '0 s'],
  [0, '0 s'],
  [40, '0 s'],
  [800, '0.8 s'],
  [960, '1 s'],
  [12_000, '12 s'],
  [59_499, '59 s'],
  [59_600, '1 min'],
  [2 * MINUTE + 5_000, '2 min 5 s'],
  [HOUR - 400, '1 h'],
  [2 * HOUR + 47 * MINUTE, '2 h 47 min'],
  [2 * HOUR + 59.8 * MINUTE, '3 h'],
  [24 * HOUR - 10_000, '1 d'],
  [76 * HOUR, '3 d 4 h'],
])('formatDuration writes %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
