import { describe, expect, test } from 'vitest';
import { countedBy, creditOf, isLoose, reserveOf, shareOf, spendable } from '../../src/pacing/credit.ts';
import { freshState, type PacerState } from '../../src/pacing/pacer-state.ts';
import { at, beganFirst, learning, learnt, request } from './states.ts';

test('credit is what was granted less what was sent; nothing before an answer', () => {
  expect(creditOf(learnt({ granted: 40, sentCount: 25 }))).toBe(15);
  expect(creditOf(freshState())).toBe(0);
});

test('an answer counts our requests up to its own, but for older ones that are still on their way', () => {
  const state = learnt({ underWay: [request(3, 0), request(5, 0), request(9, 0)] });
  expect(countedBy(state, request(5, 0))).toBe(4);
  expect(countedBy(state, request(2, 0))).toBe(2);
  expect(countedBy(state, request(9, 0))).toBe(7);
});

test.each<[string, PacerState, number]>([
  ['nothing of a window that is sure', learnt(), 0],
  ['seven while it is not', learnt({ isSure: false }), 7],
  ['seven while it is not known', learning(), 7],
  ['nothing of a guess, of which no granted look tells', learnt({ isSure: false, isGuessed: true }), 0],
  ['seven while its beginning is only roughly known', learnt({ began: beganFirst(0) }), 7],
  ['three tenths of a small limit, whole', learnt({ isSure: false, limit: 13 }), 3],
  ['nothing of a limit that is not known', freshState(), 0],
])('what is kept for looks: %s', (_, state, reserve) => {
  expect(reserveOf(state)).toBe(reserve);
});

describe('the beginning of a window is only roughly known', () => {
  const after = (ms: number, more: Partial<PacerState> = {}) =>
    isLoose(learnt({ began: { afterMs: at(-ms), atMs: at(0), byMs: at(0) }, ...more }));

  test('where more than a quarter of it lies between what bounds it', () => {
    expect(after(15_000)).toBe(false);
    expect(after(15_001)).toBe(true);
  });

  test('and more than three round trips', () => {
    const far = { windowMs: 2000, roundTripMs: 300 };
    expect(after(900, far)).toBe(false);
    expect(after(901, far)).toBe(true);
    expect(after(901, { ...far, windowMs: 4000 })).toBe(false);
  });

  test('which matters to windows alone', () => {
    expect(after(59_000, { shape: 'log' })).toBe(false);
    expect(after(59_000, { shape: 'flow' })).toBe(false);
  });
});

describe('what may be spent', () => {
  const left = (more: Partial<PacerState>, nowMs = 0, leave = 0) =>
    spendable(learnt({ granted: 30, sentCount: 10, ...more }), at(nowMs), leave);

  test('is the credit, less what is left to people and what is kept for looks, whichever is more', () => {
    expect(left({})).toBe(20);
    expect(left({}, 0, 5)).toBe(15);
    expect(left({ isSure: false })).toBe(13);
    expect(left({ isSure: false }, 0, 5)).toBe(13);
    expect(left({ isSure: false }, 0, 9)).toBe(11);
  });

  test('is less what others will still ask for, as far as the window is not over', () => {
    const others = { othersPerWindow: 5 };
    expect(left(others)).toBeCloseTo(11.5);
    expect(left(others, 30_000)).toBeCloseTo(15.75);
    expect(left(others, 60_000)).toBe(20);
    expect(left(others, 90_000)).toBe(20);
    // A clock that was put back makes no window longer.
    expect(left(others, -30_000)).toBeCloseTo(11.5);
  });

  test('is not less for others while the window is not known', () => {
    expect(left({ othersPerWindow: 0.5 })).toBeCloseTo(19.15);
    expect(left({ othersPerWindow: 5, windowMs: undefined })).toBe(13);
  });

  test('of a flow is all, whoever else spends', () => {
    expect(left({ shape: 'flow', othersPerWindow: 5 })).toBe(20);
  });
});

test('the share of a window is what others leave of it, where they are somebody', () => {
  const share = (more: Partial<PacerState>) => shareOf(learnt(more));
  expect(share({})).toBe(1);
  expect(share({ othersPerWindow: 2.9 })).toBe(1);
  expect(share({ othersPerWindow: 15 })).toBe(0.5);
  expect(share({ othersPerWindow: 90 })).toBe(0.1);
  expect(share({ shape: 'log', othersTook: 20, othersPerWindow: 3 })).toBeCloseTo(1 / 3);
  expect(share({ shape: 'flow', othersPerWindow: 15 })).toBe(1);
  expect(share({ windowMs: undefined, othersPerWindow: 15 })).toBe(1);
});
