import { describe, expect, test } from 'vitest';
import { NEVER_MS, type PacerState } from '../../src/pacing/pacer-state.ts';
import { accepted } from '../../src/pacing/read-remaining.ts';
import { at, began, beganFirst, learning, learnt, request, sendings } from './states.ts';

type Request = Partial<ReturnType<typeof request>> & { ticket?: number };

/** An answer to a request that left so long after the start: so much remains. */
function told<State extends PacerState>(
  state: State,
  sentMs: number,
  remaining: number | undefined,
  { ticket = state.sentCount, ...more }: Request = {},
): State {
  accepted(state, request(ticket, sentMs, more), at(sentMs + 20), remaining);
  return state;
}

/** Ten of thirty are used. */
const ten = { sentCount: 10, granted: 30 };

describe('every request that is taken', () => {
  test('ends the row of refusals, lets what is kept shrink, and one more in two hundred at once', () => {
    const more = { refusals: 3, kept: 1, atOnce: 4 };
    expect(told(learnt({ ...ten, ...more }), 5000, 20)).toMatchObject({ refusals: 0, kept: 0.995 });
    expect(told(learnt({ ...ten, ...more }), 5000, 20).atOnce).toBeCloseTo(4.005);
    expect(told(learnt({ ...ten, atOnce: 0 }), 5000, 20).atOnce).toBe(0);
  });

  test('shows that the margin is wide enough, where it was hoped for', () => {
    const state = { ...ten, earlyRefusals: 2, laterMs: 100 };
    expect(told(learnt(state), 5000, 20, { hoped: true })).toMatchObject({ earlyRefusals: 1, laterMs: 98 });
    expect(told(learnt({ ...state, earlyRefusals: 0 }), 5000, 20, { hoped: true }).earlyRefusals).toBe(0);
    expect(told(learnt(state), 5000, 20)).toMatchObject({ earlyRefusals: 2, laterMs: 100 });
  });
});

describe('what remains', () => {
  test('is no news where it is as much as was known', () => {
    const state = told(learnt(ten), 5000, 20);
    expect(state).toMatchObject({ granted: 30, toldMs: at(5000), noRefillMs: at(5000) });
    expect(state).toMatchObject({ othersTook: 0, outdatedUpTo: 0, began: began(0) });
  });

  test('tells no older time than is known', () => {
    expect(told(learnt({ ...ten, toldMs: at(6000) }), 5000, 20).toldMs).toBe(at(6000));
  });

  test('tells how things stand at first, and after a rest', () => {
    expect(told(learnt({ ...ten, isScouted: false }), 5000, 25)).toMatchObject({
      isScouted: true,
      granted: 35,
      began: { afterMs: NEVER_MS, atMs: at(5000) },
    });
    const first = { sentCount: 1, granted: undefined, isScouted: false };
    expect(told(learning(first), 0, 29)).toMatchObject({ isScouted: true, granted: 30 });
    expect(told(learning({ ...first, isScouted: true }), 0, 29)).toMatchObject({ granted: 30 });
  });

  test('is one less than the limit at most, as this request has taken one', () => {
    const first = { sentCount: 1, granted: undefined, isScouted: false };
    expect(told(learning(first), 0, 30)).toMatchObject({ granted: 30 });
    expect(told(learning({ ...first, limit: undefined }), 0, 30).granted).toBe(31);
  });

  test('that is less shows that others spend', () => {
    const state = told(learnt({ ...ten, unexplained: 5 }), 5000, 17);
    expect(state).toMatchObject({ granted: 27, othersTook: 3, unexplained: 2, noRefillMs: at(5000) });
    expect(told(learnt({ ...ten, othersTook: 4 }), 5000, 17).othersTook).toBe(7);
    const trickle = { sinceMs: 0, firstMs: 0, firstBack: 1, back: 5, isAsDue: false };
    expect(told(learning({ ...ten, trickle }), 5000, 17).trickle?.back).toBe(2);
  });

  test('is no news where the request left before a window was seen to begin: it may have arrived earlier', () => {
    const used = { sentCount: 32, granted: 30 };
    expect(told(learnt(used), 60_010, 29, { ticket: 31 })).toMatchObject({ granted: 60, outdatedUpTo: 32 });
  });

  test('shows of lost requests which were counted', () => {
    // Two were lost: they may be among the ten.
    const lost = { ...ten, lostCount: 2 };
    expect(told(learnt(lost), 5000, 22)).toMatchObject({ granted: 32, outdatedUpTo: 0 });
    expect(told(learnt(lost), 5000, 21).granted).toBe(31);
    expect(told(learnt(lost), 5000, 20).granted).toBe(30);
    const underWay = [request(9, 0)];
    expect(told(learnt({ ...lost, underWay }), 5000, 22, { settled: 8 }).granted).toBe(31);
    // Without lost ones nothing is given back by an answer that lies within what is under way.
    expect(told(learnt({ ...ten, underWay }), 5000, 21, { settled: 8 }).granted).toBe(30);
  });

  test('tells whether all that a log should have given back is there', () => {
    // Twenty in the first second; fifteen of them are back.
    const sent = sendings(...Array.from({ length: 20 }, (_, index) => index * 50));
    const trickle = { sinceMs: at(29_000), firstMs: at(30_500), firstBack: 9, back: 15, isAsDue: true };
    const look = (back: number, more: Partial<PacerState> = {}) =>
      told(
        learning({ ...ten, sendings: sent, jitterMs: 0, trickle: { ...trickle, back }, ...more }),
        31_000,
        20,
      );
    expect(look(15)).toMatchObject({ shape: 'log', windowMs: 30_000, isSure: true });
    expect(look(14)).toMatchObject({ shape: 'window', trickle: { back: 14, isAsDue: false } });
    // Answers that overtake each other tell nothing of that.
    const state = learning({ ...ten, sendings: sent, jitterMs: 0, trickle });
    expect(told(state, 31_000, 20, { settled: 8 })).toMatchObject({ shape: 'window', trickle });
  });

  test('explains what came back too early by what is due and does not show', () => {
    const due = { sentCount: 30, granted: 59, sendings: sendings(100, 200, 300), toldMs: at(59_000) };
    const state = told(learnt({ ...due, unexplained: 5 }), 61_000, 29, { settled: 29 });
    expect(state.unexplained).toBe(2);
    expect(told(learnt({ ...due, unexplained: 2 }), 61_000, 29).unexplained).toBe(0);
    expect(told(learning({ ...ten, unexplained: 2 }), 5000, 20).unexplained).toBe(2);
  });
});

describe('an answer that tells nothing', () => {
  test('is enough to go on where nothing is known, or the limit was guessed', () => {
    const unscouted = { ...ten, isScouted: false };
    expect(told(learning({ ...unscouted, granted: undefined }), 5000, undefined).isScouted).toBe(true);
    expect(told(learnt({ ...unscouted, isGuessed: true }), 5000, undefined).isScouted).toBe(true);
    expect(told(learnt(unscouted), 5000, undefined).isScouted).toBe(false);
    expect(told(learnt(ten), 5000, undefined).isScouted).toBe(true);
  });

  test('shows without credit that one came back', () => {
    expect(told(learnt({ sentCount: 31, granted: 30 }), 59_000, undefined).granted).toBe(31);
  });
});

describe('what others take', () => {
  test('is reckoned for the whole window, from a quarter of it at least', () => {
    const others = { ...ten, othersTook: 2 };
    expect(told(learnt(others), 30_000, 20).othersDemand).toBe(4);
    expect(told(learnt(others), 15_000, 20).othersDemand).toBe(8);
    expect(told(learnt(others), 5000, 20).othersDemand).toBe(8);
    expect(told(learning(others), 30_000, 20).othersDemand).toBe(0);
    expect(told(learnt({ ...others, shape: 'log' }), 30_000, 20).othersDemand).toBe(0);
  });

  test('of a log is all that it holds and that is not ours', () => {
    const log = { ...ten, shape: 'log', sendings: sendings(100, 200, 300, 400) } as const;
    expect(told(learnt(log), 5000, 20).othersTook).toBe(6);
    expect(told(learnt({ ...log, toldMs: at(60_200) }), 60_200, 20).othersTook).toBe(8);
    expect(told(learnt(log), 250, 20).othersTook).toBe(8);
    expect(told(learnt({ ...log, granted: 39 }), 5000, 29).othersTook).toBe(0);
  });
});

describe('a log that counts much less than went in a window', () => {
  const sent = sendings(...Array.from({ length: 30 }, (_, second) => 1000 * second));
  const log = { shape: 'log', sentCount: 30, granted: 50, sendings: sent } as const;

  test('is shorter once it does so again and again', () => {
    expect(told(learnt({ ...log, forgotten: 16 }), 30_000, 20)).toMatchObject({
      forgotten: 17,
      windowMs: 60_000,
    });
    // Ten of the last eleven seconds are counted.
    expect(told(learnt({ ...log, forgotten: 17 }), 30_000, 20)).toMatchObject({
      forgotten: 18,
      windowMs: 10_000,
    });
  });

  test('is not where it counts as much once, nor where what was counted is less than a second old', () => {
    expect(told(learnt({ ...log, granted: 44, forgotten: 17 }), 30_000, 14).forgotten).toBe(0);
    const quick = {
      ...log,
      sendings: sendings(...Array.from({ length: 30 }, (_, n) => 10 * n)),
      forgotten: 17,
    };
    expect(told(learnt(quick), 300, 20).windowMs).toBe(60_000);
  });
});

describe('when more remains than nothing coming back explains', () => {
  /** All thirty are used, and nothing had come back at 55 s. */
  const spent = { sentCount: 30, granted: 30, noRefillMs: at(55_000), toldMs: at(55_000) };
  const next = { ...spent, sentCount: 31 };

  test('and it is all, the next window began', () => {
    const state = told(learnt(next), 60_100, 29);
    expect(state).toMatchObject({
      granted: 60,
      outdatedUpTo: 31,
      began: { afterMs: at(55_000), atMs: at(60_100), byMs: at(60_120) },
      confirmedMs: at(60_120),
    });
  });

  test('and it is most of what was missing, and more than was due, it is the next window too', () => {
    expect(told(learnt(next), 60_100, 15)).toMatchObject({ granted: 46, began: { atMs: at(60_100) } });
    expect(told(learnt(next), 60_100, 14)).toMatchObject({ granted: 45, began: began(0) });
    // Of little that was missing it may be noise.
    const half = { ...next, granted: 50 };
    expect(told(learnt(half), 60_100, 26)).toMatchObject({ granted: 57, began: began(0) });
    expect(told(learnt(half), 60_100, 27)).toMatchObject({ granted: 58, began: { atMs: at(60_100) } });
  });

  test('and as much was due, they came back one by one', () => {
    const times = Array.from({ length: 20 }, (_, index) => 10 * index);
    const due = { ...next, sendings: sendings(...times) };
    expect(told(learnt(due), 60_500, 19)).toMatchObject({ shape: 'log', granted: 50, began: began(0) });
    expect(told(learnt(due), 60_500, 20)).toMatchObject({ shape: 'window', began: { atMs: at(60_500) } });
    // All is a window, whatever was due.
    expect(told(learnt({ ...due, granted: 40 }), 60_500, 29)).toMatchObject({ began: { atMs: at(60_500) } });
  });

  test('and it is a part, it is a log or a bucket by what was due', () => {
    const log = told(learnt({ ...next, sendings: sendings(100, 200) }), 60_500, 1);
    expect(log).toMatchObject({ shape: 'log', granted: 32, outdatedUpTo: 31, noRefillMs: at(60_500) });
    const flow = told(learnt(next), 57_000, 6);
    expect(flow).toMatchObject({ shape: 'flow', granted: 37, noRefillMs: at(57_000) });
    expect(told(learnt({ ...next, isSure: false }), 57_000, 2).trickle).toMatchObject({
      sinceMs: at(55_000),
      firstMs: at(57_000),
      back: 3,
    });
    const unsure = learnt({ ...next, isSure: false, sendings: sendings(100, 200) });
    expect(told(unsure, 60_500, 1)).toMatchObject({ shape: 'log', trickle: undefined });
  });

  test('and it came back little by little before, it goes on to', () => {
    const trickle = { sinceMs: at(1000), firstMs: at(40_000), firstBack: 1, back: 6, isAsDue: false };
    const state = learning({ ...next, trickle });
    expect(told(state, 57_000, 20)).toMatchObject({ shape: 'flow', began: beganFirst(0) });
    // So little before so much may be noise.
    const little = learning({ ...next, trickle: { ...trickle, back: 4 } });
    expect(told(little, 57_000, 20)).toMatchObject({ shape: 'window', began: { atMs: at(57_000) } });
    expect(told(learning({ ...next, trickle }), 57_000, 29)).toMatchObject({ began: { atMs: at(57_000) } });
  });

  test('and it is more than a log can give back, it is a window', () => {
    const log = { ...next, shape: 'log', sendings: sendings(100, 200) } as const;
    expect(told(learnt(log), 60_500, 17)).toMatchObject({ shape: 'window', granted: 48 });
    expect(told(learnt(log), 60_500, 16)).toMatchObject({
      shape: 'log',
      granted: 47,
      began: { atMs: at(60_500) },
    });
    expect(told(learnt({ ...log, isSure: false }), 60_500, 17)).toMatchObject({ shape: 'log' });
    // They may have reached it a tenth of a window late.
    const late = { ...log, toldMs: at(61_000) };
    expect(told(learnt(late), 61_500, 17)).toMatchObject({ shape: 'window' });
    expect(told(learnt(late), 61_500, 16)).toMatchObject({ shape: 'log' });
  });

  test('that is told of requests which were under way is no older news', () => {
    const state = learnt({ ...next, outdatedUpTo: 99, noRefillMs: at(70_000), granted: 30 });
    expect(told(state, 57_000, 1)).toMatchObject({ outdatedUpTo: 99, noRefillMs: at(70_000) });
  });
});

describe('answers that overtake each other', () => {
  const several = { sentCount: 31, granted: 30, noRefillMs: at(55_000), toldMs: at(55_000) };

  test('look like a refill while learning: only one that was alone shows it', () => {
    const alone = told(learning({ ...several, leastMs: 29_700 }), 60_100, 29);
    expect(alone).toMatchObject({ windowMs: 60_000 });
    const beside = learning({ ...several, limit: 60 });
    expect(told(beside, 60_100, 29, { settled: 29 })).toMatchObject({ granted: 30, outdatedUpTo: 0 });
    const older = learning({ ...several, sentCount: 32, limit: 60 });
    expect(told(older, 60_100, 29, { ticket: 31 })).toMatchObject({ granted: 30, outdatedUpTo: 0 });
  });

  test('do not where the window is known, but for one of which the beginning is not', () => {
    expect(told(learnt(several), 60_100, 29, { settled: 29 }).granted).toBe(60);
    const loose = learnt({ ...several, began: beganFirst(0), limit: 60 });
    expect(told(loose, 60_100, 29, { settled: 29 }).granted).toBe(30);
  });
});

test('a bucket is mirrored', () => {
  const flow = learnt({ shape: 'flow', granted: 10, sentCount: 11 });
  expect(told(flow, 4000, 3)).toMatchObject({ granted: 12.5, othersDemand: 0 });
});
