import { expect, test } from 'vitest';
import { Patience } from '../../src/pacing/patience.ts';

test('waits add up, and no more of them is borne than is allowed', () => {
  const patience = new Patience(1000);
  expect(patience.bears(1000)).toBe(true);
  expect(patience.bears(1001)).toBe(false);
  patience.begin(50, 400);
  patience.end(350);
  expect(patience.waitedMs).toBe(300);
  expect(patience.bears(700)).toBe(true);
  expect(patience.bears(701)).toBe(false);
  patience.begin(400, 400);
  patience.end(800);
  expect(patience.waitedMs).toBe(700);
});

test('the end of a wait counts once', () => {
  const patience = new Patience();
  patience.end(500);
  expect(patience.waitedMs).toBe(0);
  patience.begin(500, 400);
  patience.end(600);
  patience.end(900);
  expect(patience.waitedMs).toBe(100);
});

test('a clock that jumps counts for no more than was slept, and never for less than nothing', () => {
  const patience = new Patience();
  patience.begin(1000, 400);
  patience.end(90_000);
  expect(patience.waitedMs).toBe(400);
  patience.begin(90_000, 400);
  patience.end(1000);
  expect(patience.waitedMs).toBe(400);
});

test('without a limit every wait is borne', () => {
  expect(new Patience().bears(1e12)).toBe(true);
});
