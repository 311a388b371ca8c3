import { expect, test } from 'vitest';
import { SteadyTime } from '../../src/pacing/steady-time.ts';

test('time is the time of the clock while that goes on', () => {
  const time = new SteadyTime();
  expect([5000, 6000, 6000, 9000].map((now) => time.at(now))).toEqual([5000, 6000, 6000, 9000]);
  expect(time.toClock(9000)).toBe(9000);
  expect(time.mark()).toEqual({ lastMs: 9000, aheadMs: 0 });
});

test('a clock that is put back takes no time back: it goes on from there', () => {
  const time = new SteadyTime();
  time.at(100_000);
  expect(time.at(40_000)).toBe(100_000);
  expect(time.at(40_500)).toBe(100_500);
  expect(time.mark()).toEqual({ lastMs: 100_500, aheadMs: 60_000 });
  expect(time.toClock(100_500)).toBe(40_500);
  expect(time.toClock(undefined)).toBeUndefined();
  // Put back once more, and on again.
  expect(time.at(10_000)).toBe(100_500);
  expect(time.at(110_000)).toBe(200_500);
});

test('who read the clock up to a second earlier puts none back', () => {
  const time = new SteadyTime();
  time.at(100_000);
  expect(time.at(99_000)).toBe(100_000);
  expect(time.mark()).toEqual({ lastMs: 100_000, aheadMs: 0 });
  expect(time.at(98_999)).toBe(100_000);
  expect(time.mark()).toEqual({ lastMs: 100_000, aheadMs: 1001 });
});

test('it goes on from where it was kept', () => {
  const time = new SteadyTime({ lastMs: 100_000, aheadMs: 60_000 });
  expect(time.at(40_100)).toBe(100_100);
  expect(time.toClock(100_100)).toBe(40_100);
});
