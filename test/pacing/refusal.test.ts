import { describe, expect, test } from 'vitest';
import { freshState, type PacerState } from '../../src/pacing/pacer-state.ts';
import { refused } from '../../src/pacing/refusal.ts';
import { at, began, learning, learnt, request, sendings } from './states.ts';

interface Refusal {
  /** The request, and when it left. */
  ticket?: number;
  sentMs?: number;
  hoped?: boolean;
  retryAfterMs?: number;
}

/** The last of ten requests is refused, 20 ms after it left. */
function after<State extends PacerState>(state: State, refusal: Refusal = {}): State {
  const { ticket = 10, sentMs = 1000, hoped = false, retryAfterMs } = refusal;
  refused(state, request(ticket, sentMs, { hoped }), at(sentMs + 20), retryAfterMs);
  return state;
}

const sent = { sentCount: 10 };
const pauseOf = (state: PacerState, sentMs = 1000): number => state.silentUntilMs - at(sentMs + 20);

describe('the silence after a refusal', () => {
  test('is as long as the service says', () => {
    const state = after(learning(sent), { retryAfterMs: 3000 });
    expect(state.silentUntilMs).toBe(at(4020));
  });

  test('is a quarter of a second else, and twice as long at each refusal in a row, up to a minute', () => {
    const pauses = [0, 1, 2, 7, 8, 40].map((refusals) => pauseOf(after(learning({ ...sent, refusals }))));
    expect(pauses).toEqual([250, 500, 1000, 32_000, 60_000, 60_000]);
  });

  test('is no shorter for one that was sent before it, and no longer', () => {
    const state = learning({ ...sent, outdatedUpTo: 10, silentUntilMs: at(9000), refusals: 3 });
    expect(after(state)).toMatchObject({ silentUntilMs: at(9000), refusals: 3 });
    expect(after({ ...state, silentUntilMs: at(0) }).silentUntilMs).toBe(at(1020));
    expect(after(state, { retryAfterMs: 9999 })).toMatchObject({ silentUntilMs: at(11_019), refusals: 3 });
  });
});

describe('a refusal tells', () => {
  test('that there is no credit, and that nothing had come back by then', () => {
    expect(after(learnt(sent))).toMatchObject({
      granted: 10,
      refusals: 1,
      outdatedUpTo: 10,
      toldMs: at(1000),
      noRefillMs: at(1000),
    });
    expect(after(learnt({ ...sent, granted: 8 })).granted).toBe(8);
  });

  test('that so much is told that is not there, or not enough, unless it is much of a small limit', () => {
    const keptOf = (limit: number, remaining: number, hoped = false): number => {
      const state = learnt({ ...sent, limit });
      refused(state, request(10, 1000, { hoped }), at(1020), undefined, remaining);
      return state.kept;
    };
    expect([keptOf(30, 3), keptOf(30, 4, true), keptOf(30, 5)]).toEqual([3, 4, 0]);
    expect([keptOf(30, 0), keptOf(30, 0, true), keptOf(7, 2), keptOf(3.5, 0)]).toEqual([1, 0, 1, 0.5]);
  });

  test('when the first of those in a row left', () => {
    expect(after(learnt(sent)).refusedMs).toBe(at(1000));
    expect(after(learnt({ ...sent, refusals: 1, refusedMs: at(500) })).refusedMs).toBe(at(500));
  });

  test('no older news than is known', () => {
    const state = after(learnt({ ...sent, toldMs: at(2000), noRefillMs: at(3000) }));
    expect(state).toMatchObject({ toldMs: at(2000), noRefillMs: at(3000) });
  });

  test('how long an unconfirmed window lasts at least, by the last answer of its beginning', () => {
    expect(after(learning(sent), { sentMs: 10_020 }).leastMs).toBe(9900);
    expect(after(learnt(sent), { sentMs: 10_020 }).leastMs).toBe(0);
  });

  test('that what seemed to be a log is none, where it should have given back more', () => {
    const trickle = { sinceMs: at(1020), firstMs: at(2000), firstBack: 1, back: 1, isAsDue: true };
    const state = (count: number) =>
      learning({
        ...sent,
        jitterMs: 0,
        trickle,
        sendings: sendings(...Array.from({ length: count }, () => 500)),
      });
    expect(after(state(2), { sentMs: 3000 }).trickle?.isAsDue).toBe(true);
    expect(after(state(4), { sentMs: 3000 }).trickle?.isAsDue).toBe(false);
  });

  test('that a bucket had let one more through than was measured', () => {
    const anchor = { atMs: at(0), granted: 4 };
    expect(after(learnt({ ...sent, anchor })).anchor?.granted).toBe(5);
    expect(after(learnt({ ...sent, anchor, outdatedUpTo: 10 })).anchor?.granted).toBe(5);
  });
});

describe('a limit that nobody tells', () => {
  const blind = (more: Partial<PacerState> = {}): PacerState => ({
    ...freshState(),
    limit: undefined,
    isGuessed: true,
    ...sent,
    ...more,
  });

  test('is looked for from the first refusal on', () => {
    expect(after(blind(), { sentMs: 200 })).toMatchObject({ limit: undefined, granted: 10 });
  });

  test('comes down two fifths of the way to what was taken of it, and by one at least', () => {
    const taken = sendings(0, 100, 200, 300, 400);
    const guessed = (limit: number) =>
      learnt({ ...sent, isGuessed: true, limit, sendings: taken, calmWindows: 7 });
    expect(after(guessed(12), { sentMs: 500 })).toMatchObject({ limit: 10, calmWindows: 0 });
    expect(after(guessed(6), { sentMs: 500 }).limit).toBe(5);
    expect(after(guessed(5), { sentMs: 500 }).limit).toBe(4);
    expect(after(guessed(1), { sentMs: 500 }).limit).toBe(1);
    // Only what went within a window of the refused one.
    expect(after({ ...guessed(12), windowMs: 300 }, { sentMs: 500 }).limit).toBe(8);
  });

  test('stays while the window is not known', () => {
    expect(after(learning({ ...sent, isGuessed: true })).limit).toBe(30);
    expect(after(learnt(sent)).limit).toBe(30);
  });
});

describe('one that left because something should have come back', () => {
  const early = (more: Partial<PacerState> = {}, refusal: Refusal = {}) =>
    after(learnt({ ...sent, ...more }), { hoped: true, sentMs: 60_010, ...refusal });

  test('came a moment early: those that are due go twice as late from then on, and soon again', () => {
    const state = early();
    expect(state).toMatchObject({ earlyRefusals: 1, laterMs: 24, isSure: true, windowMs: 60_000 });
    expect(pauseOf(state, 60_010)).toBe(12);
    expect(early({ laterMs: 100 }).laterMs).toBe(200);
    expect(early({ laterMs: 5000 }).laterMs).toBe(6000);
  });

  test('is followed by a longer pause where nothing else is told', () => {
    expect(pauseOf(early({ isGuessed: true }), 60_010)).toBe(250);
  });

  test('says at the fourth time in a row that the window is longer', () => {
    expect(early({ earlyRefusals: 2 })).toMatchObject({ earlyRefusals: 3, isSure: true });
    const state = early({ earlyRefusals: 3 });
    expect(state).toMatchObject({ earlyRefusals: 0, isSure: false, windowMs: 120_000, laterMs: 0 });
    expect(pauseOf(state, 60_010)).toBe(250);
    // Of a log nobody saw a beginning since it was learnt.
    expect(early({ earlyRefusals: 3, shape: 'log', began: began(-200_000) }).windowMs).toBe(120_000);
  });

  test('says so at once where the window was not sure', () => {
    expect(early({ isSure: false })).toMatchObject({ isSure: false, windowMs: 120_000 });
  });

  test('of a bucket waits for half a token more', () => {
    const state = early({ shape: 'flow', refusals: 4 });
    expect(state).toMatchObject({ kept: 0.5, refusals: 5, shape: 'flow', windowMs: 60_000 });
    expect(pauseOf(state, 60_010)).toBe(4000);
  });

  test('of a bucket shows at the sixth time that it is none', () => {
    const state = early({ shape: 'flow', refusals: 5, anchor: { atMs: at(0), granted: 4 } });
    expect(state).toMatchObject({
      shape: 'window',
      isSure: false,
      began: { afterMs: -1e15, atMs: at(60_010), byMs: at(60_010) },
    });
    expect([state.windowMs, state.anchor]).toEqual([undefined, undefined]);
    expect(pauseOf(state, 60_010)).toBe(8000);
  });
});
