import { describe, expect, test } from 'vitest';
import { checkMaxDelete, checkShares, type Allowance } from '../../../src/sync/decide/delete-guard.ts';

const number = (value: number): Allowance => ({ kind: 'number', value });
const percent = (value: number): Allowance => ({ kind: 'percent', value });

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

describe('where nobody has set a limit, of a persona goes at most', () => {
  const assumed: Allowance = { kind: 'number', value: 50, assumed: true };

  test.each([
    [3, 3],
    [4, 3],
    [9, 3],
    [11, 3],
    [12, 4],
    [20, 6],
    [100, 33],
    [150, 50],
    [400, 133],
  ])('of %i: %i', (there, most) => {
    const problems = (going: number): string[] =>
      checkShares([{ persona: 'guest', going, there }], assumed, going).map(({ problem }) => problem);
    expect(problems(most)).toEqual([]);
    const why = most === 3 ? '3' : `${most}, a third of them`;
    expect(problems(most + 1)).toEqual([
      `this would delete ${most + 1} of ${there} registrations of guest, more than ${why}`,
    ]);
    expect(checkShares([{ persona: 'guest', going: there, there }], number(there), there)).toEqual([]);
  });

  test('each persona counts for itself, and all that go are in the hint', () => {
    const shares = [
      { persona: 'guest', going: 2, there: 300 },
      { persona: 'crew', going: 9, there: 10 },
    ];
    expect(checkShares(shares, assumed, 11)).toEqual([
      {
        problem: 'this would delete 9 of 10 registrations of crew, more than 3',
        hint: 'If that is what you want, add --max-delete 11.',
      },
    ]);
  });
});
