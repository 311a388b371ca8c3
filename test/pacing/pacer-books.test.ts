import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import { type Answer, freshState, type PacerState } from '../../src/pacing/pacer-state.ts';
import { at, began, beganFirst, learning, learnt, request, sendings } from './states.ts';

const MUTE: Answer = { refused: false, limit: undefined, remaining: undefined, retryAfterMs: undefined };
const accepted = (remaining: number, limit = 30): Answer => ({ ...MUTE, remaining, limit });

const bookedBoth = (state: PacerState, act: (pacer: Pacer) => void): PacerState => {
  const pacer = new Pacer(state);
  act(pacer);
  return pacer.toJSON();
};

/** What is known of the limit that answers tell of. */
const booked = (...args: Parameters<typeof bookedBoth>): PacerState => {
  const { beside: _, ...told } = bookedBoth(...args);
  return told;
};

describe('a request that goes', () => {
  const went = (state: PacerState, ms = 5000) => booked(state, (pacer) => pacer.sent(at(ms)));
  const rested = { newsMs: at(5000), lastSentMs: at(5000) };

  test('is booked with what had been answered by then', () => {
    const state = went(learnt({ ...rested, sentCount: 9, underWay: [request(8, 0), request(9, 0)] }));
    expect(state).toMatchObject({ sentCount: 10, lastSentMs: at(5000), sendings: [[at(5000), 1]] });
    expect(state.underWay.at(-1)).toEqual({ ticket: 10, sentMs: at(5000), settled: 7, hoped: false });
  });

  test('hopes where there is no credit in a window that is known', () => {
    const hoped = (state: PacerState) => went(state).underWay[0]?.hoped;
    expect(hoped(learnt({ ...rested, sentCount: 30 }))).toBe(true);
    expect(hoped(learnt({ ...rested, sentCount: 29 }))).toBe(false);
    expect(hoped(learnt({ ...rested, sentCount: 29, granted: 29.9 }))).toBe(true);
    expect(hoped(learning({ ...rested, sentCount: 30 }))).toBe(false);
  });

  test('begins the first window, as the first, until its answer says by when', () => {
    const first = new Pacer();
    first.sent(at(5000));
    expect(first.toJSON().began).toEqual({ ...freshState().began, atMs: at(5000), byMs: at(5000) });
    first.answered(1, at(5030), MUTE);
    expect(first.toJSON().began).toMatchObject({ atMs: at(5000), byMs: at(5030) });
    expect(went(learnt({ ...rested, sentCount: 1 })).began).toEqual(began(0));
  });

  test('after a rest makes a hint of what was learnt, by what was left to people last', () => {
    const idle = learnt({ sentCount: 9, newsMs: at(1000) });
    expect(went(idle, 9000)).toMatchObject({ isScouted: false, isSure: false });
    expect(went(idle, 3000)).toMatchObject({ isScouted: true, isSure: true });
    const left = booked(learnt({ ...idle, sentCount: 25 }), (pacer) => {
      pacer.delayMs(at(20_000), 20);
      pacer.sent(at(20_000));
    });
    expect(left).toMatchObject({ isScouted: true });
    expect(went(learnt({ ...idle, sentCount: 25 }), 20_000)).toMatchObject({ isScouted: false });
  });
});

describe('the time that requests take', () => {
  /** One more is answered after so long. */
  const after = (ms: number, more: Partial<PacerState> = {}) =>
    booked(
      learnt({
        sentCount: 10,
        lastSentMs: at(5000),
        underWay: [request(10, 5000)],
        sendings: sendings(4000, 5000),
        ...more,
      }),
      (pacer) => pacer.answered(10, at(5000 + ms), accepted(20)),
    );

  test('is that of the first at first', () => {
    const first = after(50, { roundTripMs: 0, jitterMs: 0, shortestTripMs: undefined });
    expect(first).toMatchObject({ roundTripMs: 50, jitterMs: 10, shortestTripMs: 50, newsMs: at(5050) });
  });

  test('changes by a sixteenth of each, and so does how far they are off', () => {
    expect(after(36)).toMatchObject({ roundTripMs: 21, jitterMs: 2.875, shortestTripMs: 20 });
    expect(after(4)).toMatchObject({ roundTripMs: 19, jitterMs: 2.875, shortestTripMs: 4 });
  });

  test('that is unusual says that it arrived late: it counts from then', () => {
    // Half of a trip more, six times the jitter, and five milliseconds.
    expect(after(46).sendings).toEqual(sendings(4000, 5000));
    const late = after(47);
    expect(late.sendings).toEqual(sendings(4000, 5027));
    expect(late).toMatchObject({ toldMs: at(5027), roundTripMs: 20 });
    expect(after(470, { roundTripMs: 0 }).sendings).toEqual(sendings(4000, 5000));
  });
});

describe('an answer', () => {
  const underWay = { sentCount: 10, granted: 30, underWay: [request(9, 5000), request(10, 5000)] };
  const answered = (answer: Answer, more: Partial<PacerState> = {}, ticket = 10) =>
    booked(learnt({ ...underWay, ...more }), (pacer) => pacer.answered(ticket, at(5020), answer));

  test('to nothing that is under way changes nothing', () => {
    expect(answered(accepted(3), {}, 99)).toEqual(learnt(underWay));
  });

  test('settles its request alone', () => {
    expect(answered(accepted(20)).underWay).toEqual([request(9, 5000)]);
  });

  test('to one that was sent before a refusal is no news', () => {
    expect(answered(accepted(18), { outdatedUpTo: 10 })).toMatchObject({
      granted: 30,
      toldMs: learnt().toldMs,
    });
    expect(answered(accepted(18), { outdatedUpTo: 9 })).toMatchObject({ toldMs: at(5000) });
  });

  test('may tell another limit, which has to be confirmed but of a bucket', () => {
    expect(answered(accepted(20))).toMatchObject({ limit: 30, isSure: true });
    expect(answered(accepted(37, 40))).toMatchObject({ limit: 40, isSure: false });
    expect(answered(accepted(37, 40), { shape: 'flow' })).toMatchObject({ limit: 40, isSure: true });
    // After a rest, or where others spend too, more of it may be used than was sent.
    expect(answered(accepted(20, 40), { isScouted: false })).toMatchObject({ limit: 40 });
    expect(answered(accepted(27, 40), { othersTook: 6, othersPerWindow: 4 })).toMatchObject({ limit: 40 });
    expect(answered(accepted(20, 40), { limit: undefined })).toMatchObject({ limit: 40, isSure: true });
  });

  test('that tells of more than was sent in a window tells of another limit, and nothing of this one', () => {
    const state = { granted: 30 };
    const other = answered(accepted(20, 40), state);
    expect(other).toMatchObject({ limit: 30, isSure: true, granted: 30 });
    const refused = answered({ ...accepted(0, 40), refused: true }, { ...state, sentCount: 10 });
    expect(refused).toMatchObject({ limit: 30, refusals: 0, lostCount: 1 });
  });

  test.each<[string, Partial<Answer>, Partial<PacerState>]>([
    ['a limit of none', { limit: 0 }, { limit: 30, toldMs: at(5000) }],
    ['a limit beyond all sense', { limit: 1e9 + 1 }, { limit: 30 }],
    ['less than nothing remaining', { remaining: -1 }, { toldMs: learnt().toldMs }],
    ['more remaining than makes sense', { remaining: 1e9 + 1 }, { toldMs: learnt().toldMs }],
  ])('with %s is believed in nothing of that', (_, answer, expected) => {
    expect(answered({ ...accepted(20), ...answer })).toMatchObject(expected);
  });

  test('with the largest numbers that make sense is believed', () => {
    expect(answered(accepted(1e9, 1e9))).toMatchObject({ limit: 1e9, toldMs: at(5000) });
    expect(answered(accepted(0, 1))).toMatchObject({ limit: 1, toldMs: at(5000) });
  });
});

describe('a refusal with much remaining', () => {
  const plenty = (remaining: number | undefined): Answer => ({
    ...MUTE,
    refused: true,
    remaining,
    limit: 30,
  });
  const sent = { sentCount: 10, underWay: [request(8, 5000), request(9, 5000), request(10, 5000)] };
  const after = (state: PacerState, remaining: number | undefined, ticket = 10) =>
    bookedBoth(state, (pacer) => pacer.answered(ticket, at(5020), plenty(remaining)));
  const UNTOUCHED = { refusals: 0, lostCount: 1 };

  test('is for want of another limit than the one that is told, unless less than five are left', () => {
    const state = after(learnt(sent), 5);
    expect(state).toMatchObject({ refusals: 0, lostCount: 1, silentUntilMs: at(5270) });
    expect(state.beside).toMatchObject({ refusals: 1, granted: 10, isGuessed: true });
    expect(state.beside?.likely).toEqual({ limit: 30, windowMs: 60_000 });
    expect(after(learnt(sent), 4)).toMatchObject({ refusals: 1, kept: 4, beside: UNTOUCHED });
  });

  test('was for want of it before, too, where the one that is told had refused just so', () => {
    expect(after(learnt({ ...sent, refusals: 2 }), 5).beside).toMatchObject({ refusals: 1, patience: 3 });
  });

  test('tells of no limit until those are answered that left later', () => {
    const state = after(learnt(sent), 5, 8);
    expect(state).toMatchObject({ ...UNTOUCHED, silentUntilMs: at(5270), beside: UNTOUCHED });
    expect(after(learnt(sent), 5, 9).beside).toMatchObject({ refusals: 1 });
  });

  test('counts for nothing in the limit that only refusals tell of, whatever it is for want of', () => {
    const went = { ...sent, sendings: sendings(5000, 5010, 5020), lastSentMs: at(5020) };
    const state = learnt({ ...went, beside: learning({ ...went, isGuessed: true }) });
    const beside = { sendings: sendings(5010, 5020) };
    expect(after(state, 0)).toMatchObject({ sendings: went.sendings, beside });
    // What is for want of another limit, the one that is told did not count.
    expect(after(state, 20)).toMatchObject({ sendings: beside.sendings, beside });
  });

  test('that does not say so goes by what is known to be left', () => {
    expect(after(learnt({ ...sent, granted: 15 }), undefined)).toMatchObject({ refusals: 0 });
    expect(after(learnt({ ...sent, granted: 14 }), undefined)).toMatchObject({ refusals: 1 });
    expect(after({ ...freshState(), ...sent }, undefined)).toMatchObject({
      refusals: 0,
      beside: { refusals: 1 },
    });
  });
});

test('a lost request stays spent, and nothing else is known of it', () => {
  const state = learnt({ sentCount: 10, lostCount: 1, underWay: [request(10, 5000)] });
  const lost = booked(state, (pacer) => {
    pacer.lost(10, at(9000));
    pacer.lost(10, at(9500));
  });
  expect(lost).toEqual({ ...state, lostCount: 2, newsMs: at(9000), underWay: [] });
});

describe('the budget that is told', () => {
  const told = (state: PacerState, ms = 5000) => new Pacer(state).budget(at(ms));

  test('is what is known', () => {
    const state = learnt({ sentCount: 10, sendings: sendings(10), confirmedMs: at(3) });
    expect(told(state)).toEqual({
      limit: 30,
      remaining: 20,
      share: 1,
      windowMs: 60_000,
      refillsAtMs: at(60_022),
      confirmedAtMs: at(3),
      roundTripMs: 20,
    });
  });

  test('tells a guessed limit once a window has confirmed it', () => {
    // After a rest it is only a hint again, and still what was found out.
    const guessed = (more: Partial<PacerState>) => ({
      ...freshState(),
      beside: learnt({ isGuessed: true, ...more }),
    });
    expect(told(guessed({ isSure: false, confirmedMs: 1 })).limit).toBe(30);
    expect(told(guessed({})).limit).toBeUndefined();
    expect(told(learnt({ isSure: false })).limit).toBe(30);
  });

  test('is of the limit that is told, and tells of one beside it that gives less', () => {
    const beside = (windowMs: number, confirmedMs: number | undefined) =>
      told(learnt({ confirmedMs: 1, beside: learnt({ isGuessed: true, limit: 100, windowMs, confirmedMs }) }))
        .beside;
    expect(beside(300_000, 1)).toMatchObject({ limit: 100, windowMs: 300_000, share: 1 });
    expect(beside(200_000, 1)).toBeUndefined();
    expect(beside(300_000, undefined)).toBeUndefined();
  });

  test('says over how many nodes it is added up', () => {
    expect(
      told(
        learnt({
          nodes: [
            [3, 0],
            [4, 0],
          ],
        }),
      ).nodes,
    ).toBe(2);
    expect(told(learnt())).not.toHaveProperty('nodes');
  });

  test('is whole, and never less than nothing', () => {
    expect(told(learnt({ granted: 30.9, sentCount: 10 })).remaining).toBe(20);
    expect(told(learnt({ granted: 8, sentCount: 10 })).remaining).toBe(0);
    expect(told(learnt({ sentCount: 10, underWay: [request(10, 0)] })).remaining).toBe(20);
    expect(told(learnt({ granted: undefined })).remaining).toBeUndefined();
    expect(told(learnt({ roundTripMs: 0 })).roundTripMs).toBeUndefined();
  });

  test('comes back at no time that is past', () => {
    expect(told(learnt({ sentCount: 30 }), 99_000).refillsAtMs).toBe(at(99_000));
    expect(told(learning()).refillsAtMs).toBeUndefined();
    // Nobody sends before, whatever the window is.
    expect(told(learning({ silentUntilMs: at(99_000) })).refillsAtMs).toBe(at(99_000));
    expect(told(learnt({ silentUntilMs: at(99_000) })).refillsAtMs).toBe(at(99_000));
  });
});

test('what is given out to keep is a copy', () => {
  const pacer = new Pacer(learnt({ began: beganFirst(0) }));
  pacer.toJSON().began.atMs = 7;
  expect(pacer.toJSON().began).toEqual(beganFirst(0));
});
