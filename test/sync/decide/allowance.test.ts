import { describe, expect, test } from 'vitest';
import { allowed, formatAllowance, parseAllowance } from '../../../src/sync/decide/delete-guard.ts';

describe('an allowance', () => {
  test.each([
    ['50', 1000, 50],
    ['0', 1000, 0],
    ['10%', 1000, 100],
    ['10%', 19, 1],
    ['10%', 9, 0],
    ['100%', 7, 7],
    [' 5% ', 100, 5],
  ])('of %s among %i is %i', (text, there, expected) => {
    const allowance = parseAllowance(text);
    expect(allowance && allowed(allowance, there)).toBe(expected);
  });

  test.each(['', 'many', '-1', '1.5', '101%', '10 %', '%', '1e3', '1234567890'])(
    'is neither number nor share: %j',
    (text) => {
      expect(parseAllowance(text)).toBeUndefined();
    },
  );

  test.each(['50', '10%'])('is said as it was given: %s', (text) => {
    const allowance = parseAllowance(text);
    expect(allowance && formatAllowance(allowance)).toBe(text);
  });
});
