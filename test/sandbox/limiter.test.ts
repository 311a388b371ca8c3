import { describe, expect, test } from 'vitest';
import { createLimiter } from '../../src/sandbox/limiter.ts';

const KINDS = [
  'first-request',
  'aligned',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'gcra',
  'punishing',
] as const;

describe.each(KINDS)('%s', (kind) => {
  test('lets the limit through at once, counts down, then refuses', () => {
    const limiter = createLimiter(kind, 3, 1000);
    const verdicts = [5000, 5000, 5000, 5000].map((nowMs) => limiter.take(nowMs));
    expect(verdicts.map((verdict) => verdict.remaining)).toEqual([2, 1, 0, 0]);
    expect(verdicts.map((verdict) => verdict.allowed)).toEqual([true, true, true, false]);
  });

  test('a refused request says exactly when one passes again', () => {
    const limiter = createLimiter(kind, 2, 1000);
    limiter.take(5300);
    limiter.take(5300);
    const { retryAfterMs } = limiter.take(5400);
    expect(limiter.remaining(5400 + retryAfterMs - 1)).toBe(0);
    expect(limiter.take(5400 + retryAfterMs).allowed).toBe(true);
  });

  test('looking at what remains spends nothing', () => {
    const limiter = createLimiter(kind, 2, 1000);
    expect([limiter.remaining(5000), limiter.remaining(5000)]).toEqual([2, 2]);
    limiter.take(5000);
    expect(limiter.remaining(5000)).toBe(1);
  });

  test('a clock that goes back gives nothing away', () => {
    const limiter = createLimiter(kind, 1, 1000);
    limiter.take(5000);
    expect(limiter.take(4999).allowed).toBe(false);
  });
});

test.each(KINDS.filter((kind) => kind !== 'punishing'))('a refused request of %s spends nothing', (kind) => {
  const limiter = createLimiter(kind, 2, 1000);
  limiter.take(5300);
  limiter.take(5300);
  const { retryAfterMs } = limiter.take(5400);
  expect(limiter.take(5400 + retryAfterMs - 1).allowed).toBe(false);
  expect(limiter.take(5400 + retryAfterMs).allowed).toBe(true);
});

test('the window of first-request opens with the first request after the last has ended', () => {
  const limiter = createLimiter('first-request', 2, 1000);
  limiter.take(700);
  expect(limiter.remaining(1699)).toBe(1);
  expect(limiter.remaining(1700)).toBe(2);
  limiter.take(2500);
  expect(limiter.remaining(3499)).toBe(1);
  expect(limiter.remaining(3500)).toBe(2);
});

test('the aligned window ends at whole multiples, whenever it was first used', () => {
  const limiter = createLimiter('aligned', 2, 1000);
  limiter.take(1990);
  expect(limiter.remaining(1999)).toBe(1);
  expect(limiter.remaining(2000)).toBe(2);
});

test('the sliding log gives back each request a window after it was made', () => {
  const limiter = createLimiter('sliding-log', 2, 1000);
  limiter.take(0);
  limiter.take(400);
  expect(limiter.take(999)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 1 });
  expect(limiter.take(1000).allowed).toBe(true);
  expect(limiter.take(1399).retryAfterMs).toBe(1);
  expect(limiter.take(1400).allowed).toBe(true);
});

test('the token bucket refills evenly and never beyond the limit', () => {
  const limiter = createLimiter('token-bucket', 10, 1000);
  for (let count = 0; count < 10; count += 1) limiter.take(0);
  expect(limiter.remaining(99)).toBe(0);
  expect(limiter.remaining(100)).toBe(1);
  expect(limiter.remaining(550)).toBe(5);
  expect(limiter.remaining(9000)).toBe(10);
});

test('the sliding counter lets go of the window before evenly', () => {
  const limiter = createLimiter('sliding-counter', 10, 1000);
  for (let count = 0; count < 10; count += 1) limiter.take(0);
  // Ten of the window before: nine and a half of them still count after 50 ms of this one.
  expect([1000, 1050].map((nowMs) => limiter.remaining(nowMs))).toEqual([0, 1]);
  expect(limiter.take(1050).allowed).toBe(true);
  expect(limiter.take(1099)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 2 });
  expect(limiter.take(1101).allowed).toBe(true);
  expect([1550, 2000, 2500].map((nowMs) => limiter.remaining(nowMs))).toEqual([4, 8, 9]);
});

test('the sliding counter forgets a window that is two windows old', () => {
  const limiter = createLimiter('sliding-counter', 10, 1000);
  for (let count = 0; count < 10; count += 1) limiter.take(500);
  expect(limiter.remaining(2000)).toBe(10);
});

test('the generic cell rate algorithm gives one back each even share of the window, up to the limit', () => {
  const limiter = createLimiter('gcra', 4, 1000);
  for (let count = 0; count < 4; count += 1) limiter.take(0);
  expect(limiter.take(240)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 10 });
  expect([249, 250, 500, 999, 1000, 9000].map((nowMs) => limiter.remaining(nowMs))).toEqual([
    0, 1, 2, 3, 4, 4,
  ]);
  expect(limiter.take(9000)).toEqual({ allowed: true, remaining: 3, retryAfterMs: 0 });
});

test('the limiter that punishes begins its window again at each refused request', () => {
  const limiter = createLimiter('punishing', 1, 1000);
  expect(limiter.take(0).allowed).toBe(true);
  expect(limiter.take(900)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 1000 });
  expect(limiter.take(1800)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 1000 });
  expect(limiter.remaining(2799)).toBe(0);
  expect(limiter.take(2800).allowed).toBe(true);
  expect(limiter.take(3799).allowed).toBe(false);
});

test.each(['aligned', 'sliding-counter'] as const)(
  'the windows of %s may begin off whole multiples',
  (kind) => {
    const limiter = createLimiter(kind, 2, 1000, 300);
    limiter.take(1299);
    limiter.take(1299);
    const remaining = [1299, 1300, 1301, 2299, 2300].map((nowMs) => limiter.remaining(nowMs));
    expect(remaining).toEqual(kind === 'aligned' ? [0, 2, 2, 2, 2] : [0, 0, 1, 2, 2]);
  },
);

test.each(['token-bucket', 'gcra'] as const)('%s keeps its word also in milliseconds since 1970', (kind) => {
  const limits = Array.from({ length: 100 }, (_, index) => index + 1);
  const late = limits.filter((limit) => {
    const limiter = createLimiter(kind, limit, 1000);
    const start = 1_800_000_000_000;
    for (let count = 0; count < limit; count += 1) limiter.take(start);
    const { retryAfterMs } = limiter.take(start + 0.7);
    return !limiter.take(start + 0.7 + retryAfterMs).allowed;
  });
  expect(late).toEqual([]);
});
