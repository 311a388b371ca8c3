import { describe, expect, test } from 'vitest';
import { NEVER_MS, type PacerState } from '../../src/pacing/pacer-state.ts';
import { confirm, lastsLonger, sawNothing, windowOpened } from '../../src/pacing/window-opened.ts';
import { at, began, beganFirst, learning, learnt, request } from './states.ts';

/** All came back, seen by a request that left so long after the window before was seen to begin. */
function opened<State extends PacerState>(state: State, sentMs: number): State {
  windowOpened(state, request(31, sentMs), at(sentMs + 20));
  return state;
}

describe('when all came back', () => {
  test('a window begins between the last request that saw nothing and the answer of the one that saw it', () => {
    const state = opened(learnt({ noRefillMs: at(50_000), lostCount: 3, unexplained: 2 }), 60_010);
    expect(state).toMatchObject({
      began: { afterMs: at(50_000), atMs: at(60_010), byMs: at(60_030) },
      countedFromMs: at(60_010),
      lostCount: 0,
      unexplained: 0,
    });
    const trickle = { sinceMs: 0, firstMs: 0, firstBack: 1, back: 2, isAsDue: true };
    expect(opened(learnt({ trickle }), 60_010).trickle).toBeUndefined();
  });

  test('what others took counts half, and the habit before it half', () => {
    const state = opened(learnt({ othersPerWindow: 2, othersDemand: 6, othersTook: 5 }), 60_010);
    expect(state).toMatchObject({ othersPerWindow: 4, othersDemand: 0, othersTook: 0 });
  });
});

describe('a length that is known', () => {
  test('is confirmed by a window that ends when it should', () => {
    const state = opened(learnt({ isSure: false }), 60_010);
    expect(state).toMatchObject({ isSure: true, confirmedMs: at(60_030), windowMs: 60_000 });
  });

  test('is not confirmed where it is not known when the window began', () => {
    const state = opened(learnt({ isSure: false, began: beganFirst(0) }), 60_010);
    expect(state).toMatchObject({ isSure: false, confirmedMs: undefined, windowMs: 60_000 });
  });

  test('is confirmed where no other usual one is possible', () => {
    // It lasted between 30.1 s, less a hundredth, and 59.995 s, the way and the ten before it was seen to begin.
    expect(opened(learnt({ isSure: false, leastMs: 29_800 }), 59_995).isSure).toBe(true);
    expect(opened(learnt({ isSure: false, leastMs: 29_600 }), 59_995).isSure).toBe(false);
    expect(opened(learnt({ isSure: false, leastMs: 29_800, began: beganFirst(0) }), 59_995).isSure).toBe(
      false,
    );
  });

  test('is neither confirmed nor doubted by one that ends earlier than it was seen to begin', () => {
    const state = opened(learnt({ isSure: false }), 59_995);
    expect(state).toMatchObject({ isSure: false, confirmedMs: undefined, windowMs: 60_000 });
  });

  test('is given up where the window ended before it can have, or nothing had come back at that age', () => {
    // From 10 ms before it was seen to 20 ms after this one left.
    expect(opened(learnt(), 59_970).isSure).toBe(true);
    expect(opened(learnt(), 59_969)).toMatchObject({ isSure: false, windowMs: undefined });
    expect(opened(learnt({ leastMs: 59_999 }), 60_100).isSure).toBe(true);
    expect(opened(learnt({ leastMs: 60_000 }), 60_100)).toMatchObject({ isSure: false, windowMs: 60_100 });
  });
});

describe('a length that is not known', () => {
  const after = (sentMs: number, more: Partial<PacerState> = {}) => opened(learning(more), sentMs).windowMs;

  test('is the longest usual one since the last look that saw nothing', () => {
    expect(after(60_010, { leastMs: 29_700 })).toBe(60_000);
    expect(after(16_000, { leastMs: 9900 })).toBe(15_000);
    // Timers may be early, and requests as long on their way as round trips take.
    expect(after(59_975, { leastMs: 29_700 })).toBe(60_000);
    expect(after(59_974, { leastMs: 29_700 })).toBe(30_000);
  });

  test('is within what is known of its beginning', () => {
    const known = { began: { ...began(0), afterMs: at(0) }, leastMs: 29_700 };
    expect(after(59_980, known)).toBe(60_000);
    expect(after(59_979, known)).toBe(30_000);
  });

  test('is the only one that is left, for sure, where the window began long before it was seen to', () => {
    const late = (afterMs: number) =>
      opened(learning({ began: { ...began(0), afterMs: at(afterMs) }, leastMs: 9900 }), 5700);
    expect(late(-5000)).toMatchObject({ windowMs: 10_000, isSure: true });
    expect(late(-10_000)).toMatchObject({ windowMs: 15_000, isSure: false });
  });

  test('is what was measured where no usual one fits and the look before was not long ago', () => {
    expect(after(25_500, { leastMs: 24_000 })).toBe(25_500);
    expect(after(25_500, { leastMs: 21_000 })).toBe(25_500);
    expect(after(47_999, { leastMs: 30_500 })).toBe(47_999);
    expect(after(300_000, { leastMs: 15_000 })).toBeUndefined();
    expect(after(8_990, { leastMs: 5000 })).toBe(8990);
  });

  test('is not what a few requests seem to show within a second', () => {
    expect(after(900, { leastMs: 800 })).toBeUndefined();
    expect(after(970, { leastMs: 0 })).toBeUndefined();
  });

  test('is any usual one where no service tells what remains', () => {
    expect(after(300_100, { leastMs: 0 })).toBeUndefined();
    expect(after(300_100, { leastMs: 0, isGuessed: true })).toBe(300_000);
    expect(after(25_500, { leastMs: 24_000, isGuessed: true })).toBe(25_500);
    expect(after(50_000, { leastMs: 30_000, isGuessed: true })).toBe(50_000);
  });

  test('is not sure at once', () => {
    expect(opened(learning({ leastMs: 29_700, isSure: true }), 60_010).isSure).toBe(false);
  });
});

describe('something that comes back', () => {
  const confirmed = (ageMs: number, more: Partial<PacerState> = {}) => {
    const state = learnt({ isSure: false, ...more });
    confirm(state, ageMs, at(70_000));
    return [state.isSure, state.confirmedMs];
  };

  test('confirms the length from that age on, unless a window was seen to last as long', () => {
    expect(confirmed(59_999)).toEqual([false, undefined]);
    expect(confirmed(60_000)).toEqual([true, at(70_000)]);
    expect(confirmed(60_000, { leastMs: 59_999 })[0]).toBe(true);
    expect(confirmed(60_000, { leastMs: 60_000 })[0]).toBe(false);
    expect(confirmed(60_000, { leastMs: 60_000, shape: 'log' })[0]).toBe(true);
  });
});

describe('a look that sees nothing', () => {
  const saw = (sentMs: number, more: Partial<PacerState> = {}) => {
    const state = learnt({ isSure: false, ...more });
    sawNothing(state, request(31, sentMs));
    return state;
  };

  test('says how long the window lasts at least, but for a hundredth', () => {
    expect(saw(10_020)).toMatchObject({ leastMs: 9900, noRefillMs: at(10_020), windowMs: 60_000 });
    expect(saw(10_020, { leastMs: 20_000, noRefillMs: at(15_000) })).toMatchObject({
      leastMs: 20_000,
      noRefillMs: at(15_000),
    });
    expect(saw(10_020, { shape: 'log' }).leastMs).toBe(0);
    // What came back amid the first ones may have begun a window.
    const trickle = { sinceMs: at(1000), firstMs: at(5020), firstBack: 8, back: 8, isAsDue: true };
    expect(saw(10_020, { trickle }).leastMs).toBe(4950);
  });

  test('at the end of a window that is not sure makes it longer', () => {
    expect(saw(60_000, { granted: 30, sentCount: 30 })).toMatchObject({ windowMs: 120_000, isSure: false });
    expect(saw(59_999, { granted: 30, sentCount: 30 }).windowMs).toBe(60_000);
    // With something left another one looks first.
    expect(saw(60_000, { granted: 31, sentCount: 30 }).windowMs).toBe(60_000);
    expect(saw(61_000, { granted: 31, sentCount: 30, noRefillMs: at(60_100) }).windowMs).toBe(120_000);
    expect(saw(60_000, { isSure: true })).toMatchObject({ windowMs: 60_000, isSure: true });
    expect(saw(60_000, { shape: 'log' }).windowMs).toBe(60_000);
    expect(saw(60_000, { underWay: [request(32, 60_000)] }).windowMs).toBe(60_000);
    expect(saw(60_000, { windowMs: undefined }).windowMs).toBeUndefined();
  });

  test('proves nothing about the length where the beginning was slow to arrive', () => {
    const slow = { afterMs: at(-10), atMs: at(0), byMs: at(120) };
    const spent = { began: slow, granted: 30, sentCount: 30 };
    expect(saw(60_050, spent).windowMs).toBe(60_000);
    expect(saw(60_100, spent).windowMs).toBe(120_000);
    // What is usual says nothing of these two.
    expect(saw(60_099, { ...spent, roundTripMs: 50 }).windowMs).toBe(60_000);
  });
});

test('a window that is longer than was thought is longer than anything seen of it', () => {
  const state = learnt({ earlyRefusals: 3, leastMs: 70_000 });
  lastsLonger(state, 61_000);
  expect(state).toMatchObject({ isSure: false, earlyRefusals: 0, windowMs: 120_000 });
  lastsLonger(state, 130_000);
  expect(state).toMatchObject({ windowMs: 300_000, limit: 30 });
  expect(NEVER_MS).toBeLessThan(0);
});

test('a window that was over before the next usual length is a little longer than was thought, at most as long as that', () => {
  const longer = (ageMs: number, mostMs: number) => {
    const state = learnt({ mostMs });
    lastsLonger(state, ageMs);
    return state.windowMs;
  };
  expect(longer(60_000, 82_000)).toBeCloseTo(66_000);
  expect(longer(60_000, 62_000)).toBe(62_000);
  expect(longer(60_000, 120_001)).toBe(120_000);
  // It has changed since.
  expect(longer(62_000, 62_000)).toBe(120_000);
  const began = { afterMs: at(-5000), atMs: at(0), byMs: at(20) };
  expect(opened(learnt({ began }), 61_000).mostMs).toBe(66_000 + learnt({}).roundTripMs);
  expect(opened(learnt({ began, mostMs: 61_500 }), 61_000).mostMs).toBe(61_500);
  expect(opened(learnt({ began, mostMs: 60_500, leastMs: 60_600 }), 61_000).mostMs).toBeGreaterThan(66_000);
});

test('what was guessed of a limit is counted anew once its window is longer than was thought', () => {
  const state = learnt({ isGuessed: true });
  lastsLonger(state, 61_000);
  expect(state).toMatchObject({ windowMs: 120_000, limit: undefined });
});
