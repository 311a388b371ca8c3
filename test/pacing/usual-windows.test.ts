import { describe, expect, test } from 'vitest';
import { lookedAt, nextLookMs, usualAbove, usualNear, usualWithin } from '../../src/pacing/usual-windows.ts';
import { SECOND } from './any-world.ts';

const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const FOREVER = Number.POSITIVE_INFINITY;

const LENGTHS = [
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 4, 6, 12, 24].map((n) => n * HOUR),
];

/** What comes of asking again and again from the answer before. */
function chain(next: (ms: number) => number, count: number): number[] {
  const steps = [0];
  while (steps.length <= count) steps.push(next(steps.at(-1) ?? 0));
  return steps.slice(1);
}

describe('the usual lengths of a window', () => {
  test('are those that services choose, and no others', () => {
    const found = Array.from({ length: 25 * 3600 }, (_, seconds) =>
      usualWithin((seconds - 1) * SECOND, seconds * SECOND),
    );
    expect(found.flat()).toEqual(LENGTHS);
  });

  test('lie above one bound and not above the other', () => {
    expect(usualWithin(10 * SECOND, 14_999)).toEqual([]);
    expect(usualWithin(10 * SECOND, 15 * SECOND)).toEqual([15 * SECOND]);
    expect(usualWithin(2 * SECOND, 11 * SECOND)).toEqual([3 * SECOND, 5 * SECOND, 10 * SECOND]);
  });

  test('are taken for a measured one within its error', () => {
    expect(usualNear(9900, 0.02)).toBe(10 * SECOND);
    expect(usualNear(10_100, 0.02)).toBe(10 * SECOND);
    expect(usualNear(9500, 0.02)).toBe(9500);
    // The nearest, not the first within the error.
    expect(usualNear(14 * SECOND, 0.5)).toBe(15 * SECOND);
    expect(usualNear(10 * SECOND, 0)).toBe(10 * SECOND);
    // At the error itself nothing is said.
    expect(usualNear(8 * SECOND, 0.25)).toBe(8 * SECOND);
  });
});

describe('looks', () => {
  const LOOKS = [
    ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
    ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
    ...[1, 2, 4].map((n) => n * HOUR),
  ];

  test('come at the lengths that windows have most, then every hour', () => {
    expect(chain((ms) => nextLookMs(ms, FOREVER), 17)).toEqual([...LOOKS, 5 * HOUR, 6 * HOUR]);
  });

  test('are not repeated for an age that was measured a little short', () => {
    expect(nextLookMs(990, FOREVER)).toBe(2 * SECOND);
    expect(nextLookMs(970, FOREVER)).toBe(SECOND);
  });

  test('were worth a request at the last of those ages', () => {
    expect([0, 970, 990, 14_000, 70_000].map(lookedAt)).toEqual([0, 0, SECOND, 10 * SECOND, MINUTE]);
  });

  test('come no later than the longest gap allows', () => {
    expect(nextLookMs(30 * SECOND, 20 * SECOND)).toBe(50 * SECOND);
    expect(nextLookMs(30 * SECOND, 40 * SECOND)).toBe(60 * SECOND);
    expect(nextLookMs(5 * HOUR, 10 * MINUTE)).toBe(5 * HOUR + 10 * MINUTE);
  });

  test('a window that is longer than was thought is taken for the next of them, at last for twice as long', () => {
    expect(chain(usualAbove, 17)).toEqual([...LOOKS, 8 * HOUR, 16 * HOUR]);
    expect(usualAbove(7 * SECOND)).toBe(10 * SECOND);
  });
});
