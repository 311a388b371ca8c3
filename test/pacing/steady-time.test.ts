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
  const time = new SteadyTime();
  time.follow({ lastMs: 100_000, aheadMs: 60_000 });
  expect(time.at(40_100)).toBe(100_100);
  expect(time.toClock(100_100)).toBe(40_100);
});

test('within a process it goes on as a clock that nobody sets, also where another process has gone on', () => {
  let steadyMs = 5;
  const time = new SteadyTime(() => steadyMs);
  expect(time.at(100_000)).toBe(100_000);
  steadyMs = 1005;
  // Two days on, three days back, and right again.
  for (const setMs of [2, -1, 0].map((days) => days * 86_400_000)) {
    expect(time.at(101_000 + setMs)).toBe(101_000);
    expect(time.toClock(101_500)).toBe(101_500 + setMs);
    expect(time.mark()).toEqual({ lastMs: 101_000, aheadMs: 0 - setMs });
  }
  time.follow({ lastMs: 150_000, aheadMs: 0 });
  expect([time.at(101_000), time.at(101_000)]).toEqual([150_000, 150_000]);
  steadyMs = 2005;
  expect(time.at(102_000)).toBe(151_000);
});

test('a clock that was set while one worked is the same time for the next process', () => {
  let steadyMs = 0;
  const one = new SteadyTime(() => steadyMs);
  one.at(100_000);
  steadyMs = 10_000;
  one.at(172_900_000);
  const next = new SteadyTime(() => 77);
  next.follow(one.mark());
  expect(next.at(172_903_000)).toBe(113_000);
});

test('who waited between reading the clock and asking has the same time as the others afterwards', () => {
  let steadyMs = 0;
  const late = new SteadyTime(() => steadyMs);
  steadyMs = 400;
  late.at(100_000);
  steadyMs = 1000;
  expect(late.at(101_000)).toBe(101_000);
  steadyMs = 2400;
  late.at(102_000);
  expect(late.mark()).toEqual({ lastMs: 102_000, aheadMs: 0 });
});
