import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import { type Client, START_MS } from '../support/rate/world.ts';
import { anyWorld, push, requestsOf, SECOND, type Setting } from './any-world.ts';
import { copyOf, experienced } from './remembering.ts';
import { runsOf } from '../support/night.ts';

const RUNS = { numRuns: runsOf(150), seed: 20_260_115 };

const MOST_HAPPENINGS = 20_000;

/** A pacer that is replaced by its own copy at every `every`-th thing that happens. */
function changingHands(every: number): Client {
  let pacer = new Pacer();
  let happened = 0;
  const next = (): Pacer => {
    happened += 1;
    // One that has forgotten too much would ask for hours without a pause.
    if (happened > MOST_HAPPENINGS) throw new Error('No pacer asks as often.');
    if (happened % every === 0) pacer = copyOf(pacer);
    return pacer;
  };
  return {
    delayMs: (now, leave, wanted) => next().delayMs(now, leave, wanted),
    sent: (now) => next().sent(now),
    answered: (ticket, now, answer) => next().answered(ticket, now, answer),
    lost: (ticket, now) => next().lost(ticket, now),
  };
}

describe('a copy by way of JSON', () => {
  const short = (world: Setting): number => Math.min(requestsOf(world), 120);

  test('decides as the original would, in any world, wherever it takes over', () => {
    // Making a failure smaller would take minutes.
    fc.assert(
      fc.property(anyWorld, fc.integer({ min: 1, max: 200 }), (world, every) => {
        const requests = short(world);
        const { sendings } = push(world, { requests });
        expect(push(world, { requests, client: changingHands(every) }).sendings).toEqual(sendings);
      }),
      { ...RUNS, endOnFailure: true },
    );
  });

  test('remembers the same again', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const pacer = new Pacer();
        push(world, { client: pacer, requests: short(world) });
        expect(copyOf(pacer).toJSON()).toEqual(pacer.toJSON());
      }),
      RUNS,
    );
  });

  test('is taken over after the newest answer came late', () => {
    const pacer = experienced();
    const laterMs = START_MS + 3600 * SECOND;
    pacer.answered(pacer.sent(laterMs), laterMs + SECOND, {
      refused: false,
      limit: 30,
      remaining: 29,
      retryAfterMs: undefined,
    });
    expect(copyOf(pacer).toJSON()).toEqual(pacer.toJSON());
  });

  test('is its own: what happens to one does not reach the other', () => {
    const pacer = experienced();
    const before = JSON.stringify(pacer);
    // Also without the way by JSON.
    const other = new Pacer(pacer.toJSON());
    const laterMs = START_MS + 3600 * SECOND;
    other.answered(other.sent(laterMs), laterMs + 20, {
      refused: false,
      limit: 99,
      remaining: 98,
      retryAfterMs: undefined,
    });
    expect(JSON.stringify(pacer)).toBe(before);
  });

  test('takes a few kilobytes, however long the push', () => {
    const pacer = new Pacer();
    push(
      { seed: 1, kind: 'first-request', limit: 30, windowMs: 2 * SECOND, latencyMs: 20 },
      { client: pacer, requests: 3000 },
    );
    expect(JSON.stringify(pacer).length).toBeLessThan(8000);
  });
});
