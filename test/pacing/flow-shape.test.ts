import { describe, expect, test } from 'vitest';
import { mirror, predicted } from '../../src/pacing/flow-shape.ts';
import type { Learnt, PacerState } from '../../src/pacing/pacer-state.ts';
import { at, learnt, request } from './states.ts';

/** Thirty a minute, one in two seconds: ten were sent, and all tokens are spent. */
const flow = (more: Partial<PacerState> = {}): Learnt =>
  learnt({ shape: 'flow', granted: 10, sentCount: 10, ...more });

/** An answer to the eleventh, sent so long after the start: that much is left. */
function answer(state: Learnt, sentMs: number, remaining: number): Learnt {
  mirror(state, request(11, sentMs), remaining);
  return state;
}

describe('what a bucket will have granted', () => {
  test('grows at its rate since it was last told of', () => {
    expect(predicted(flow(), request(11, 4000))).toBe(12);
    expect(predicted(flow({ toldMs: at(2000) }), request(11, 4000))).toBe(11);
    expect(predicted(flow({ toldMs: at(9000) }), request(11, 4000))).toBe(10);
  });

  test('is corrected by a quarter of what an answer says otherwise', () => {
    // Twelve were expected; three left after eleven of ours are fourteen.
    expect(answer(flow(), 4000, 3).granted).toBe(12.5);
    expect(answer(flow(), 4000, 0).granted).toBe(11.75);
    // An older one is still on its way.
    expect(answer(flow({ underWay: [request(9, 0)] }), 4000, 2).granted).toBe(12);
  });

  test('and by then nothing more had come back', () => {
    expect(answer(flow(), 4000, 0).noRefillMs).toBe(at(4000));
    expect(answer(flow({ noRefillMs: at(5000) }), 4000, 0).noRefillMs).toBe(at(5000));
  });
});

describe('the rate of a bucket', () => {
  /** Measured from an answer at the start, after which ten had been granted. */
  const measured = (tookMs: number, back: number, more: Partial<PacerState> = {}): Learnt =>
    answer(flow({ anchor: { atMs: at(0), granted: 11 }, ...more }), tookMs, back);

  test('is measured from the first answer on', () => {
    expect(answer(flow(), 4000, 3).anchor).toEqual({ atMs: at(4000), granted: 14 });
  });

  test('is not measured while the bucket is nearly full', () => {
    expect(measured(4000, 23)).toMatchObject({ anchor: { atMs: at(4000), granted: 34 }, windowMs: 60_000 });
    expect(measured(4000, 22).anchor).toEqual({ atMs: at(0), granted: 11 });
  });

  test('is what came back over the time that it took, or the usual one near it', () => {
    // Ten in 33 s are thirty in 99 s, to within a quarter.
    expect(measured(33_000, 10)).toMatchObject({ windowMs: 120_000, confirmedMs: at(33_000) });
    expect(measured(11_000, 10).windowMs).toBe(30_000);
    // No usual length is near 42 s.
    expect(measured(14_000, 10).windowMs).toBe(42_000);
  });

  test('stays as it is within the error of the measurement', () => {
    expect(measured(24_500, 10)).toMatchObject({ windowMs: 60_000, confirmedMs: at(24_500) });
    expect(measured(16_000, 10, { windowMs: 50_000 }).windowMs).toBe(50_000);
  });

  test('is not measured by little, or in hardly any time', () => {
    expect(measured(32_000, 7)).toMatchObject({ windowMs: 60_000, confirmedMs: undefined });
    expect(measured(32_000, 8).confirmedMs).toBe(at(32_000));
    expect(measured(159, 10).confirmedMs).toBeUndefined();
    expect(measured(160, 10).confirmedMs).toBe(at(160));
    // Of a small limit that much is enough.
    expect(measured(32_000, 4, { limit: 6 }).confirmedMs).toBeUndefined();
    const small = measured(60_000, 4, { limit: 6, anchor: { atMs: at(0), granted: 9 } });
    expect(small.confirmedMs).toBe(at(60_000));
  });

  test('is measured anew after four times the limit, so that a change shows', () => {
    const later = (granted: number): Learnt =>
      measured(240_000, 10, { anchor: { atMs: at(0), granted: 21 - granted } });
    expect(later(119).anchor).toEqual({ atMs: at(0), granted: -98 });
    expect(later(120).anchor).toEqual({ atMs: at(240_000), granted: 21 });
  });
});
