import { describe, expect, test } from 'vitest';
import { dueSince, partCameBack, trickled } from '../../src/pacing/log-shape.ts';
import type { PacerState, Trickle } from '../../src/pacing/pacer-state.ts';
import { at, learning, learnt, request, sendings } from './states.ts';

describe('own requests that became a window old', () => {
  const due = (sentMs: number, more: Partial<PacerState> = {}) =>
    dueSince(learnt({ sendings: sendings(100, 200, 300), jitterMs: 0, ...more }), at(sentMs));

  test('since the newest answer are due, and so are those of the same part of the window', () => {
    const part = 60_000 / 256;
    expect(due(59_000)).toBe(0);
    expect(due(60_100)).toBe(3);
    expect(due(60_100 - part)).toBe(1);
    expect(due(60_099 - part)).toBe(0);
    expect(due(61_000, { toldMs: at(60_100) })).toBe(2);
    expect(due(61_000, { toldMs: at(60_099) })).toBe(3);
  });

  test('may be early by four times the jitter', () => {
    const part = 60_000 / 256;
    expect(due(60_060 - part, { jitterMs: 10 })).toBe(1);
    expect(due(60_059 - part, { jitterMs: 10 })).toBe(0);
  });
});

describe('a part that comes back in a window that is known', () => {
  const part = (rise: number, due: number, more: Partial<PacerState> = {}, sentMs = 60_100) => {
    const state = learnt({ isSure: false, ...more });
    partCameBack(state, request(31, sentMs), rise, due, at(sentMs + 20));
    return state;
  };

  test('shows a log where our own requests were due, and confirms its length', () => {
    expect(part(2, 2)).toMatchObject({ shape: 'log', isSure: true, confirmedMs: at(60_120), unexplained: 0 });
    expect(part(2, 2, {}, 59_000)).toMatchObject({ shape: 'log', isSure: false });
    expect(part(2, 0)).toMatchObject({ shape: 'window', isSure: false, unexplained: 2 });
    expect(part(2, 2, { shape: 'flow' }).shape).toBe('flow');
  });

  test('adds up where it is more than was due, and is explained by what is due later', () => {
    expect(part(5, 2, { unexplained: 1 }).unexplained).toBe(4);
    expect(part(2, 5, { unexplained: 1 }).unexplained).toBe(0);
  });

  test('shows a flow where it is more than six, or half of a small limit, and a hundredth of a large one', () => {
    expect(part(6, 0).shape).toBe('window');
    const anchor = { atMs: at(0), granted: 1 };
    expect(part(7, 0, { anchor })).toMatchObject({
      shape: 'flow',
      isSure: true,
      unexplained: 0,
      anchor: undefined,
    });
    // What came back to one of several nodes shows once that one is met.
    expect(part(7, 0, { nodes: [[9, 0]] })).toMatchObject({ shape: 'window', unexplained: 0 });
    expect(part(3, 0, { limit: 6 }).shape).toBe('window');
    expect(part(4, 0, { limit: 6 }).shape).toBe('flow');
    expect(part(16, 0, { limit: 1000 }).shape).toBe('window');
    expect(part(17, 0, { limit: 1000 }).shape).toBe('flow');
  });
});

describe('a part that comes back while no window is known', () => {
  /** Requests one a second; a look saw nothing at 29 s. */
  const sent = sendings(...Array.from({ length: 30 }, (_, index) => index * 1000));
  const begin = (more: Partial<PacerState> = {}) =>
    learning({ sendings: sent, jitterMs: 0, noRefillMs: at(29_000), ...more });
  const look = (state: PacerState, sentMs: number, rise: number): PacerState => {
    trickled(state, request(31, sentMs), rise);
    return state;
  };
  const seen = (more: Partial<Trickle> = {}): Trickle => ({
    sinceMs: at(29_000),
    firstMs: at(31_000),
    firstBack: 2,
    back: 2,
    isAsDue: true,
    ...more,
  });

  test('is remembered, with what the first sighting showed and when nothing had come back before', () => {
    expect(look(begin(), 31_000, 2).trickle).toEqual(seen());
    expect(look(look(begin(), 31_000, 2), 33_000, 2).trickle).toEqual(seen({ back: 4 }));
  });

  test('shows a log as soon as it is as much as a usual length would have given back', () => {
    const state = look(look(begin(), 31_000, 2), 37_000, 6);
    expect(state).toMatchObject({ shape: 'log', windowMs: 30_000, isSure: true, confirmedMs: at(37_000) });
    expect(state.trickle).toBeUndefined();
    expect(look(look(begin(), 31_000, 2), 37_000, 5)).toMatchObject({ shape: 'window', isSure: false });
  });

  test('of a small limit shows it with half of that', () => {
    expect(look(look(begin({ limit: 8 }), 31_000, 2), 33_000, 2)).toMatchObject({ shape: 'log' });
    expect(look(look(begin({ limit: 10 }), 31_000, 2), 33_000, 2)).toMatchObject({ shape: 'window' });
  });

  test('is no log where much less came back than was due, or much more', () => {
    // At 37 s eight were due.
    expect(look(begin({ trickle: seen() }), 37_000, 3).trickle?.isAsDue).toBe(false);
    expect(look(begin({ trickle: seen() }), 37_000, 4).trickle?.isAsDue).toBe(true);
    expect(look(begin({ trickle: seen({ back: 9 }) }), 37_000, 7).trickle).toBeUndefined();
    expect(look(begin({ trickle: seen({ back: 9 }) }), 37_000, 8)).toMatchObject({ shape: 'flow' });
  });

  test('is no log where no usual length fits', () => {
    // Between 7 s and 9 s is none.
    expect(look(begin({ noRefillMs: at(7000) }), 9000, 2).trickle).toMatchObject({ isAsDue: false });
    // Timers may be early.
    expect(look(begin(), 29_995, 1).trickle).toMatchObject({ isAsDue: false });
    expect(
      look(begin({ sendings: sendings(-6, -5), countedFromMs: at(-10) }), 29_995, 2).trickle?.isAsDue,
    ).toBe(true);
  });

  test('once no log is none later', () => {
    expect(look(begin({ trickle: seen({ isAsDue: false }) }), 37_000, 6)).toMatchObject({ shape: 'flow' });
  });

  test('is a flow at the rate of what came back since the first sighting', () => {
    const trickle = seen({ sinceMs: at(7000), firstMs: at(9000), isAsDue: false });
    // Six in 12 s are thirty in 60 s.
    expect(look(begin({ trickle }), 21_000, 6)).toMatchObject({
      shape: 'flow',
      windowMs: 60_000,
      isSure: true,
      confirmedMs: at(21_000),
      trickle: undefined,
    });
    expect(look(begin({ trickle }), 20_000, 8).windowMs).toBe(41_250);
  });

  test('is not measured by less than four, or a quarter of a small limit', () => {
    const trickle = seen({ firstBack: 6, back: 6, sinceMs: at(7000), firstMs: at(9000), isAsDue: false });
    expect(look(begin({ trickle }), 21_000, 3).shape).toBe('window');
    expect(look(begin({ trickle }), 21_000, 4).shape).toBe('flow');
    expect(look(begin({ trickle, limit: 8 }), 21_000, 1).shape).toBe('window');
    expect(look(begin({ trickle, limit: 8 }), 21_000, 2).shape).toBe('flow');
  });

  test('may be one less than was due, as one may have been late', () => {
    // At 31 s two were due, at 33 s four.
    expect(look(begin({ trickle: seen({ back: 2 }) }), 33_000, 0).trickle?.isAsDue).toBe(false);
    expect(look(begin({ trickle: seen({ back: 3 }) }), 33_000, 0).trickle?.isAsDue).toBe(true);
  });

  test('is forgotten where a flow would have given back two more by now', () => {
    const seenOnce = seen({ sinceMs: at(0), firstMs: at(10_000), firstBack: 4, back: 4, isAsDue: false });
    expect(look(begin({ trickle: seenOnce }), 15_000, 0).trickle).toBeDefined();
    expect(look(begin({ trickle: seenOnce }), 15_001, 0).trickle).toBeUndefined();
  });

  test('is measured over two round trips at least', () => {
    const trickle = seen({ sinceMs: at(7000), firstMs: at(9000), isAsDue: false });
    expect(look(begin({ trickle, roundTripMs: 6001 }), 21_000, 6).shape).toBe('window');
    expect(look(begin({ trickle, roundTripMs: 6000 }), 21_000, 6).shape).toBe('flow');
  });

  test('is looked at once more in the midst of a burst that comes back', () => {
    const burst = sendings(...Array.from({ length: 30 }, (_, index) => 1000 + index));
    const state = (jitterMs: number) =>
      look(begin({ sendings: burst, jitterMs, trickle: seen({ back: 10 }) }), 31_014, 5);
    expect(state(0)).toMatchObject({ shape: 'log', windowMs: 30_000 });
    // Fifteen are back; between the least and the most that may be lie as many.
    expect(state(1)).toMatchObject({ shape: 'window', trickle: { back: 15, isAsDue: true } });
  });
});
