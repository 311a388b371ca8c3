import { describe, expect, test } from 'vitest';
import { checkMaxDelete, type MaxDelete } from '../../../src/runs/judge/delete-guard.ts';

const number = (value: number): MaxDelete => ({ kind: 'number', value });
const percent = (value: number): MaxDelete => ({ kind: 'percent', value });

describe('how many may be deleted', () => {
  test.each([
    [0, 0, number(0)],
    [50, 0, number(50)],
    [0, 0, percent(0)],
    [10, 100, percent(10)],
    [10, 109, percent(10)],
    [7, 7, percent(100)],
  ])('%i of %i with %j: all', (count, there, limit) => {
    expect(checkMaxDelete(count, there, limit)).toBeUndefined();
  });

  test.each([
    [1, 0, number(0), 'this would delete 1 registration, more than --max-delete allows (0)'],
    [1051, 9, number(1000), 'this would delete 1,051 registrations, more than --max-delete allows (1,000)'],
    [
      11,
      109,
      percent(10),
      'this would delete 11 of 109 registrations, more than --max-delete allows (10%, that is 10)',
    ],
    [
      1,
      1,
      percent(99),
      'this would delete 1 of 1 registration, more than --max-delete allows (99%, that is 0)',
    ],
  ])('%i of %i with %j: too many', (count, there, limit, problem) => {
    expect(checkMaxDelete(count, there, limit)).toEqual({
      problem,
      hint: `If that is what you want, add --max-delete ${count}.`,
    });
  });
});
