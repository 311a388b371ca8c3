import { describe, expect, test } from 'vitest';
import { type Answer, Pacer } from '../../src/pacing/pacer.ts';
import { SECOND } from './any-world.ts';

const LIMIT = 30;
const START_MS = 1_800_000_000_000;
const FOREVER = Number.POSITIVE_INFINITY;

function accepted(remaining: number, limit = LIMIT): Answer {
  return { refused: false, limit, remaining, retryAfterMs: undefined };
}

/** Accepted by a service that sends no rate headers, or nonsense in them. */
const MUTE: Answer = { refused: false, limit: undefined, remaining: undefined, retryAfterMs: undefined };

function refused(facts: Partial<Answer> = {}): Answer {
  return { refused: true, limit: LIMIT, remaining: 0, retryAfterMs: undefined, ...facts };
}

/** Sends at a time of the test and gets the answer `latencyMs` later. */
function exchange(pacer: Pacer, at: number, answer: Answer, latencyMs = 0): void {
  pacer.answered(pacer.sent(START_MS + at), START_MS + at + latencyMs, answer);
}

const delayAt = (pacer: Pacer, at: number, leave?: number, wanted?: number): number =>
  pacer.delayMs(START_MS + at, leave, wanted);

const remainingAt = (pacer: Pacer, at: number): number | undefined => pacer.budget(START_MS + at).remaining;

/** Sends one after the other as long as the pacer lets it. Returns what is left. */
function spend(pacer: Pacer, at: number, remaining: number): number {
  let left = remaining;
  while (delayAt(pacer, at) === 0) {
    left -= 1;
    exchange(pacer, at, accepted(left));
  }
  return left;
}

/** How many may leave without an answer. */
function burst(pacer: Pacer, at: number, leave?: number, wanted = FOREVER): number {
  let count = 0;
  while (count < wanted && delayAt(pacer, at, leave, wanted - count) === 0) {
    pacer.sent(START_MS + at);
    count += 1;
  }
  return count;
}

function scouted(remaining: number, limit = LIMIT): Pacer {
  const pacer = new Pacer();
  exchange(pacer, 0, accepted(remaining, limit));
  return pacer;
}

describe('the scout', () => {
  test('goes alone until its answer is there', () => {
    const pacer = new Pacer();
    expect(delayAt(pacer, 0)).toBe(0);
    const scout = pacer.sent(START_MS);
    expect(delayAt(pacer, 5)).toBe(FOREVER);
    pacer.answered(scout, START_MS + 20, accepted(29));
    expect(delayAt(pacer, 20)).toBe(0);
  });

  test('is followed by another when it is lost', () => {
    const pacer = new Pacer();
    pacer.lost(pacer.sent(START_MS), START_MS);
    expect(delayAt(pacer, 10)).toBe(0);
    pacer.sent(START_MS + 10);
    expect(delayAt(pacer, 10)).toBe(FOREVER);
  });
});

describe('credit', () => {
  test('pays for requests under way, whatever the order of the answers', () => {
    const pacer = scouted(29);
    const tickets = Array.from({ length: 8 }, () => pacer.sent(START_MS + 1));
    expect(remainingAt(pacer, 1)).toBe(21);
    for (const index of [7, 0, 3, 6, 1, 2, 5, 4]) {
      pacer.answered(tickets[index] ?? 0, START_MS + 20, accepted(28 - index));
      expect(remainingAt(pacer, 20)).toBe(21);
    }
  });

  test('falls when somebody else spends', () => {
    const pacer = scouted(29);
    exchange(pacer, 1, accepted(18));
    expect(remainingAt(pacer, 1)).toBe(18);
  });

  test('stays spent for a lost request until the service says that it cost nothing', () => {
    const pacer = scouted(29);
    pacer.lost(pacer.sent(START_MS + 1), START_MS + 1);
    expect(remainingAt(pacer, 1)).toBe(28);
    exchange(pacer, 2, accepted(28));
    expect(remainingAt(pacer, 2)).toBe(28);
  });

  test('is kept back in part while the window is not known: seven of thirty, three of ten', () => {
    expect(spend(scouted(29), 0, 29)).toBe(7);
    const small = scouted(9, 10);
    let left = 9;
    for (; delayAt(small, 0) === 0; left -= 1) exchange(small, 0, accepted(left - 1, 10));
    expect(left).toBe(3);
  });

  test('is all spent at once when no more requests are to go than it pays for', () => {
    expect(burst(scouted(5), 0, 0, 5)).toBe(5);
    expect(burst(scouted(5), 0, 0, 6)).toBeLessThan(5);
  });

  test('leaves to others what it is told to, however few are to go', () => {
    expect(burst(scouted(12), 0, 10, 2)).toBe(2);
    expect(burst(scouted(12), 0, 10, 3)).toBeLessThanOrEqual(2);
    expect(burst(scouted(12), 0, 12, 1)).toBe(0);
  });
});

describe('a service without headers', () => {
  test('gets eight at once, and no more before an answer', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, MUTE);
    expect(burst(pacer, 1)).toBe(8);
    expect(delayAt(pacer, 1)).toBe(FOREVER);
  });

  test('has the window looked for from the first request after a rest on', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, MUTE);
    exchange(pacer, 20 * SECOND, MUTE);
    exchange(pacer, 20_010, MUTE);
    let at = 20_020;
    exchange(pacer, at, refused({ limit: undefined, remaining: undefined }));
    while (pacer.budget(START_MS + at).windowMs === undefined) {
      at += delayAt(pacer, at);
      const isOver = at >= 30 * SECOND;
      exchange(pacer, at, isOver ? MUTE : refused({ limit: undefined, remaining: undefined }));
    }
    expect(pacer.budget(START_MS + at)).toMatchObject({ windowMs: 15 * SECOND, remaining: 1 });
  });
});

describe('the window', () => {
  test('is looked for with single requests at growing gaps', () => {
    const pacer = scouted(29);
    let left = spend(pacer, 0, 29);
    const looks: number[] = [];
    for (let at = 0; looks.length < 7; ) {
      at += delayAt(pacer, at);
      looks.push(Math.round(at / SECOND));
      const look = pacer.sent(START_MS + at);
      expect(delayAt(pacer, at)).toBe(FOREVER);
      left -= 1;
      pacer.answered(look, START_MS + at, accepted(left));
    }
    expect(looks).toEqual([1, 2, 5, 10, 15, 30, 60]);
  });

  test.each([
    { quiet: [1, 2, 5], refill: 10.01, window: 10 },
    { quiet: [1, 2, 5, 10, 15, 30], refill: 60.02, window: 60 },
    { quiet: [], refill: 1.01, window: 1 },
    { quiet: [1, 2], refill: 5.02, window: 5 },
  ])(
    'is the usual length in the bracket: quiet at $quiet s, back at $refill s',
    ({ quiet, refill, window }) => {
      const pacer = scouted(29);
      let left = spend(pacer, 0, 29);
      for (const seconds of quiet) {
        left -= 1;
        exchange(pacer, seconds * SECOND, accepted(left));
      }
      expect(pacer.budget(START_MS).windowMs).toBeUndefined();
      exchange(pacer, refill * SECOND, accepted(29));
      expect(pacer.budget(START_MS + refill * SECOND)).toMatchObject({
        limit: 30,
        windowMs: window * SECOND,
      });
    },
  );
});

describe('a refusal', () => {
  test('holds everybody back for as long as Retry-After says', () => {
    const pacer = scouted(29);
    exchange(pacer, 10, refused({ retryAfterMs: 42 * SECOND }));
    expect(delayAt(pacer, 10)).toBe(42 * SECOND);
    expect(delayAt(pacer, 41 * SECOND + 10)).toBe(SECOND);
  });

  test('takes all credit, whatever the headers say', () => {
    const pacer = scouted(29);
    exchange(pacer, 10, refused({ remaining: 25 }));
    expect(remainingAt(pacer, 10)).toBe(0);
    expect(delayAt(pacer, 10)).toBeGreaterThanOrEqual(250);
  });

  test('several together are one piece of news, and the longest Retry-After counts', () => {
    const pacer = scouted(29);
    const tickets = [3, 9, 5].map((seconds) => ({ ticket: pacer.sent(START_MS + 10), seconds }));
    for (const { ticket, seconds } of tickets) {
      pacer.answered(ticket, START_MS + 20, refused({ retryAfterMs: seconds * SECOND }));
    }
    expect(delayAt(pacer, 20)).toBe(9 * SECOND);
  });

  test('without Retry-After makes the wait longer each time, up to a minute', () => {
    const pacer = new Pacer();
    const silent = refused({ limit: undefined, remaining: undefined });
    exchange(pacer, 0, MUTE);
    let at = 1;
    const waits: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      exchange(pacer, at, silent);
      waits.push(delayAt(pacer, at));
      at += delayAt(pacer, at);
    }
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBe(60 * SECOND);
  });
});
