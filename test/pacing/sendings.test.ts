import { describe, expect, test } from 'vitest';
import {
  countBetween,
  nthNewestMs,
  nthOldestMs,
  type Sent,
  withLater,
  without,
  withSending,
} from '../../src/pacing/sendings.ts';
import { START_MS } from '../support/rate/world.ts';

const WINDOW_MS = 25_600;
const PART_MS = 100;

/** Requests sent at the times, one after the other. */
function sentAt(windowMs: number | undefined, times: readonly number[]): Sent[] {
  return times.reduce<Sent[]>((sendings, ms) => withSending(sendings, ms, windowMs), []);
}
const every = (count: number, gapMs: number, fromMs = 0): number[] =>
  Array.from({ length: count }, (_, index) => fromMs + index * gapMs);

describe('our requests', () => {
  test('are kept one by one, however close together, as long as they are few', () => {
    expect(sentAt(WINDOW_MS, [1000, 1000, 1001])).toEqual([
      [1000, 1],
      [1000, 1],
      [1001, 1],
    ]);
    expect(sentAt(WINDOW_MS, every(64, 1))).toHaveLength(64);
  });

  test('are counted together where many go in one part of a window, from the last of them', () => {
    const sendings = sentAt(WINDOW_MS, [...every(64, 0), PART_MS - 1, PART_MS]);
    expect(sendings).toHaveLength(65);
    expect(sendings.slice(-2)).toEqual([
      [PART_MS - 1, 2],
      [PART_MS, 1],
    ]);
  });

  test('are forgotten when no window counts them any more, but for the newest', () => {
    const keptAt = (nowMs: number) => sentAt(WINDOW_MS, [...every(70, PART_MS), nowMs]).map(([ms]) => ms);
    const endMs = 1.25 * WINDOW_MS;
    expect(keptAt(5 * PART_MS + endMs)[0]).toBe(5 * PART_MS);
    expect(keptAt(5 * PART_MS + endMs + 1)[0]).toBe(6 * PART_MS);
    expect(keptAt(1e9)).toEqual([...every(64, PART_MS, 6 * PART_MS), 1e9]);
  });

  test('are all kept while the window is not known, in parts of the time since the first', () => {
    const sendings = withSending(sentAt(undefined, every(70, 60_000)), 71 * 60_000, undefined);
    expect(sendings).toHaveLength(71);
    const many = sentAt(undefined, every(2000, 10, START_MS));
    expect(many.length).toBeLessThan(1000);
    expect(countBetween(many, 0, START_MS + 20_000)).toBe(2000);
  });

  test('of the same moment share a part that is never shorter than a millisecond', () => {
    expect(withSending(sentAt(undefined, every(64, 0)), 0.5, undefined)).toHaveLength(64);
    expect(withSending(sentAt(10, every(64, 0)), 0.5, 10)).toHaveLength(64);
  });
});

describe('one that arrived late', () => {
  test('counts from then, the newest of its time alone', () => {
    const sendings: Sent[] = [
      [10, 1],
      [20, 1],
      [20, 1],
      [30, 1],
    ];
    expect(withLater(sendings, 20, 25)).toEqual([
      [10, 1],
      [20, 1],
      [25, 1],
      [30, 1],
    ]);
    expect(sendings[2]).toEqual([20, 1]);
  });

  test('is left where it went together with others, or is not known', () => {
    expect(withLater([[20, 2]], 20, 25)).toEqual([[20, 2]]);
    expect(withLater([[20, 1]], 21, 25)).toEqual([[20, 1]]);
  });
});

describe('of requests at 10, twice 20 and 30', () => {
  const sendings: Sent[] = [
    [10, 1],
    [20, 2],
    [30, 1],
  ];

  test('the newest are counted from the end', () => {
    expect([1, 2, 3, 4, 5].map((nth) => nthNewestMs(sendings, nth))).toEqual([30, 20, 20, 10, undefined]);
  });

  test('the oldest are counted from a time on', () => {
    const oldest = (fromMs: number, afterMs: number) =>
      [1, 2, 3, 4, 5].map((nth) => nthOldestMs(sendings, nth, fromMs, afterMs));
    expect(oldest(0, 0)).toEqual([10, 20, 20, 30, undefined]);
    expect(oldest(10, 9)).toEqual([10, 20, 20, 30, undefined]);
    expect(oldest(11, 0)).toEqual([20, 20, 30, undefined, undefined]);
    expect(oldest(0, 10)).toEqual([20, 20, 30, undefined, undefined]);
  });

  test('those between two times are after the one, and not after the other', () => {
    expect(countBetween(sendings, 10, 30)).toBe(3);
    expect(countBetween(sendings, 9, 29)).toBe(3);
    expect(countBetween(sendings, 30, 99)).toBe(0);
  });
});

test('one that went at a time is taken away, from those that are counted with it, too', () => {
  const sent: Sent[] = [
    [100, 1],
    [200, 3],
    [300, 1],
  ];
  expect(without(sent, 100)).toEqual(sent.slice(1));
  // Of those that are counted together the time is that of the last.
  expect(without(sent, 150)).toEqual([sent[0], [200, 2], sent[2]]);
  expect(without(sent, 301)).toEqual(sent);
});
