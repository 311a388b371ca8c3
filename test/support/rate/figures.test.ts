import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { figuresOf } from './figures.ts';
import { shortestMs } from './oracle.ts';
import { type Sending, START_MS, type World } from './world.ts';

const SECOND = 1000;

const noClient = { delayMs: () => 0, sent: () => 0, answered: () => undefined, lost: () => undefined };

const world = (more: Partial<World> = {}): World => ({
  seed: 1,
  kind: 'first-request',
  limit: 10,
  windowMs: SECOND,
  latencyMs: 20,
  requests: 60,
  client: noClient,
  ...more,
});

const others = { asked: 0, refused: 0, grantedMs: [] as number[], refusedMs: [] as number[] };

/** A sending that took 20 ms, at a time of the run. */
const sending = (atMs: number, more: Partial<Sending> = {}): Sending => ({
  sentMs: START_MS + atMs,
  arrivedMs: START_MS + atMs + 10,
  doneMs: START_MS + atMs + 20,
  outcome: 'granted',
  underWayBefore: 0,
  retryAfterMs: undefined,
  ...more,
});

/** `count` bursts of ten, `everyMs` apart. */
const bursts = (count: number, everyMs: number): Sending[] =>
  Array.from({ length: count * 10 }, (_, index) => sending(Math.floor(index / 10) * everyMs));

/** What `shortestMs` says of each kind, latency aside; `toNextMs` until the next window of the clock. */
const FORMULAS: Record<World['kind'], (n: number, l: number, w: number, toNextMs: number) => number> = {
  'first-request': (n, l, w) => (Math.ceil(n / l) - 1) * w,
  punishing: (n, l, w) => (Math.ceil(n / l) - 1) * w,
  'sliding-log': (n, l, w) => (Math.ceil(n / l) - 1) * w,
  'counting-log': (n, l, w) => (Math.ceil(n / l) - 1) * w,
  aligned: (n, l, w, toNextMs) => (n <= l ? 0 : toNextMs + (Math.ceil(n / l) - 2) * w),
  'sliding-counter': (n, l, w, toNextMs) => (n <= l ? 0 : toNextMs + ((n - l - 1) / l) * w),
  'token-bucket': (n, l, w) => Math.max(0, ((n - l) / l) * w),
  gcra: (n, l, w) => Math.max(0, ((n - l) / l) * w),
};

describe('the shortest time', () => {
  test.each(Object.entries(FORMULAS))('of %s', (kind, formula) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 10, max: 3600 }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (requests, limit, tens, part) => {
          const windowMs = tens * 100;
          const toNextMs = (1 - part) * windowMs;
          const phaseMs = ((START_MS + 10) % windowMs) + toNextMs;
          const took = shortestMs(world({ kind: kind as World['kind'], requests, limit, windowMs, phaseMs }));
          expect(Math.abs(took - 20 - formula(requests, limit, windowMs, toNextMs))).toBeLessThan(1.5);
        },
      ),
    );
  });

  test('leaves the other client its share', () => {
    expect(shortestMs(world({ share: 0.5, requests: 30 }))).toBeCloseTo(4020);
  });

  test('follows the changes', () => {
    const changes = [{ atMs: 1500, limit: 30 }];
    expect(shortestMs(world({ requests: 50, changes }))).toBeCloseTo(1500 + 10);
    expect(shortestMs(world({ requests: 51, changes }))).toBeCloseTo(2500 + 10);
  });
});

describe('overall and steady', () => {
  test('of one that loses nothing are whole', () => {
    const figures = figuresOf(world(), bursts(6, SECOND), others, START_MS + 5 * SECOND + 20);
    expect(figures).toMatchObject({ accepted: 60, refused: 0, longestIdleMs: SECOND, steadyIdleMs: SECOND });
    expect([figures.overall, figures.steady, figures.together]).toEqual([1, 1, 1]);
  });

  test('show what is lost, and by whom', () => {
    const sendings = bursts(6, 1250);
    const theirs = {
      asked: 9,
      refused: 2,
      grantedMs: [3749, 3760, 3761, 6259, 6260].map((ms) => START_MS + ms),
      refusedMs: [],
    };
    const figures = figuresOf(world(), sendings, theirs, START_MS + 2 * (5 * SECOND + 20));
    expect(figures).toMatchObject({ overall: 0.5, steady: 0.8, othersAsked: 9, othersRefused: 2 });
    expect(figures.together).toBeCloseTo(23 / 25);
  });

  test('learning does not count as steady', () => {
    const sendings = [
      ...Array.from({ length: 30 }, (_, index) => sending(index * 400)),
      ...bursts(3, SECOND),
    ];
    const late = sendings.map((one, index) =>
      index < 30 ? one : { ...one, arrivedMs: (one.arrivedMs ?? 0) + 20 * SECOND },
    );
    const figures = figuresOf(world(), late, others, START_MS + 30 * SECOND);
    expect([figures.steady, figures.steadyIdleMs]).toEqual([1, SECOND]);
    expect(figures.longestIdleMs).toBe(20 * SECOND - 29 * 400);
  });

  test('a changed limit permits more', () => {
    const changes = [{ atMs: 4010, limit: 20 }];
    const { steady } = figuresOf(world({ changes }), bursts(6, SECOND), others, START_MS + 6 * SECOND);
    expect(steady).toBeCloseTo(20 / 30);
  });

  test('of a short push nobody can tell', () => {
    expect(figuresOf(world(), bursts(3, SECOND), others, START_MS + 9 * SECOND).steady).toBeUndefined();
  });
});

describe('refusals', () => {
  const refused = (atMs: number, retryAfterMs?: number) =>
    sending(atMs, { outcome: 'refused', retryAfterMs });
  const stormOf = (sendings: readonly Sending[]) =>
    figuresOf(world(), sendings, others, START_MS + SECOND).longestStorm;

  test('are counted as a share of what was sent', () => {
    const figures = figuresOf(world(), [refused(0), ...bursts(1, 1).slice(0, 3)], others, START_MS + SECOND);
    expect([figures.refused, figures.refusedShare]).toEqual([1, 0.25]);
  });

  test('are a storm until 250 ms after the first was known', () => {
    expect(stormOf([refused(0), refused(5), sending(6), refused(269)])).toBe(3);
    expect(stormOf([refused(0), refused(5), refused(270)])).toBe(2);
    expect(stormOf([])).toBe(0);
  });

  test('are a storm until Retry-After is over', () => {
    expect(stormOf([refused(0, SECOND), refused(1019)])).toBe(2);
    expect(stormOf([refused(0, SECOND), refused(1020)])).toBe(1);
  });
});
