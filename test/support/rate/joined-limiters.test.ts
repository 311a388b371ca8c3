import { expect, test } from 'vitest';
import { createLimiter } from '../../../src/sandbox/limiter.ts';
import { apart, atOnce, costing, inARow } from './joined-limiters.ts';

const SECOND = 1000;
const window = (limit: number, seconds = 60) => createLimiter('first-request', limit, seconds * SECOND);

test('limits in a row: each counts what passes it, and the told one is told', () => {
  const joined = (told: number | 'least') => inARow([window(2, 1), window(3)], told);
  const left = ([0, 1, 'least'] as const).map((told) => {
    const limiter = joined(told);
    return [0, 0, 0, SECOND, SECOND].map((ms) => limiter.take(ms).remaining);
  });
  expect(left).toEqual([
    [1, 0, 0, 1, 0],
    [2, 1, 1, 0, 0],
    [1, 0, 0, 0, 0],
  ]);
  const limiter = joined(0);
  expect([0, 0, 0, SECOND, SECOND].map((ms) => limiter.take(ms).allowed)).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
});

test('nodes count apart', () => {
  let asked = 0;
  const limiter = apart([window(1), window(2)], () => asked++);
  expect([0, 1, 2, 3].map((ms) => limiter.take(ms))).toMatchObject([
    { allowed: true, remaining: 0 },
    { allowed: true, remaining: 1 },
    { allowed: false },
    { allowed: true, remaining: 0 },
  ]);
});

test('one in some costs more, and waits until all of that is there', () => {
  const limiter = costing(window(4), { every: 2, cost: 3 });
  expect([0, 1, 2, 3].map((ms) => limiter.take(ms).remaining)).toEqual([3, 0, 0, 0]);
  expect(limiter.take(60_000)).toMatchObject({ allowed: true, remaining: 3 });
  expect(limiter.take(60_000)).toMatchObject({ allowed: true, remaining: 0 });
});

test('so many at once are worked on, and the next when one is done', () => {
  const limiter = atOnce(window(10), { most: 2, workMs: 300 });
  expect([0, 100, 200, 299, 300].map((ms) => limiter.take(ms).allowed)).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
  expect(limiter.take(310)).toEqual({ allowed: false, remaining: 7, retryAfterMs: 90 });
});
