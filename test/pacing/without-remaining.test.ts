import { describe, expect, test } from 'vitest';
import { freshState, type PacerState } from '../../src/pacing/pacer-state.ts';
import { takenWithoutNews } from '../../src/pacing/without-remaining.ts';
import { at, learnt, request, sendings } from './states.ts';

/** Thirty a minute, found out by being refused; all are used. */
const guessed = (more: Partial<PacerState> = {}) =>
  learnt({ isGuessed: true, granted: 30, sentCount: 31, ...more });

/** A request is taken, and nothing is told of what remains. */
function taken<State extends PacerState>(state: State, sentMs: number, ticket = 31): State {
  takenWithoutNews(state, request(ticket, sentMs), at(sentMs + 20));
  return state;
}

describe('a request that is taken where nothing tells what remains', () => {
  test('is no news while there is credit, or while no refusal has shown a limit', () => {
    const before = guessed({ granted: 31 });
    expect(taken(guessed({ granted: 31 }), 60_010)).toEqual(before);
    expect(taken(freshState(), 60_010)).toEqual(freshState());
  });

  test('shows without credit that its own place had come back', () => {
    expect(taken(guessed(), 59_000)).toMatchObject({
      granted: 31,
      toldMs: at(59_000),
      began: { atMs: at(0) },
    });
    expect(taken(guessed({ toldMs: at(59_500) }), 59_000).toldMs).toBe(at(59_500));
  });

  test('shows at the end of the window that the next one began', () => {
    expect(taken(guessed(), 60_010)).toMatchObject({ granted: 60, began: { atMs: at(60_010) } });
    expect(taken(guessed(), 60_000).granted).toBe(60);
    expect(taken(guessed({ shape: 'log' }), 60_010)).toMatchObject({ granted: 31, began: { atMs: at(0) } });
  });

  test('shows the same where answers have ceased to tell: as a second one, or as many', () => {
    const told = { granted: 30, sentCount: 31, windowMs: undefined, toldMs: at(5000), noRefillMs: at(5000) };
    const after = (more: Partial<PacerState>) => taken(learnt({ ...told, ...more }), 60_010).granted;
    expect([after({}), after({ toldMs: at(30_000) })]).toEqual([31, 60]);
    const many = sendings(6000, 7000, 60_010);
    expect([after({ sendings: many.slice(1) }), after({ sendings: many })]).toEqual([31, 60]);
  });

  test('shows while no window is known that one ended, where no service tells what remains', () => {
    const unknown = { windowMs: undefined, isSure: false, leastMs: 29_700 };
    expect(taken(guessed(unknown), 60_010)).toMatchObject({ granted: 60, windowMs: 60_000 });
    expect(taken(guessed({ ...unknown, isGuessed: false }), 60_010).granted).toBe(31);
    const went = { sendings: sendings(0) };
    expect(taken(guessed({ ...unknown, ...went, limit: undefined }), 60_010).granted).toBe(31);
  });

  test('keeps of a bucket the rest of a token that had come back', () => {
    const flow = { shape: 'flow', granted: 30 } as const;
    // Half of a token a second.
    expect(taken(guessed(flow), 3000).granted).toBe(31.5);
    expect(taken(guessed(flow), 1000).granted).toBe(31);
    expect(taken(guessed(flow), 9000).granted).toBe(32);
    expect(taken(guessed({ ...flow, windowMs: undefined }), 3000).granted).toBe(31);
  });
});

describe('a guessed limit', () => {
  test('is what was taken in the window that ended, and nothing of before it', () => {
    const unknown = {
      windowMs: undefined,
      isSure: false,
      leastMs: 29_700,
      limit: undefined,
      noRefillMs: at(50_000),
    };
    const went = sendings(-20_000, -15_000, 0, 10, 20, 60_010);
    expect(taken(guessed({ ...unknown, sendings: went }), 60_010)).toMatchObject({ limit: 3, granted: 33 });
    expect(taken(guessed({ ...unknown, limit: 30, sendings: went }), 60_010).limit).toBe(30);
    // A refusal before anything was taken tells of none.
    const none = taken(guessed({ ...unknown, sendings: sendings(60_010) }), 60_010);
    expect([none.limit, none.windowMs, none.granted]).toEqual([undefined, undefined, undefined]);
  });

  test('counts the windows in which it was not refused, until it is tried', () => {
    expect(taken(guessed({ calmWindows: 38 }), 60_010)).toMatchObject({ limit: 30, calmWindows: 39 });
    expect(taken(guessed({ calmWindows: 40 }), 60_010)).toMatchObject({ calmWindows: 40, granted: 60 });
  });

  test('is tried with one more, then with twice as many, and believes in half of what was taken before', () => {
    const tried = (calmWindows: number, patience = 40) => {
      const state = guessed({ calmWindows, patience });
      takenWithoutNews(state, request(31, 29_000, { hoped: true }), at(29_020));
      return state;
    };
    expect(tried(39)).toMatchObject({ limit: 30, calmWindows: 39, granted: 31 });
    expect(tried(40)).toMatchObject({ limit: 30, calmWindows: 41, granted: 31 });
    expect(tried(41)).toMatchObject({ limit: 30, calmWindows: 42, granted: 32 });
    expect(tried(43)).toMatchObject({ limit: 32, calmWindows: 44, granted: 38 });
    // Refused once only, there may be no limit.
    expect(tried(4, 1)).toMatchObject({ limit: undefined, windowMs: undefined, granted: undefined });
    expect(tried(3, 1)).toMatchObject({ limit: 31, granted: 34 });
  });

  test('stays where the service told it', () => {
    const told = taken(guessed({ isGuessed: false, calmWindows: 39 }), 60_010);
    expect(told).toMatchObject({ limit: 30, granted: 60 });
  });
});
