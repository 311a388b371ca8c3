import { describe, expect, test } from 'vitest';
import { createLimiter } from '../../src/sandbox/limiter.ts';

const KINDS = ['first-request', 'aligned', 'sliding-log', 'token-bucket'] as const;

describe.each(KINDS)('%s', (kind) => {
  test('lets the limit through at once, counts down, then refuses', () => {
    const limiter = createLimiter(kind, 3, 1000);
    const verdicts = [5000, 5000, 5000, 5000].map((nowMs) => limiter.take(nowMs));
    expect(verdicts.map((verdict) => verdict.remaining)).toEqual([2, 1, 0, 0]);
    expect(verdicts.map((verdict) => verdict.allowed)).toEqual([true, true, true, false]);
  });

  test('a refused request spends nothing and says exactly when one passes again', () => {
    const limiter = createLimiter(kind, 2, 1000);
    limiter.take(5300);
    limiter.take(5300);
    const { retryAfterMs } = limiter.take(5400);
    expect(limiter.take(5400 + retryAfterMs - 1).allowed).toBe(false);
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
