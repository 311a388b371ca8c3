import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import type { Client, Sending } from '../support/rate/world.ts';
import { anyWorld, honestWorld, push, requestsOf, type Setting } from './any-world.ts';
import { runsOf } from '../support/night.ts';

const RUNS = { numRuns: runsOf(300), seed: 20_260_115 };

/** Sendings that left although an answer known by then had asked to wait. */
function impatient(sendings: readonly Sending[]): Sending[] {
  let untilMs = Number.NEGATIVE_INFINITY;
  const holds = sendings
    .flatMap(({ doneMs, retryAfterMs }) => (retryAfterMs === undefined ? [] : { doneMs, retryAfterMs }))
    .sort((a, b) => a.doneMs - b.doneMs);
  return sendings.filter(({ sentMs }) => {
    while (holds[0] !== undefined && holds[0].doneMs < sentMs) {
      const { doneMs, retryAfterMs } = holds.shift() as (typeof holds)[0];
      untilMs = Math.max(untilMs, doneMs + retryAfterMs);
    }
    return sentMs < untilMs - 1e-3;
  });
}

/** The pacer as it is when nobody knows how many more requests are to go. */
function unaware(): Client {
  const pacer = new Pacer();
  return {
    delayMs: (now, leave) => pacer.delayMs(now, leave),
    sent: (now) => pacer.sent(now),
    answered: (ticket, now, answer) => pacer.answered(ticket, now, answer),
    lost: (ticket, now) => pacer.lost(ticket, now),
  };
}

describe('in any world', () => {
  test('a push comes to its end, and the pacer waits for an answer only while one is to come', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const { stalled, accepted } = push(world);
        expect([stalled, accepted >= requestsOf(world)]).toEqual([false, true]);
      }),
      RUNS,
    );
  });

  test('the first request goes alone', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const [first, second] = push(world, { requests: Math.max(2, Math.min(9, world.limit)) }).sendings;
        expect(second?.sentMs).toBeGreaterThanOrEqual(first?.doneMs ?? Number.NaN);
      }),
      RUNS,
    );
  });

  test('nobody leaves before a Retry-After is over', () => {
    fc.assert(
      fc.property(anyWorld, fc.constantFrom(undefined, 'never' as const), (world, headers) => {
        const { sendings } = push({ ...world, retryAfter: true, ...(headers && { headers }) });
        expect(impatient(sendings)).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe('without a refill', () => {
  const truthful = fc.constantFrom('always' as const, 'good-only' as const);
  const never = (world: Setting): Setting => ({ ...world, kind: 'first-request', windowMs: 1e12 });

  test.each<[string, () => Client]>([
    ['the whole limit is spent', () => new Pacer()],
    ['so it is when nobody knows how many more are to go', unaware],
  ])('%s, and nothing is ever refused', (_, client) => {
    fc.assert(
      fc.property(honestWorld, truthful, (world, headers) => {
        const requests = world.limit;
        const { refused, stalled } = push(never(world), { client: client(), requests, headers });
        expect([refused, stalled]).toEqual([0, false]);
      }),
      RUNS,
    );
  });

  test('what follows is asked for by one request at a time', () => {
    fc.assert(
      fc.property(honestWorld, truthful, (world, headers) => {
        const { limit } = world;
        // Comes at last, so that the push does.
        const windowMs = 1e7;
        const { sendings } = push({ ...never(world), windowMs }, { requests: limit + 1, headers });
        const refusedAmongOthers = sendings.filter(
          ({ outcome, underWayBefore }) => outcome === 'refused' && underWayBefore > 0,
        );
        expect(refusedAmongOthers).toEqual([]);
      }),
      RUNS,
    );
  });
});

/** Requests that are permitted within a round trip: where there are many, all news is late. */
const onTheWay = ({ limit, latencyMs, windowMs }: Setting): number => (limit * latencyMs) / windowMs;

describe('silence while the window is learnt, and later, where the service tells the truth', () => {
  const inTime = honestWorld.filter((world) => onTheWay(world) < 1 && world.latencyMs < world.windowMs / 10);
  const punishes = ({ kind }: Setting): boolean => kind === 'punishing';

  // The gaps between two looks grow by 2.5 at most, and the end of a window is looked at twice.
  test.each<[string, number, (world: Setting) => boolean]>([
    ['3 windows are wanted, 5', 5, (world) => !punishes(world)],
    ['where refusals are punished, 8 windows', 8, punishes],
  ])('%s at most', (_, windows, isMeant) => {
    fc.assert(
      fc.property(inTime.filter(isMeant), (world) => {
        expect(push(world).longestIdleMs / world.windowMs).toBeLessThan(windows);
      }),
      RUNS,
    );
  });
});

describe('refusals in a row without a pause, where the service tells the truth', () => {
  const isBucket = ({ kind }: Setting): boolean => kind === 'token-bucket' || kind === 'gcra';

  test.each<[string, number, Partial<Setting>, (world: Setting) => boolean]>([
    ['windows and logs: 3 are wanted, 8', 8, {}, (world) => !isBucket(world) && onTheWay(world) < 1],
    ['buckets: 3 are wanted, 30', 30, {}, (world) => isBucket(world) && onTheWay(world) < 1],
    ['without rate headers: 8 are wanted, 24', 24, { headers: 'never' }, () => true],
  ])('%s at most', (_, most, more, isMeant) => {
    fc.assert(
      fc.property(honestWorld.filter(isMeant), (world) => {
        expect(push({ ...world, ...more }).longestStorm).toBeLessThanOrEqual(most);
      }),
      { ...RUNS, numRuns: runsOf(600) },
    );
  });
});
