import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import type { Answer } from '../../src/pacing/pacer-state.ts';
import { START_MS } from '../support/rate/world.ts';
import { SECOND } from './any-world.ts';

const RUNS = { numRuns: 500, seed: 20_260_115 };
const HOUR = 3600 * SECOND;

/** What a header may say once it has been read as a whole number that is not negative. */
const anyCount = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(0, 1, 29, 30, 31, 1e9, Number.MAX_SAFE_INTEGER),
  fc.integer({ min: 0, max: 100 }),
);

const anyAnswer: fc.Arbitrary<Answer> = fc.record({
  refused: fc.boolean(),
  limit: anyCount,
  remaining: anyCount,
  retryAfterMs: fc.option(fc.integer({ min: 0, max: 2 * SECOND }), { nil: undefined }),
});

type Step =
  | { what: 'send' }
  | { what: 'answer'; ticket: number; answer: Answer }
  | { what: 'lose'; ticket: number }
  | { what: 'wait'; ms: number };

/** Tickets are any: of requests under way, answered before, and never sent. */
const anyTicket = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(-1, 0, 0.5, 1e9, Number.NaN));

const calmStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant('send' as const) }),
  fc.record({ what: fc.constant('answer' as const), ticket: anyTicket, answer: anyAnswer }),
  fc.record({ what: fc.constant('lose' as const), ticket: anyTicket }),
  fc.record({ what: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 90 * SECOND }) }),
);

/** The clock is set: on by up to a month, or back. */
const jump: fc.Arbitrary<Step> = fc.record({
  what: fc.constant('wait' as const),
  ms: fc.integer({ min: -HOUR, max: 720 * HOUR }),
});

interface Driven {
  pacer: Pacer;
  now: number;
  underWay: Set<number>;
}

/** Does the steps, and looks after each whether the pacer still makes sense. */
function drive(steps: readonly Step[], pacer = new Pacer()): Driven {
  const driven: Driven = { pacer, now: START_MS, underWay: new Set() };
  const { underWay } = driven;
  for (const step of steps) {
    if (step.what === 'wait') driven.now += step.ms;
    if (step.what === 'send') underWay.add(pacer.sent(driven.now));
    if (step.what === 'answer') pacer.answered(step.ticket, driven.now, step.answer);
    if (step.what === 'lose') pacer.lost(step.ticket, driven.now);
    if (step.what === 'answer' || step.what === 'lose') underWay.delete(step.ticket);
    const delayMs = pacer.delayMs(driven.now);
    expect(delayMs).not.toBeNaN();
    if (underWay.size === 0) expect(delayMs).toBeLessThan(Number.POSITIVE_INFINITY);
  }
  return driven;
}

/** Waits as long as the pacer says, and sends, until so many have been granted. Returns the time that took. */
function grants({ pacer, now: from, underWay }: Driven, count: number, answer: Answer): number {
  let now = from;
  for (const ticket of underWay) pacer.lost(ticket, now);
  for (let granted = 0; granted < count; granted += 1) {
    for (let asked = 0; pacer.delayMs(now) > 0; asked += 1) {
      expect(asked).toBeLessThan(100);
      now += pacer.delayMs(now);
    }
    pacer.answered(pacer.sent(now), now + 20, answer);
    now += 20;
  }
  return now - from;
}

describe('nonsense in answers', () => {
  const plain: Answer = { refused: false, limit: 30, remaining: 20, retryAfterMs: undefined };

  test.each<[string, fc.Arbitrary<Step>]>([
    ['of any kind, in any order, twice, and to requests that never were', calmStep],
    ['with the clock set on and back in between', fc.oneof(calmStep, jump)],
  ])('%s: no delay that is not a number, nor one without end', (_, step) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        drive(steps);
      }),
      RUNS,
    );
  });

  test('does not stop what comes after it', () => {
    fc.assert(
      fc.property(fc.array(calmStep, { maxLength: 60 }), (steps) => {
        expect(grants(drive(steps), 10, plain)).toBeLessThan(48 * HOUR);
      }),
      RUNS,
    );
  });
});
