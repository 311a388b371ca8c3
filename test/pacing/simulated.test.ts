import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import { type Simulated, simulate } from '../support/rate/simulate.ts';
import type { Sending, World as Setting } from '../support/rate/world.ts';

const SECOND = 1000;
const LIMIT = 30;
/** The shortest wait that a refusal without Retry-After may cause. */
const BACKOFF_MS = 250;
const RUNS = { numRuns: 150, seed: 20_260_115 };

type Kind = Setting['kind'];

interface World {
  kind: Kind;
  limit: number;
  windowMs: number;
  latencyMs: number;
  jitter: number;
  workers: number;
  retryAfter: boolean;
  seed: number;
}

const anyWorld = fc.record<World>({
  kind: fc.constantFrom<Kind>('first-request', 'aligned', 'sliding-log', 'token-bucket'),
  limit: fc.integer({ min: 1, max: 100 }),
  windowMs: fc.integer({ min: SECOND, max: 300 * SECOND }),
  latencyMs: fc.integer({ min: 2, max: 800 }),
  jitter: fc.double({ min: 0, max: 0.5, noNaN: true }),
  workers: fc.integer({ min: 1, max: 40 }),
  retryAfter: fc.boolean(),
  seed: fc.nat(),
});

const anyHeaders = fc.constantFrom<'always' | 'never'>('always', 'never');

/** A push of five budgets through a new pacer. */
function push(world: World, more: Partial<Setting> = {}): Simulated {
  return simulate({ client: new Pacer(), requests: world.limit * 5, ...world, ...more });
}

/** Sendings that left although a refusal known by then asked to wait. */
function impatient(sendings: readonly Sending[]): Sending[] {
  const refusals = sendings.filter(({ outcome }) => outcome === 'refused');
  return sendings.filter(({ sentMs }) =>
    refusals.some(
      ({ doneMs, retryAfterMs = BACKOFF_MS }) => sentMs > doneMs && sentMs < doneMs + retryAfterMs - 1e-6,
    ),
  );
}

describe('in any world', () => {
  test('a push comes to its end, and the pacer waits for an answer only while one is to come', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const { stalled, sendings } = push(world);
        expect(stalled).toBe(false);
        expect(sendings.filter(({ outcome }) => outcome === 'granted').length).toBe(world.limit * 5);
      }),
      RUNS,
    );
  });

  test('so it does when answers get lost', () => {
    fc.assert(
      fc.property(anyWorld, fc.constantFrom(0.05, 0.2), (world, lossy) => {
        expect(push(world, { lossy }).stalled).toBe(false);
      }),
      RUNS,
    );
  });

  test('never more than eight requests are under way, and the first goes alone', () => {
    fc.assert(
      fc.property(anyWorld, anyHeaders, (world, headers) => {
        const { mostUnderWay, sendings } = push(world, { headers });
        expect(mostUnderWay).toBeLessThanOrEqual(8);
        expect(sendings[1]?.sentMs).toBeGreaterThanOrEqual(sendings[0]?.doneMs ?? 0);
      }),
      RUNS,
    );
  });

  test('after a refusal nobody sends until the backoff or Retry-After is over', () => {
    fc.assert(
      fc.property(anyWorld, anyHeaders, (world, headers) => {
        expect(impatient(push(world, { headers }).sendings)).toEqual([]);
      }),
      RUNS,
    );
  });

  test('never more than three are refused in a row without a pause', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        // A log gives back single requests, and answers that overtake each other blur how many.
        expect(push(world).longestStorm).toBeLessThanOrEqual(world.kind === 'sliding-log' ? 4 : 3);
      }),
      RUNS,
    );
  });

  test('without rate headers never more than eight are refused in a row without a pause', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        expect(push(world, { headers: 'never' }).longestStorm).toBeLessThanOrEqual(8);
      }),
      RUNS,
    );
  });
});

describe('without refill', () => {
  test('what is sent while others are under way is never refused', () => {
    const never = 1e12;
    fc.assert(
      fc.property(anyWorld, (world) => {
        const { limit } = world;
        const { sendings } = push(world, { kind: 'first-request', windowMs: never, requests: limit });
        expect(
          sendings.filter(({ outcome, underWayBefore }) => outcome === 'refused' && underWayBefore > 0),
        ).toEqual([]);
      }),
      RUNS,
    );
  });
});

const USUAL_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300];

/** What 21 pushes of twelve windows reached: the shares of the permitted in rising order, and the most refused. */
function pushTwelveWindows(kind: Kind, windowMs: number): { shares: number[]; mostRefused: number } {
  const line = { limit: LIMIT, windowMs, latencyMs: 20, jitter: 0.2, workers: 16, retryAfter: false };
  const pushes = Array.from({ length: 21 }, (_, seed) =>
    push({ kind, seed, ...line }, { requests: 12 * LIMIT }),
  );
  return {
    shares: pushes.map((pushed) => (pushed.steady ?? 0) * 100).sort((a, b) => a - b),
    mostRefused: Math.max(...pushes.map(({ refused }) => refused)),
  };
}

describe.each<[Kind, number]>([
  ['first-request', 3],
  ['aligned', 5],
  // Looks like a window of a second or two at first, which costs some refusals.
  ['token-bucket', 12],
])('twelve windows of usual length, %s', (kind, refusable) => {
  test.each(USUAL_SECONDS)('%d s: learnt, then used by nine tenths and more', (seconds) => {
    const { shares, mostRefused } = pushTwelveWindows(kind, seconds * SECOND);
    expect(shares[0]).toBeGreaterThanOrEqual(90);
    expect(mostRefused).toBeLessThanOrEqual(refusable);
  });
});

describe('twelve windows of usual length, sliding log', () => {
  // Requests come back one by one, which pilots alone follow badly.
  test.each(USUAL_SECONDS)('%d s: nine tenths most of the time, half always', (seconds) => {
    const { shares, mostRefused } = pushTwelveWindows('sliding-log', seconds * SECOND);
    expect([(shares[10] ?? 0) >= 90, (shares[0] ?? 0) >= 50]).toEqual([true, true]);
    expect(mostRefused).toBeLessThanOrEqual(10);
  });
});
