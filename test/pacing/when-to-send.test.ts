import { describe, expect, test } from 'vitest';
import { freshState, type PacerState } from '../../src/pacing/pacer-state.ts';
import { delayMs } from '../../src/pacing/when-to-send.ts';
import { at, beganFirst, learning, learnt, request, sendings } from './states.ts';

const FOREVER = Number.POSITIVE_INFINITY;

const delay = (state: PacerState, nowMs: number, leave = 0, wanted = FOREVER): number =>
  delayMs(state, at(nowMs), leave, wanted);
const underWay = (count: number, more: Partial<ReturnType<typeof request>> = {}) =>
  Array.from({ length: count }, (_, index) => request(index + 1, 0, more));

describe('nobody goes', () => {
  test('before a silence is over', () => {
    const state = learnt({ silentUntilMs: at(5000) });
    expect([delay(state, 3000), delay(state, 4999), delay(state, 5000)]).toEqual([2000, 1, 0]);
  });

  test('beside the scout', () => {
    expect(delay(freshState(), 0)).toBe(0);
    expect(delay({ ...freshState(), underWay: underWay(1) }, 0)).toBe(FOREVER);
    expect(delay(learnt({ isScouted: false, underWay: underWay(1) }), 5000)).toBe(FOREVER);
    expect(delay(learnt({ isScouted: false }), 5000)).toBe(0);
  });

  test('beside eight where no answer tells of a limit and nothing was refused', () => {
    const quiet = { ...freshState(), isScouted: true };
    expect(delay({ ...quiet, underWay: underWay(7) }, 0)).toBe(0);
    expect(delay({ ...quiet, underWay: underWay(8) }, 0)).toBe(FOREVER);
    expect(delay({ ...quiet, underWay: underWay(8), beside: learnt({ isGuessed: true }) }, 5000)).toBe(0);
  });

  test('beside as many as are worked on at once, where that was refused', () => {
    const crowded = (atOnce: number, count: number) =>
      delay(learning({ granted: 299, sentCount: 200, atOnce, underWay: underWay(count) }), 0);
    expect([crowded(4.9, 3), crowded(4.9, 4), crowded(0, 4)]).toEqual([0, FOREVER, 0]);
  });

  test('beside more than come back in a moment, before twenty are answered', () => {
    const early = (answered: number, count: number, roundTripMs = 5) =>
      delay(
        learning({ granted: 99, roundTripMs, sentCount: answered + count, underWay: underWay(count) }),
        0,
      );
    expect([early(1, 0), early(20, 1), early(22, 1), early(22, 2)]).toEqual([0, FOREVER, 0, FOREVER]);
    expect([early(1, 7, 96), early(1, 8, 96)]).toEqual([0, FOREVER]);
  });

  test('beside 64 while the window is not known, beside eight or twice an even rate once it is', () => {
    expect(delay(learning({ granted: 299, sentCount: 200, underWay: underWay(63) }), 0)).toBe(0);
    expect(delay(learning({ granted: 299, sentCount: 200, underWay: underWay(64) }), 0)).toBe(FOREVER);
    const known = { granted: 149, sentCount: 50, lastSentMs: at(-60_000) };
    expect(delay(learnt({ ...known, underWay: underWay(7) }), 0)).toBe(0);
    expect(delay(learnt({ ...known, underWay: underWay(8) }), 0)).toBe(FOREVER);
    // 30 a minute, each ten seconds on its way: five are under way at once.
    const slow = { ...known, roundTripMs: 10_000 };
    expect(delay(learnt({ ...slow, underWay: underWay(11) }), 0)).toBe(0);
    expect(delay(learnt({ ...slow, underWay: underWay(12) }), 0)).toBe(FOREVER);
  });
});

describe('of two limits', () => {
  test('the one that lets it go later decides', () => {
    const beside = learnt({ sentCount: 30, isGuessed: true });
    expect(delay(learnt({ beside }), 5000, 0, 1)).toBe(55_012);
    expect(delay(learnt({ beside: { ...beside, granted: undefined } }), 5000, 0, 1)).toBe(0);
    expect(delay(learnt({ sentCount: 30, beside: learnt() }), 5000, 0, 1)).toBe(
      delay(learnt({ sentCount: 30 }), 5000, 0, 1),
    );
  });

  test('only of the one that is told some are left to others', () => {
    const beside = learnt({ limit: 5, granted: 5, isGuessed: true });
    expect(delay(learnt({ beside }), 5000, 10, 1)).toBe(0);
  });
});

describe('the last ones', () => {
  test('go at once when they fit into what may be spent', () => {
    expect(delay(learnt(), 0, 0, 30)).toBe(0);
    expect(delay(learnt(), 0, 0, 31)).toBeGreaterThan(0);
    expect(delay(learnt(), 0, 5, 25)).toBe(0);
    expect(delay(learnt(), 0, 5, 26)).toBeGreaterThan(0);
  });

  test('may take what is kept for looks, but not what is left to people', () => {
    const spent = learning({ granted: 7, lastSentMs: at(0) });
    expect(delay(spent, 0, 0, 7)).toBe(0);
    expect(delay(spent, 0, 0, 8)).toBeGreaterThan(0);
    expect(delay(spent, 0, 5, 2)).toBe(0);
    expect(delay(spent, 0, 5, 3)).toBeGreaterThan(0);
    expect(delay(spent, 0, 9, 1)).toBeGreaterThan(0);
  });
});

describe('the credit of a window', () => {
  const spread = (more: Partial<PacerState>, nowMs = 0, leave = 0) => delay(learnt(more), nowMs, leave);

  test('is spread over 95 of its 100 parts, so that others get in', () => {
    expect(spread({})).toBe(1900);
    expect(spread({}, 0, 11)).toBe(3000);
    expect(spread({ lastSentMs: at(-1000) })).toBe(900);
    expect(spread({ lastSentMs: at(-9000) })).toBe(0);
    expect(spread({ sentCount: 28, lastSentMs: at(47_000) }, 47_000)).toBe(5000);
    expect(spread({ sentCount: 20, lastSentMs: at(58_000) }, 58_000)).toBe(0);
  });

  test('goes at once while length or beginning are not sure, as what remains is there', () => {
    expect(spread({ isSure: false })).toBe(0);
    expect(spread({ began: beganFirst(0) })).toBe(0);
    expect(delay(learning(), 0)).toBe(0);
  });

  test('is spread all the same where it was only guessed, but no wider than an even rate', () => {
    expect(spread({ isGuessed: true, isSure: false })).toBe(1900);
    expect(spread({ isGuessed: true })).toBe(1900);
    expect(spread({ isGuessed: true, sentCount: 28, lastSentMs: at(20_000) }, 20_000)).toBe(2000);
    expect(delay(learning({ isGuessed: true }), 0)).toBe(0);
  });

  test('is not spread where it was guessed beside a limit that is told, but kept to in any span of a window', () => {
    const likely = { limit: 5, windowMs: 1000 };
    expect(spread({ isGuessed: true, likely })).toBe(0);
    const went = { isGuessed: true, likely, limit: 3, jitterMs: 0, laterMs: 0 };
    const next = (...ms: number[]) => spread({ ...went, sendings: sendings(...ms) }, 59_000);
    expect(next(100, 200)).toBe(0);
    expect(next(100, 200, 300)).toBe(1105);
  });

  test('of a bucket goes at a quarter of an even gap', () => {
    expect(spread({ shape: 'flow' })).toBe(500);
  });
});

describe('without credit', () => {
  const spent = { sentCount: 30, sendings: sendings(100, 200, 300), lastSentMs: at(300), jitterMs: 0 };

  test('the next goes when it is due', () => {
    expect(delay(learnt(spent), 40_105)).toBe(20_000);
    expect(delay(learnt(spent), 60_105)).toBe(0);
    expect(delay(learnt(spent), 61_000)).toBe(0);
    expect(delay(learnt(spent), 40_105, 1)).toBe(20_100);
    expect(delay(learnt({ ...spent, lastSentMs: at(60_200) }), 60_300)).toBe(0);
  });

  test('a window that is sure goes on beside those that are under way, but for one that hopes', () => {
    expect(delay(learnt({ ...spent, underWay: underWay(2) }), 40_105)).toBe(20_000);
    const hopeful = [...underWay(1), request(30, 300, { hoped: true })];
    expect(delay(learnt({ ...spent, underWay: hopeful }), 40_105)).toBe(FOREVER);
  });

  test('what is not sure waits for every answer, and looks alone', () => {
    const unsure = { ...spent, isSure: false, underWay: underWay(1) };
    expect(delay(learnt(unsure), 40_105)).toBe(FOREVER);
    expect(delay(learnt({ ...unsure, isSure: true, began: beganFirst(0) }), 40_105)).toBe(FOREVER);
    expect(delay(learning({ ...spent, underWay: underWay(1) }), 500)).toBe(FOREVER);
    // Looks come at usual ages, not when the oldest is due.
    expect(delay(learning(spent), 310)).toBe(700);
    expect(delay(learnt({ ...spent, began: beganFirst(0), sentCount: 27 }), 300, 2)).toBeLessThan(40_000);
  });
});

describe('a log', () => {
  const log = (more: Partial<PacerState> = {}) =>
    learnt({ shape: 'log', jitterMs: 0, lastSentMs: at(300), sendings: sendings(100, 200, 300), ...more });

  test('gets at most its limit in any window, evenly', () => {
    expect(delay(log(), 300)).toBe(1900);
    expect(delay(log(), 1300)).toBe(900);
    expect(delay(log(), 9000)).toBe(0);
    expect(delay(log(), 300, 11)).toBe(3000);
    expect(delay(log({ lastSentMs: at(9000) }), 9000, 40)).toBe(57_000);
    expect(delay(log(), 300, 40)).toBe(60_005);
  });

  test('waits for the oldest of a whole limit to be a window old', () => {
    expect(delay(log({ limit: 3 }), 40_105)).toBe(20_000);
    expect(delay(log({ limit: 4 }), 40_105)).toBe(0);
    expect(delay(log({ limit: 4 }), 40_105, 1)).toBe(20_000);
  });

  test('is no different without credit, as long as nobody else spends', () => {
    expect(delay(log({ sentCount: 30 }), 300)).toBe(1900);
    expect(delay(log({ sentCount: 30, othersTook: 0.9 }), 300)).toBe(1900);
  });

  test('leaves one to others who spend: it waits until two are there', () => {
    expect(delay(log({ sentCount: 30, othersTook: 1 }), 40_205)).toBe(20_000);
    expect(delay(log({ sentCount: 29, othersTook: 1 }), 40_105)).toBe(20_000);
    expect(delay(log({ sentCount: 28, othersTook: 1 }), 40_105)).toBe(0);
    expect(delay(log({ sentCount: 28, othersTook: 1 }), 300)).toBe(1900);
  });

  test('that is not sure is looked for like any other', () => {
    expect(delay(log({ isSure: false }), 300)).toBe(0);
  });
});
