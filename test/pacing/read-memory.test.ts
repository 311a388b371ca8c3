import { describe, expect, test } from 'vitest';
import { readMemory } from '../../src/pacing/pacer-memory.ts';
import { freshState, type PacerState } from '../../src/pacing/pacer-state.ts';
import { at, learnt, request, sendings } from './states.ts';

/** With everything that may be missing. */
const FULL: PacerState = learnt({
  sentCount: 10,
  confirmedMs: at(5),
  likely: { limit: 30, windowMs: 60_000 },
  lastSentMs: at(5000),
  underWay: [request(10, 5000)],
  sendings: sendings(4000, 5000),
  trickle: { sinceMs: at(1), firstMs: at(2), firstBack: 3, back: 4, isAsDue: true },
  anchor: { atMs: at(6), granted: 7 },
});

/** Read with one part of it, at a path, become something else; `undefined` takes it away. */
function readWith(path: string, value: unknown): PacerState | undefined {
  const memory = JSON.parse(JSON.stringify(FULL)) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.reduce<Record<string, unknown>>(
    (object, key) => object[key] as Record<string, unknown>,
    memory,
  );
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return readMemory(memory);
}

const COUNTS = ['forgotten', 'sentCount', 'outdatedUpTo', 'lostCount', 'refusals', 'earlyRefusals'];
const MORE_COUNTS = ['calmWindows', 'underWay.0.ticket', 'underWay.0.settled', 'sendings.0.1'];
const LENGTHS = [
  'leastMs',
  'mostMs',
  'roundTripMs',
  'jitterMs',
  'laterMs',
  'unexplained',
  'kept',
  'atOnce',
  'othersTook',
];
const MORE_LENGTHS = ['othersDemand', 'othersPerWindow', 'shortestTripMs'];
const TIMES = ['lastSentMs', 'newsMs', 'toldMs', 'noRefillMs', 'countedFromMs', 'silentUntilMs'];
const MORE_TIMES = [
  'refusedMs',
  'began.afterMs',
  'began.atMs',
  'began.byMs',
  'underWay.0.sentMs',
  'sendings.0.0',
];
const PARTS = ['trickle.sinceMs', 'trickle.firstMs', 'trickle.firstBack', 'trickle.back', 'anchor.atMs'];
const MORE_PARTS = [
  'anchor.granted',
  'granted',
  'confirmedMs',
  'limit',
  'windowMs',
  'likely.limit',
  'likely.windowMs',
];
const FLAGS = ['isGuessed', 'isScouted', 'isSure', 'trickle.isAsDue', 'underWay.0.hoped'];

const NUMBERS = [COUNTS, MORE_COUNTS, LENGTHS, MORE_LENGTHS, TIMES, MORE_TIMES, PARTS, MORE_PARTS].flat();

describe('what a pacer knew', () => {
  test('is read as it was written', () => {
    expect(readMemory(JSON.parse(JSON.stringify(FULL)))).toEqual(FULL);
    expect(readMemory(JSON.parse(JSON.stringify(freshState())))).toEqual(freshState());
  });

  test.each(['limit', 'granted', 'windowMs', 'confirmedMs', 'likely', 'shortestTripMs', 'trickle', 'anchor'])(
    'may be without %s',
    (path) => {
      expect(readWith(path, undefined)).toEqual({ ...FULL, [path]: undefined });
    },
  );

  test.each([...NUMBERS, ...FLAGS, 'shape', 'began', 'underWay', 'sendings'])(
    'is none where %s is of another kind',
    (path) => {
      expect(readWith(path, 'x')).toBeUndefined();
      expect(readWith(path, null)).toBeUndefined();
    },
  );

  test.each(NUMBERS)('is none where %s is beyond all sense', (path) => {
    expect(readWith(path, 1e16)).toBeUndefined();
    expect(readWith(path, -1e16)).toBeUndefined();
  });

  test.each([...COUNTS, ...MORE_COUNTS, ...LENGTHS, ...MORE_LENGTHS])(
    'is none where %s is negative',
    (path) => {
      expect(readWith(path, -1)).toBeUndefined();
    },
  );

  test.each([...COUNTS, ...MORE_COUNTS])('is none where %s is not whole', (path) => {
    expect(readWith(path, 0.5)).toBeUndefined();
  });

  test.each(['limit', 'windowMs', 'likely.limit', 'likely.windowMs'])(
    'is none where %s is nothing',
    (path) => {
      expect(readWith(path, 0)).toBeUndefined();
    },
  );

  test.each([...TIMES.slice(2), ...LENGTHS, ...MORE_LENGTHS])('may have a %s of zero', (path) => {
    expect(readWith(path, 0)).toBeDefined();
  });

  test.each(['window', 'log', 'flow'] as const)('may be of a %s', (shape) => {
    expect(readWith('shape', shape)?.shape).toBe(shape);
  });
});

describe('what cannot be', () => {
  test('is no better of the limit beside it', () => {
    expect(readMemory({ ...FULL, beside: FULL })).toEqual({ ...FULL, beside: FULL });
    expect(readMemory({ ...FULL, beside: { ...FULL, sentCount: 9 } })).toBeUndefined();
  });

  test('is an answer to come to a request that was never sent', () => {
    expect(readWith('underWay.0.ticket', 11)).toBeUndefined();
  });

  test('is a request that went after the last one, or after the last answer where that was late', () => {
    expect(readWith('sendings.1.0', at(5001))).toBeUndefined();
    expect(readMemory({ ...FULL, newsMs: at(5001), sendings: sendings(4000, 5001) })).toBeDefined();
    expect(readMemory({ ...FULL, newsMs: at(5001), sendings: sendings(4000, 5002) })).toBeUndefined();
  });

  test('are more requests than anybody sends', () => {
    const many = (count: number) => ({
      ...FULL,
      underWay: Array.from({ length: count }, () => request(10, 5000)),
    });
    expect(readMemory(many(100_000))).toBeDefined();
    expect(readMemory(many(100_001))).toBeUndefined();
    const kept = (count: number) => ({ ...FULL, sendings: Array.from({ length: count }, () => [at(1), 1]) });
    expect(readMemory(kept(10_000))).toBeDefined();
    expect(readMemory(kept(10_001))).toBeUndefined();
  });
});
