import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.ts';
import { ALL_WAYS, chooseKill, type KillOrder, type PushProfile, readKill, writeKill } from './kill-order.ts';

const profile = (writes: number, requests: number, lastWriteMs: number): PushProfile => ({
  durationsUs: Array.from({ length: writes }, () => 100),
  requests,
  firstWriteMs: 200,
  lastWriteMs,
});
const TARGET = { full: profile(60, 20, 400), idle: profile(20, 2, 250) };

/** A kill at each of a hundred positions, for a push with a part of its rows to send. */
function kills(part: number, seed = 1): KillOrder[] {
  const random = seededRandom(seed);
  return Array.from({ length: 600 }, (_, at) =>
    chooseKill(TARGET, random, { part, position: (at % 100) / 100, ways: ALL_WAYS }),
  );
}

const writesOf = (orders: readonly KillOrder[]): number[] =>
  orders.flatMap((order) => ('write' in order ? [order.write] : []));

describe('choosing kills', () => {
  test('hits every write of a push with everything to send, and none beyond', () => {
    const all = Array.from({ length: 60 }, (_, at) => at + 1);
    expect([...new Set(writesOf(kills(1)))].sort((one, other) => one - other)).toEqual(all);
  });

  test('aims at what is left to do', () => {
    expect(Math.max(...writesOf(kills(0)))).toBe(20);
    expect(Math.max(...writesOf(kills(0.5)))).toBe(40);
    const requests = kills(0).flatMap((order) => (order.at === 'request' ? [order.nth] : []));
    expect(new Set(requests)).toEqual(new Set([1, 2]));
  });

  test('knows every way, and stays inside the write and inside the push', () => {
    const orders = kills(1);
    expect(new Set(orders.map(({ at }) => at))).toEqual(
      new Set(['before', 'after', 'during', 'request', 'time']),
    );
    for (const order of orders) {
      if (order.at === 'during') expect(order.delayUs).toBeLessThan(100);
      if (order.at !== 'time') continue;
      expect(order.delayMs).toBeGreaterThanOrEqual(200);
      expect(order.delayMs).toBeLessThanOrEqual(400);
    }
  });

  test('keeps to the ways it is given', () => {
    const random = seededRandom(1);
    const order = (): KillOrder => chooseKill(TARGET, random, { part: 1, position: 0.5, ways: ['after'] });
    expect([order(), order()]).toEqual([
      { at: 'after', write: 31 },
      { at: 'after', write: 31 },
    ]);
  });

  test('chooses the same with the same seed', () => {
    expect(kills(1, 7)).toEqual(kills(1, 7));
    expect(kills(1, 7)).not.toEqual(kills(1, 8));
  });

  test.each<[KillOrder, string]>([
    [{ at: 'before', write: 3 }, 'before:3'],
    [{ at: 'after', write: 3 }, 'after:3'],
    [{ at: 'during', write: 3, delayUs: 0 }, 'during:3:0'],
    [{ at: 'request', nth: 2 }, 'request:2'],
    [{ at: 'time', delayMs: 250 }, 'time:250'],
  ])('%j is a word and back', (order, word) => {
    expect(writeKill(order)).toBe(word);
    expect(readKill(word)).toEqual(order);
  });

  test.each(['before', 'during:3', 'before:3:4', 'time:x', 'never:1'])('%s is no kill', (word) => {
    expect(() => readKill(word)).toThrow(`${word} is no kill`);
  });
});
