import { describe, expect, test } from 'vitest';
import { endOfSilenceMs, lookMs, marginMs } from '../../src/pacing/look-for-refill.ts';
import type { PacerState } from '../../src/pacing/pacer-state.ts';
import { at, began, beganFirst, learning, learnt, sendings } from './states.ts';

const since = (ms: number): number => ms - at(0);

describe('how much later than due a request goes', () => {
  const margin = (more: Partial<PacerState>) => marginMs(learnt(more));

  test('is three times the jitter, and five milliseconds at least', () => {
    expect(margin({ jitterMs: 0 })).toBe(5);
    expect(margin({ jitterMs: 10, windowMs: 2000 })).toBe(30);
  });

  test('is more where the window is long enough: six times the jitter, or four thousandths of it', () => {
    expect(margin({ jitterMs: 10 })).toBe(60);
    expect(margin({ jitterMs: 10, windowMs: 10_000 })).toBe(40);
  });

  test('is what was learnt from those that came too early, and a tenth of the window at most', () => {
    expect(margin({ laterMs: 700 })).toBe(700);
    expect(margin({ laterMs: 9000 })).toBe(6000);
    expect(margin({ jitterMs: 100, windowMs: 2000 })).toBe(200);
  });
});

describe('the end of a silence', () => {
  const end = (more: Partial<PacerState>, leave = 0) =>
    since(endOfSilenceMs(learnt({ jitterMs: 0, ...more }), leave));
  const three = { sentCount: 30, sendings: sendings(100, 200, 300) };

  test('is when the oldest request that counts is a window old', () => {
    expect(end(three)).toBe(60_105);
    expect(end({ ...three, countedFromMs: at(101) })).toBe(60_205);
    // Those that were a window old at the newest answer are back already.
    expect(end({ ...three, toldMs: at(60_100) })).toBe(60_205);
  });

  test('is later where more than one is missing, as where some are left to people', () => {
    expect(end({ ...three, sentCount: 31 })).toBe(60_205);
    expect(end(three, 2)).toBe(60_305);
  });

  test('is that of the window where all that is used is used by others', () => {
    expect(end(three, 3)).toBe(60_005);
    expect(end({ sentCount: 30 })).toBe(60_005);
  });

  test('of a window is when it is over even if its first request arrived late', () => {
    const slow = { began: { ...began(100), byMs: at(200) }, shortestTripMs: 30 };
    expect(end({ ...three, ...slow })).toBe(60_175);
    expect(end({ ...three, ...slow, shortestTripMs: undefined })).toBe(60_205);
    expect(end({ ...three, ...slow, jitterMs: 40 })).toBe(60_340);
    expect(end({ ...three, ...slow, shape: 'log' })).toBe(60_105);
  });

  test('of a bucket is when what is missing, and half a token, has flowed back', () => {
    const flow = { shape: 'flow', sentCount: 30, toldMs: at(1000) } as const;
    expect(end(flow)).toBe(4000);
    expect(end({ ...flow, granted: 29 }, 1)).toBe(8000);
  });
});

describe('looks while nothing is known of the window', () => {
  const look = (more: Partial<PacerState>, leave = 0) =>
    since(lookMs(learning({ jitterMs: 0, sentCount: 25, ...more }), leave));

  test('come at the ages that windows have, from the first answer on less half of a trip', () => {
    expect(look({ lastSentMs: at(500) })).toBe(1010);
    expect(look({ lastSentMs: at(1010) })).toBe(2010);
    expect(look({ lastSentMs: at(5010), shortestTripMs: undefined })).toBe(10_020);
  });

  test('are counted where their answers tell something, or nothing ever does, or the window is young', () => {
    expect(look({ lastSentMs: at(20_009), toldMs: at(2010) })).toBe(30_010);
    expect(look({ lastSentMs: at(20_010), toldMs: at(2010) })).toBe(5010);
    expect(look({ lastSentMs: at(20_010), toldMs: at(2010), isGuessed: true })).toBe(30_010);
  });

  test('come no sooner than the window is known to last, unless it had been open before it was seen', () => {
    const known = { leastMs: 14_000, lastSentMs: at(500) };
    expect(look(known)).toBe(1010);
    expect(look({ ...known, began: { ...beganFirst(0), afterMs: at(-10) } })).toBe(15_010);
  });

  test('come again where the window may have begun only when it was used up', () => {
    const blind = { isGuessed: true, lastSentMs: at(60_010) };
    expect(look({ ...blind, refusedMs: at(11_000) })).toBe(71_000);
    // So late it began in no window of that length.
    expect(look({ ...blind, refusedMs: at(16_000) })).toBe(120_010);
    // Beside another limit it may have, but so shortly before the next one it is not worth a request.
    const beside = { ...blind, likely: { limit: 10, windowMs: 1000 } };
    expect(look({ ...beside, refusedMs: at(32_000) })).toBe(92_000);
    expect(look({ ...beside, refusedMs: at(33_000) })).toBe(120_010);
    expect(look({ ...blind, refusedMs: at(11_000), lastSentMs: at(71_000) })).toBe(120_010);
  });

  test('come at once after the end of a guess, which a request before it does not refute', () => {
    const spent = { isGuessed: true, windowMs: 60_000, sentCount: 30, countedFromMs: at(0), toldMs: at(500) };
    const late = { ...spent, lastSentMs: at(60_500), sendings: sendings(0, 500) };
    expect(look({ ...late, noRefillMs: at(0) })).toBeLessThan(60_500);
    expect(look({ ...late, noRefillMs: at(60_500) })).toBeGreaterThan(60_500);
  });

  test('come when the service says that all is back at the latest, and then once one was refused', () => {
    const told = { lastSentMs: at(2010), toldMs: at(2010) };
    expect(look({ ...told, resetMs: at(3000) })).toBe(3005);
    expect(look({ ...told, resetMs: at(9000) })).toBe(5010);
    expect(look({ ...told, resetMs: at(9000), refusals: 1 })).toBe(9005);
    expect(look({ ...told, resetMs: at(90_000), refusals: 1 })).toBe(5010);
  });

  test('come once a minute where no service tells anything, less often after very many refusals', () => {
    const blind = (refusals: number) => look({ isGuessed: true, lastSentMs: at(300_010), refusals });
    expect([0, 24, 25, 26].map(blind)).toEqual([360_010, 360_010, 420_010, 540_010]);
    expect(look({ lastSentMs: at(300_010), toldMs: at(300_010) })).toBe(600_010);
  });
});

describe('looks after something came back', () => {
  const trickle = { sinceMs: at(1000), firstMs: at(5000), firstBack: 1, back: 2, isAsDue: false };
  const look = (more: Partial<PacerState>, leave = 0) =>
    since(lookMs(learning({ jitterMs: 0, sentCount: 25, lastSentMs: at(5000), ...more }), leave));

  test('come when as much more should have, but not at once', () => {
    expect(look({ trickle })).toBe(7000);
    expect(look({ trickle: { ...trickle, back: 0 } })).toBe(9000);
    expect(look({ trickle: { ...trickle, back: 20 } })).toBe(5500);
  });

  test('come after a part of that where it may be a log, credit or not', () => {
    expect(look({ trickle: { ...trickle, isAsDue: true } })).toBe(5125);
    expect(look({ trickle: { ...trickle, isAsDue: true }, sentCount: 30 })).toBe(5125);
  });

  test('come where it may be a log when that gives back the next', () => {
    // Between 1 s and 2 s after the first answer something was back: a log of 2 s.
    const seen = { ...trickle, sinceMs: at(1020), firstMs: at(2000), isAsDue: true };
    const log = (sentMs: number, more: Partial<PacerState> = {}) =>
      look({ trickle: seen, sendings: sendings(2900, 3000, sentMs), sentCount: 30, ...more });
    expect(log(4500)).toBe(6505);
    expect(log(4500, { jitterMs: 10 })).toBe(6535);
    // With credit no later than of a flow.
    expect(log(4500, { sentCount: 25, trickle: { ...seen, back: 8 } })).toBe(5497.5);
    // No sooner than the rest of a burst, and so where none of it is left.
    expect(log(3001)).toBe(5124.375);
    expect(log(3000)).toBe(5124.375);
    expect(log(4500, { countedFromMs: at(4501) })).toBe(5124.375);
  });

  test('come later without credit, as a bucket may refuse them', () => {
    expect(look({ trickle, sentCount: 30 })).toBe(7500);
    expect(look({ trickle }, 5)).toBe(9000);
    expect(look({ trickle }, 4)).toBe(7000);
  });
});

describe('looks for the end of a window that is not sure', () => {
  const look = (more: Partial<PacerState>, leave = 0) =>
    since(
      lookMs(
        learnt({
          jitterMs: 0,
          isSure: false,
          sentCount: 27,
          lastSentMs: at(30_020),
          toldMs: at(30_020),
          ...more,
        }),
        leave,
      ),
    );

  test('are spread over the rest of it, but for two that are kept for the end', () => {
    // Three credits: one look in the middle between the last request and the end.
    expect(look({})).toBe(45_012.5);
    expect(look({ sentCount: 26 })).toBeCloseTo(40_015);
    expect(look({ sentCount: 28 })).toBe(60_005);
    expect(look({ sentCount: 26 }, 1)).toBe(45_012.5);
  });

  test('need keep none where it is sure but for its beginning', () => {
    // It began between 0 s and 33 s or a little more: too wide to tell of its end.
    const wide = { afterMs: at(0), atMs: at(33_000), byMs: at(33_001) };
    expect(look({ isSure: true, began: wide, leastMs: 30_000, lastSentMs: at(40_000) })).toBe(
      40_000 + (93_005 - 40_000) / 4,
    );
  });

  test('wait for the end without credit', () => {
    expect(look({ sentCount: 30 })).toBe(60_005);
    expect(look({ sentCount: 25 }, 5)).toBe(60_005);
    // Also where a usual age comes before.
    const early = { lastSentMs: at(10_020), toldMs: at(10_020) };
    expect(look({ ...early, sentCount: 30 })).toBe(60_005);
    expect(look({ ...early, sentCount: 25 }, 5)).toBe(60_005);
    // It should have come: the next usual age is looked at.
    expect(look({ sentCount: 30, lastSentMs: at(60_100), toldMs: at(60_100) })).toBe(120_010);
  });

  test('come once more with credit, as a counter that is told late shows the refill only then', () => {
    const seen = { sentCount: 29, lastSentMs: at(60_100), toldMs: at(60_100) };
    expect(look(seen)).toBe(61_205);
    expect(look({ ...seen, lastSentMs: at(61_205) })).toBe(120_010);
  });
});
