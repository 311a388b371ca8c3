import { describe, expect, test } from 'vitest';
import type { BudgetView } from '../../../src/report/views/events.ts';
import {
  describeExpectation,
  expectedMs,
  formatExpectation,
} from '../../../src/report/progress/expectation.ts';
import { budgetView } from '../progress-events.ts';

const MINUTE: Partial<BudgetView> = { limit: 30, remaining: 4, windowMs: 60_000 };
const told = (rows: number, budget: Partial<BudgetView>, requests = rows): string | undefined =>
  formatExpectation({ rows, requests, budget: budgetView(budget) });

describe('before requests are sent', () => {
  test('is said how many they are, at what rate, and how long that takes', () => {
    expect(told(5_000, MINUTE)).toBe('5,000 requests at 30 a minute: about 2 h 47 min.');
    expect(told(5_000, MINUTE, 5_050)).toBe(
      '5,050 requests (50 of them to read) at 30 a minute: about 2 h 48 min.',
    );
    expect(told(20_000, { limit: 10_000, remaining: 0, windowMs: 3_600_000 })).toBe(
      '20,000 requests at 10,000 an hour: about 2 h.',
    );
  });

  test('nothing is said of so few that enough is left, whatever is known of the window', () => {
    expect(told(4, MINUTE)).toBeUndefined();
    expect(told(1, { limit: 30, remaining: 29 })).toBeUndefined();
    expect(told(5, MINUTE)).toContain(': about 10 s.');
  });

  test('a plan says that enough is left', () => {
    const left = (requests: number, budget: Partial<BudgetView>) =>
      describeExpectation(requests, budgetView(budget));
    expect(left(4, MINUTE)).toBe(' at 30 a minute: 4 may go now');
    expect(left(1, { limit: 30, remaining: 29 })).toBe(' at 30 a window: 29 may go now');
    expect(left(19, { limit: 30, remaining: 29, leave: 10 })).toBe(
      ' at 20 a window: 19 may go now, 10 of 30 kept for others',
    );
  });

  test('nothing is guessed while the window, or a limit, is not known', () => {
    expect(told(240, { limit: 30, remaining: 29 }, 243)).toBe(
      '243 requests (3 of them to read). How long it takes is not known yet.',
    );
    expect(told(5_000, {})).toBe('5,000 requests. How long it takes is not known yet.');
  });

  test.each([
    ['they are few, and no limit is known', 50, {}],
    ['nothing may be sent at all', 5_000, { limit: 0, remaining: 0, windowMs: 60_000 }],
    ['everything is left to others', 5_000, { ...MINUTE, leave: 30 }],
    ['there is nothing to do', 0, MINUTE],
  ])('nothing is said when %s', (_when, requests, budget) => {
    expect(told(requests, budget)).toBeUndefined();
  });

  test('what is kept for others is none of ours', () => {
    expect(told(5_000, { ...MINUTE, leave: 10 })).toBe(
      '5,000 requests at 20 a minute: about 4 h 10 min, 10 of 30 kept for others.',
    );
    expect(told(20, { limit: 30, remaining: 29, leave: 10 })).toBe(
      '20 requests, 10 of 30 kept for others. How long it takes is not known yet.',
    );
  });

  test('a shorter --max-wait is said to end it before', () => {
    const limited = (minutes: number): string | undefined =>
      told(300, { ...MINUTE, maxWaitMs: minutes * 60_000 });
    expect(limited(9)).toBe(
      '300 requests at 30 a minute: about 10 min. With --max-wait it stops after waiting 9 min, before the end; the same command then goes on.',
    );
    expect(limited(10)).toBe('300 requests at 30 a minute: about 10 min.');
    expect(told(4, { ...MINUTE, maxWaitMs: 0 })).toBeUndefined();
  });
});

test('the time is unknown as long as limit or window are', () => {
  const of = (budget: Partial<BudgetView>): number | undefined => expectedMs(60, budgetView(budget));
  expect([of(MINUTE), of({ limit: 30 }), of({ windowMs: 60_000 })]).toEqual([120_000, undefined, undefined]);
});
