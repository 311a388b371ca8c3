import { describe, expect, test } from 'vitest';
import type { BudgetView, PushAhead } from '../../../src/report/views/events.ts';
import { expectedMs, formatExpectation, timeWords } from '../../../src/report/progress/expectation.ts';
import { budgetView } from '../progress-events.ts';

const MINUTE: Partial<BudgetView> = { limit: 30, remaining: 4, windowMs: 60_000 };
const expecting = (rows: number, budget: Partial<BudgetView>, requests: number) => ({
  type: 'expecting' as const,
  rows,
  requests,
  budget: budgetView(budget),
});
const told = (rows: number, budget: Partial<BudgetView>, requests = rows): string | undefined =>
  formatExpectation(expecting(rows, budget, requests));

describe('before requests are sent', () => {
  test('is said how many they are, and how long that takes, with what is read besides', () => {
    expect(told(5_000, MINUTE)).toBe('5,000 registrations · about 2 h 47 min');
    expect(told(5_000, MINUTE, 5_050)).toBe('5,000 registrations · about 2 h 48 min');
    expect(told(20_000, { limit: 10_000, remaining: 0, windowMs: 3_600_000 })).toBe(
      '20,000 registrations · about 2 h',
    );
  });

  test('nothing is said of so few that enough is left, whatever is known of the window', () => {
    expect(told(4, MINUTE)).toBeUndefined();
    expect(told(1, { limit: 30, remaining: 29 })).toBeUndefined();
    expect(told(5, MINUTE)).toBe('5 registrations · about 10 s');
  });

  test('nothing is guessed while the window, or a limit, is not known', () => {
    const unknown = '5,000 registrations. How long it takes is not known yet.';
    expect(told(5_000, { limit: 30, remaining: 29 }, 5_003)).toBe(unknown);
    expect(told(5_000, {})).toBe(unknown);
  });

  test.each([
    ['they are few, and no limit is known', 50, {}],
    ['nothing may be sent at all', 5_000, { limit: 0, remaining: 0, windowMs: 60_000 }],
    ['everything is left to others', 5_000, { ...MINUTE, leave: 30 }],
    ['there is nothing to do', 0, MINUTE],
    ['there is nothing to do, and nothing is left', 0, { limit: 30, windowMs: 60_000 }],
  ])('nothing is said when %s', (_when, requests, budget) => {
    expect(told(requests, budget)).toBeUndefined();
    expect(timeWords(requests, budgetView(budget))).toBe('');
  });

  test('what is kept for others is none of ours', () => {
    expect(told(5_000, { ...MINUTE, leave: 10 })).toBe(
      '5,000 registrations · about 4 h 10 min, 10 of 30 requests kept for others',
    );
    expect(told(20, { limit: 30, remaining: 29, leave: 10 })).toBe(
      '20 registrations, 10 of 30 requests kept for others. How long it takes is not known yet.',
    );
  });

  test('a shorter --max-wait is said to end it before', () => {
    const limited = (minutes: number): string | undefined =>
      told(300, { ...MINUTE, maxWaitMs: minutes * 60_000 });
    expect(limited(9)).toBe(
      '300 registrations · about 10 min. With --max-wait it stops after waiting 9 min, before the end; the same command then goes on.',
    );
    expect(limited(10)).toBe('300 registrations · about 10 min');
    expect(told(4, { ...MINUTE, maxWaitMs: 0 })).toBeUndefined();
  });
});

describe('a push', () => {
  const NOTHING: PushAhead = {
    event: 'Harbour Trade Fair 2027',
    live: { host: 'events.example.com', profile: 'default' },
    create: 0,
    update: 0,
    same: 0,
    unknown: 0,
    kept: 0,
    conflict: 0,
    doubtful: 0,
    rejected: 0,
    delete: 0,
    noLonger: 0,
  };
  const pushed = (ahead: Partial<PushAhead>, budget: Partial<BudgetView> = MINUTE): string | undefined =>
    formatExpectation({ ...expecting(40, budget, 60), ahead: { ...NOTHING, ...ahead } });

  test('says in one line what, where to, how much, how long', () => {
    expect(pushed({ create: 37, update: 3, same: 200 })).toBe(
      'Harbour Trade Fair 2027 at events.example.com (profile default) · 37 new, 3 changed, 200 the same · about 2 min',
    );
    expect(pushed({ create: 40, live: undefined }, {})).toBe(
      'Harbour Trade Fair 2027 · 40 new, 0 changed, 0 the same. How long it takes is not known yet.',
    );
    expect(pushed({ create: 1 }, { limit: 90, remaining: 90 })).toMatch(/ · 1 new, 0 changed, 0 the same$/);
  });

  test('names what is not as usual only where there is some', () => {
    expect(pushed({ live: undefined, unknown: 40 })).toBe(
      'Harbour Trade Fair 2027 · 40 to send · about 2 min',
    );
    expect(
      pushed({
        create: 1,
        unknown: 2,
        kept: 3,
        conflict: 4,
        doubtful: 5,
        rejected: 6,
        delete: 7,
        noLonger: 8,
      }),
    ).toContain(
      ' · 1 new, 0 changed, 0 the same, 2 sent without comparing, 3 left as changed in the service, ' +
        '4 in conflict, 5 not known whether they arrived, 6 left out, 7 to delete, 8 not in the list any more · about 2 min',
    );
  });

  test('lets no name drive the terminal', () => {
    expect(pushed({ event: '\u001B[2J' })).toContain(String.raw`\u{1b}[2J at`);
  });
});

test('a wait that is longer than the rate explains comes before all but the first window', () => {
  const of = (requests: number, waitMs: number) => expectedMs(requests, budgetView({ ...MINUTE, waitMs }));
  expect([of(60, 50_000), of(60, 90_000), of(5, 58_000), of(0, 58_000)]).toEqual([
    120_000, 150_000, 58_000, 0,
  ]);
});

test('who gets a part of the limit takes longer', () => {
  expect(expectedMs(20, budgetView({ ...MINUTE, leave: 10, share: 0.25 }))).toBe(240_000);
});

test('the time is unknown as long as limit or window are', () => {
  const of = (budget: Partial<BudgetView>): number | undefined => expectedMs(60, budgetView(budget));
  expect([of(MINUTE), of({ limit: 30 }), of({ windowMs: 60_000 })]).toEqual([120_000, undefined, undefined]);
});
