import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import { type Budget } from '../../src/pacing/pacer-state.ts';
import { type Client, START_MS, type World } from '../support/rate/world.ts';
import { anyWorld, push, SECOND } from './any-world.ts';
import { UNKNOWN } from './states.ts';

const WINDOW_MS = 60 * SECOND;

interface Look {
  atMs: number;
  budget: Budget;
  delayMs: number;
}

/** What the budget said each time the pacer was asked, in a push of some windows. */
function looks(kind: World['kind'], seed = 1): { looks: Look[]; sentMs: number[] } {
  const pacer = new Pacer();
  const seen: Look[] = [];
  const client: Client = {
    delayMs(now, leave, wanted) {
      const budget = pacer.budget(now);
      const delayMs = pacer.delayMs(now, leave, wanted);
      seen.push({ atMs: now, budget, delayMs });
      return delayMs;
    },
    sent: (now) => pacer.sent(now),
    lost: (ticket, now) => pacer.lost(ticket, now),
    answered: (ticket, now, answer) => pacer.answered(ticket, now, answer),
  };
  const world = { seed, kind, limit: 30, windowMs: WINDOW_MS, latencyMs: 20 };
  const { sendings } = push(world, { client, requests: 345 });
  return { looks: seen, sentMs: sendings.map(({ sentMs }) => sentMs) };
}

test('nothing is known before an answer, nor of a service without rate headers', () => {
  const pacer = new Pacer();
  expect(pacer.budget(START_MS)).toEqual(UNKNOWN);
  const ticket = pacer.sent(START_MS);
  pacer.answered(ticket, START_MS + 20, {
    refused: false,
    limit: undefined,
    remaining: undefined,
    retryAfterMs: undefined,
  });
  expect(pacer.budget(START_MS + 20)).toEqual({ ...UNKNOWN, roundTripMs: 20 });
});

test('where no limit is told it is what remained at most and the request that was told of it', () => {
  const pacer = new Pacer();
  const told = (remaining: number) =>
    pacer.answered(pacer.sent(START_MS), START_MS + 20, {
      refused: false,
      limit: undefined,
      remaining,
      retryAfterMs: undefined,
    });
  const limits = [27, 26, 29, 25].map((remaining) => {
    told(remaining);
    return pacer.budget(START_MS + 20).limit;
  });
  expect(limits).toEqual([28, 28, 30, 30]);
});

describe.each<World['kind']>(['first-request', 'aligned', 'token-bucket', 'gcra', 'sliding-log'])(
  '%s',
  (kind) => {
    const run = looks(kind);
    const learnt = run.looks.filter((_, index) => index > run.looks.length / 2);

    test('the limit, the window, and that it was confirmed lately are known', () => {
      expect(learnt.length).toBeGreaterThan(50);
      for (const { atMs, budget } of learnt) {
        expect(budget.limit).toBe(30);
        expect(Math.abs((budget.windowMs ?? 0) / WINDOW_MS - 1)).toBeLessThan(0.02);
        expect(budget.confirmedAtMs).toBeLessThanOrEqual(atMs);
        expect(budget.confirmedAtMs).toBeGreaterThan(atMs - 2 * WINDOW_MS);
      }
    });

    test('the refill is never in the past', () => {
      for (const { atMs, budget } of run.looks) {
        if (budget.refillsAtMs !== undefined) expect(budget.refillsAtMs).toBeGreaterThanOrEqual(atMs);
      }
    });

    test('what is left is a whole number that no refill makes more than the limit', () => {
      for (const { budget } of run.looks) {
        if (budget.remaining === undefined) continue;
        expect(Number.isInteger(budget.remaining)).toBe(true);
        expect(budget.remaining).toBeGreaterThanOrEqual(0);
        expect(budget.remaining).toBeLessThanOrEqual(30);
      }
    });
  },
);

test('the refill is told to within a margin of half a percent, once the budget is spent', () => {
  const { looks: seen, sentMs } = looks('first-request');
  const spent = seen.filter(
    ({ atMs, budget, delayMs }) =>
      budget.remaining === 0 && Number.isFinite(delayMs) && delayMs > 0 && atMs > START_MS + 4 * WINDOW_MS,
  );
  expect(spent.length).toBeGreaterThan(5);
  for (const { atMs, budget } of spent) {
    const next = sentMs.find((ms) => ms > atMs) ?? Number.NaN;
    expect(Math.abs((budget.refillsAtMs ?? 0) - next)).toBeLessThan(WINDOW_MS / 200);
  }
});

test('in any world every figure is a number or UNKNOWN, and asking changes nothing', () => {
  fc.assert(
    fc.property(anyWorld, (world) => {
      const pacer = new Pacer();
      const client: Client = {
        delayMs(now, leave, wanted) {
          const before = JSON.stringify(pacer);
          const { beside, ...told } = pacer.budget(now);
          const figures = [told, beside ?? {}].flatMap((budget) => Object.values(budget));
          expect(figures.filter((figure) => figure !== undefined && !Number.isFinite(figure))).toEqual([]);
          expect(JSON.stringify(pacer)).toBe(before);
          return pacer.delayMs(now, leave, wanted);
        },
        sent: (now) => pacer.sent(now),
        lost: (ticket, now) => pacer.lost(ticket, now),
        answered: (ticket, now, answer) => pacer.answered(ticket, now, answer),
      };
      push(world, { client, requests: Math.min(60, 3 * world.limit) });
    }),
    { numRuns: 60, seed: 20_260_115 },
  );
});
