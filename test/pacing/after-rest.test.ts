import { describe, expect, test } from 'vitest';
import { afterRest, hasRested, scouted } from '../../src/pacing/after-rest.ts';
import { freshState, NEVER_MS, type PacerState } from '../../src/pacing/pacer-state.ts';
import { at, learnt, request } from './states.ts';

describe('nobody wanted to go', () => {
  const rested = (more: Partial<PacerState>, nowMs: number, leave = 0) =>
    hasRested(learnt({ sentCount: 10, newsMs: at(1000), lastSentMs: at(980), ...more }), at(nowMs), leave);

  test('where a request leaves half a second later than it might have', () => {
    const free = { limit: undefined, granted: undefined };
    expect(rested(free, 1500)).toBe(false);
    expect(rested(free, 1501)).toBe(true);
  });

  test('where the silence after a refusal had been over for that long', () => {
    const silent = { limit: undefined, granted: undefined, silentUntilMs: at(9000) };
    expect(rested(silent, 9500)).toBe(false);
    expect(rested(silent, 9501)).toBe(true);
  });

  test('not while it had to wait for the window, with what is left to people', () => {
    const spent = { granted: 10, countedFromMs: at(0), toldMs: at(980) };
    expect(rested(spent, 60_000)).toBe(false);
    expect(rested(spent, 60_600)).toBe(true);
    expect(rested({ granted: 12 }, 59_000, 5)).toBe(false);
    expect(rested({ granted: 12 }, 59_000)).toBe(true);
  });

  test('not before the first request, nor while one is under way', () => {
    expect(hasRested(freshState(), at(9000), 0)).toBe(false);
    expect(rested({ underWay: [request(10, 980)] }, 9000)).toBe(false);
  });
});

test('after a rest what was learnt is a hint, and what came back meanwhile teaches nothing', () => {
  const known: Partial<PacerState> = {
    trickle: { sinceMs: 0, firstMs: 0, firstBack: 1, back: 2, isAsDue: true },
    anchor: { atMs: at(0), granted: 4 },
    unexplained: 3,
    leastMs: 9000,
    laterMs: 12,
  };
  const state = learnt(known);
  afterRest(state);
  expect(state).toEqual({
    ...learnt({ isScouted: false, isSure: false, unexplained: 0, leastMs: 0, laterMs: 0 }),
    trickle: undefined,
    anchor: undefined,
  });
  const flow = learnt({ ...known, shape: 'flow' });
  afterRest(flow);
  expect(flow.isSure).toBe(true);
});

describe('the first answer, or the first after a rest', () => {
  /** The eleventh request: so much is left. */
  const told = (remaining: number, more: Partial<PacerState> = {}) => {
    const state = learnt({ isScouted: false, sentCount: 11, granted: 20, othersTook: 4, ...more });
    scouted(state, request(11, 5000), at(5020), remaining);
    return state;
  };

  test('tells how things stand', () => {
    const state = told(19);
    expect(state).toMatchObject({
      isScouted: true,
      granted: 30,
      noRefillMs: at(5000),
      lostCount: 0,
      began: { afterMs: NEVER_MS, atMs: at(5000), byMs: at(5020) },
      countedFromMs: at(5000),
      othersTook: 0,
    });
  });

  test('leaves open whether those that are still under way were counted', () => {
    const state = told(19, { underWay: [request(8, 0), request(9, 0)] });
    expect(state).toMatchObject({ granted: 28, lostCount: 2 });
  });

  test('is of the same window still where no more is left than was known', () => {
    const same = { granted: 20, began: learnt().began, countedFromMs: at(0), othersTook: 4 };
    expect(told(9)).toMatchObject(same);
    expect(told(8)).toMatchObject({ ...same, granted: 19 });
    expect(told(10)).toMatchObject({ granted: 21, countedFromMs: at(5000) });
    expect(told(9, { granted: undefined })).toMatchObject({ granted: 20, countedFromMs: at(5000) });
  });
});
