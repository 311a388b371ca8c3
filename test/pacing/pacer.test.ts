import { describe, expect, test } from 'vitest';
import { type Answer, Pacer } from '../../src/pacing/pacer.ts';

const LIMIT = 30;
const SECOND = 1000;
const FOREVER = Number.POSITIVE_INFINITY;

function accepted(remaining: number, limit = LIMIT): Answer {
  return { refused: false, limit, remaining, retryAfterMs: undefined };
}

/** Accepted by a service that sends no rate headers, or nonsense in them. */
const MUTE: Answer = { refused: false, limit: undefined, remaining: undefined, retryAfterMs: undefined };

function refused(facts: Partial<Answer> = {}): Answer {
  return { refused: true, limit: LIMIT, remaining: 0, retryAfterMs: undefined, ...facts };
}

/** Sends at `now` and gets the answer `latencyMs` later. */
function exchange(pacer: Pacer, now: number, answer: Answer, latencyMs = 0): void {
  pacer.answered(pacer.sent(now), now + latencyMs, answer);
}

/** Sends one after the other at `now` as long as the pacer lets it, `most` times at the most. Returns what is left. */
function spend(pacer: Pacer, now: number, remaining: number, most = FOREVER): number {
  let left = remaining;
  for (let count = 0; count < most && pacer.delayMs(now) === 0; count += 1) {
    left -= 1;
    exchange(pacer, now, accepted(left));
  }
  return left;
}

/** A pacer that knows for sure that the window lasts 10 s; the third window begins at 20.2 s, all of it left. */
function experienced(): { pacer: Pacer; windowStart: number } {
  const pacer = new Pacer();
  spend(pacer, 0, LIMIT);
  [1, 2, 5].forEach((at, index) => exchange(pacer, at * SECOND, accepted(6 - index)));
  exchange(pacer, 10 * SECOND, accepted(LIMIT - 1));
  spend(pacer, 10 * SECOND, LIMIT - 1);
  const windowStart = 20 * SECOND + 200;
  exchange(pacer, windowStart, accepted(LIMIT - 1));
  return { pacer, windowStart };
}

/** The same, with its budget spent. */
function exhausted(): { pacer: Pacer; windowStart: number } {
  const { pacer, windowStart } = experienced();
  spend(pacer, windowStart, LIMIT - 1);
  return { pacer, windowStart };
}

describe('the scout', () => {
  test('goes alone until its answer is there', () => {
    const pacer = new Pacer();
    expect(pacer.delayMs(0)).toBe(0);
    const scout = pacer.sent(0);
    expect(pacer.delayMs(5)).toBe(FOREVER);
    pacer.answered(scout, 20, accepted(29));
    expect(pacer.delayMs(20)).toBe(0);
  });

  test('is followed by another when it is lost', () => {
    const pacer = new Pacer();
    pacer.lost(pacer.sent(0), 0);
    expect(pacer.delayMs(10)).toBe(0);
    pacer.sent(10);
    expect(pacer.delayMs(10)).toBe(FOREVER);
  });
});

describe('credit', () => {
  test('pays for requests under way, whatever the order of the answers', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, accepted(29));
    const tickets = Array.from({ length: 8 }, () => pacer.sent(1));
    expect(pacer.budget(0)).toEqual({ limit: 30, remaining: 21, windowMs: undefined });
    for (const index of [7, 0, 3, 6, 1, 2, 5, 4])
      pacer.answered(tickets[index] ?? 0, 20, accepted(28 - index));
    expect(pacer.budget(0)).toEqual({ limit: 30, remaining: 21, windowMs: undefined });
  });

  test('lets at most eight be under way', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, accepted(29));
    for (let count = 0; count < 8; count += 1) {
      expect(pacer.delayMs(1)).toBe(0);
      pacer.sent(1);
    }
    expect(pacer.delayMs(1)).toBe(FOREVER);
  });

  test('falls when somebody else spends', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, accepted(29));
    exchange(pacer, 1, accepted(18));
    expect(pacer.budget(0).remaining).toBe(18);
    expect(spend(pacer, 2, 18)).toBe(7);
  });

  test('stays spent for a lost request until the service says that it cost nothing', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, accepted(29));
    pacer.lost(pacer.sent(1), 1);
    expect(pacer.budget(0).remaining).toBe(28);
    exchange(pacer, 2, accepted(28));
    expect(pacer.budget(0)).toMatchObject({ remaining: 28, windowMs: undefined });
  });

  test('is not blurred for good by lost requests: the refill after the next is seen as sharply as ever', () => {
    const { pacer, windowStart } = experienced();
    for (let count = 0; count < 5; count += 1) pacer.lost(pacer.sent(windowStart), windowStart);
    const refill = windowStart + 10 * SECOND + 40;
    exchange(pacer, refill, accepted(29));
    expect(spend(pacer, refill, 29, 3)).toBe(26);
    exchange(pacer, refill + 5 * SECOND, accepted(29));
    expect(pacer.budget(0).remaining).toBe(29);
    spend(pacer, refill + 5 * SECOND, 29);
    expect(pacer.delayMs(refill + 5 * SECOND)).toBe(10 * SECOND + 40);
  });

  test('is no news when a request is answered twice', () => {
    const pacer = new Pacer();
    const ticket = pacer.sent(0);
    pacer.answered(ticket, 1, accepted(29));
    pacer.answered(ticket, 2, accepted(3));
    pacer.lost(ticket, 1);
    expect(pacer.budget(0).remaining).toBe(29);
  });

  test('is not touched by late answers from before the refill', () => {
    const pacer = new Pacer();
    spend(pacer, 0, LIMIT, 20);
    const late = pacer.sent(10);
    const first = pacer.sent(11);
    pacer.answered(first, 30, accepted(29));
    expect(pacer.budget(0).remaining).toBe(28);
    pacer.answered(late, 31, accepted(9));
    expect(pacer.budget(0).remaining).toBe(28);
  });

  test('is not touched by a late refusal from before the refill, but nobody sends for a while', () => {
    const { pacer, windowStart } = experienced();
    spend(pacer, windowStart, LIMIT - 1, 20);
    const late = pacer.sent(windowStart + 1);
    const first = pacer.sent(windowStart + 2);
    pacer.answered(first, windowStart + 30, accepted(29));
    pacer.answered(late, windowStart + 31, refused());
    expect(pacer.budget(0).remaining).toBe(28);
    expect(pacer.delayMs(windowStart + 31)).toBe(250);
  });
});

describe('answers without news', () => {
  test('leave the budget as it was when the headers are missing', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, accepted(29));
    exchange(pacer, 1, MUTE);
    expect(pacer.budget(0)).toEqual({ limit: 30, remaining: 28, windowMs: undefined });
  });

  test('leave the limit as it was when it is zero', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, accepted(29));
    exchange(pacer, 1, accepted(28, 0));
    expect(pacer.budget(0).limit).toBe(30);
  });

  test('never stop a service that sends no headers: eight go at once', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, MUTE);
    for (let count = 0; count < 8; count += 1) {
      expect(pacer.delayMs(1)).toBe(0);
      pacer.sent(1);
    }
    expect(pacer.delayMs(1)).toBe(FOREVER);
    expect(pacer.budget(0)).toEqual({ limit: undefined, remaining: undefined, windowMs: undefined });
  });

  test('a service without headers that refuses is asked by one request at a time, later and later', () => {
    const pacer = new Pacer();
    const silent = refused({ limit: undefined, remaining: undefined });
    exchange(pacer, 0, MUTE);
    let now = 1;
    for (const wait of [500, 1000, 2000, 4000]) {
      exchange(pacer, now, silent);
      expect(pacer.delayMs(now)).toBe(wait);
      now += wait;
    }
    expect(pacer.delayMs(now)).toBe(0);
    const next = pacer.sent(now);
    expect(pacer.delayMs(now)).toBe(FOREVER);
    pacer.answered(next, now, MUTE);
    pacer.sent(now);
    expect(pacer.delayMs(now)).toBe(0);
  });

  test('the wait between refusals stops growing at a minute', () => {
    const pacer = new Pacer();
    let now = 0;
    for (let count = 0; count < 12; count += 1) {
      exchange(pacer, now, refused());
      now += Math.min(pacer.delayMs(now), 60 * SECOND);
    }
    exchange(pacer, now, refused());
    expect(pacer.delayMs(now)).toBe(60 * SECOND);
  });
});

describe('learning the window', () => {
  test('keeps a reserve back: seven of thirty', () => {
    const pacer = new Pacer();
    expect(spend(pacer, 0, LIMIT)).toBe(7);
    expect(pacer.delayMs(0)).toBe(SECOND);
  });

  test('keeps at most three tenths of a small limit back', () => {
    const pacer = new Pacer();
    exchange(pacer, 0, accepted(9, 10));
    for (let left = 8; pacer.delayMs(0) === 0; left -= 1) exchange(pacer, 0, accepted(left, 10));
    expect(pacer.budget(0).remaining).toBe(3);
  });

  test('looks with single requests at growing gaps after the burst', () => {
    const pacer = new Pacer();
    let left = spend(pacer, 0, LIMIT);
    const looks: number[] = [];
    for (let now = 0; looks.length < 7; ) {
      now += pacer.delayMs(now);
      looks.push(now / SECOND);
      const look = pacer.sent(now);
      expect(pacer.delayMs(now)).toBe(FOREVER);
      left -= 1;
      pacer.answered(look, now, accepted(left));
    }
    expect(looks).toEqual([1, 2, 5, 10, 15, 30, 60]);
    expect(left).toBe(0);
  });

  test.each([
    { quiet: [1, 2, 5], refill: 10, window: 10 },
    { quiet: [1, 2, 5, 10, 15, 30], refill: 60.02, window: 60 },
    { quiet: [], refill: 1, window: 1 },
    { quiet: [20], refill: 28, window: 28 },
  ])(
    'takes the usual length in the bracket: quiet at $quiet s, back at $refill s',
    ({ quiet, refill, window }) => {
      const pacer = new Pacer();
      let left = spend(pacer, 0, LIMIT);
      for (const seconds of quiet) {
        left -= 1;
        exchange(pacer, seconds * SECOND, accepted(left));
      }
      expect(pacer.budget(0).windowMs).toBeUndefined();
      exchange(pacer, refill * SECOND, accepted(29));
      expect(pacer.budget(0)).toEqual({ limit: 30, remaining: 29, windowMs: window * SECOND });
    },
  );

  test('keeps four back until a pilot has confirmed the length, then none', () => {
    const pacer = new Pacer();
    spend(pacer, 0, LIMIT);
    exchange(pacer, SECOND, accepted(29));
    expect(spend(pacer, SECOND, 29)).toBe(4);
    const pilotAt = SECOND + pacer.delayMs(SECOND);
    exchange(pacer, pilotAt, accepted(29));
    expect(spend(pacer, pilotAt, 29)).toBe(0);
  });

  test('does not take a refill seen long after the end of the window for a confirmation', () => {
    const pacer = new Pacer();
    spend(pacer, 0, LIMIT);
    exchange(pacer, SECOND, accepted(29));
    spend(pacer, SECOND, 29);
    exchange(pacer, 30 * SECOND, accepted(29));
    expect(spend(pacer, 30 * SECOND, 29)).toBe(4);
  });

  test('takes a guess that a pilot does not confirm for too short at once', () => {
    const pacer = new Pacer();
    spend(pacer, 0, LIMIT);
    exchange(pacer, SECOND, accepted(29));
    let left = spend(pacer, SECOND, 29);
    for (const window of [2, 5, 10]) {
      const now = SECOND + (pacer.budget(0).windowMs ?? 0) + 200;
      left -= 1;
      exchange(pacer, now, accepted(left));
      expect(pacer.budget(0).windowMs).toBe(window * SECOND);
    }
  });
});

describe('the pilot', () => {
  test('goes once, alone, a margin after the end of the window', () => {
    const { pacer, windowStart } = exhausted();
    expect(pacer.budget(0)).toEqual({ limit: 30, remaining: 0, windowMs: 10 * SECOND });
    const pilotAt = windowStart + 10 * SECOND + 40;
    expect(pacer.delayMs(windowStart)).toBe(pilotAt - windowStart);
    expect(pacer.delayMs(pilotAt)).toBe(0);
    const pilot = pacer.sent(pilotAt);
    expect(pacer.delayMs(pilotAt + 5)).toBe(FOREVER);
    pacer.answered(pilot, pilotAt + 20, accepted(29));
    expect(pacer.budget(0).remaining).toBe(29);
    expect(pacer.delayMs(pilotAt + 20)).toBe(0);
  });

  test('waits for the answers of the burst', () => {
    const { pacer, windowStart } = experienced();
    spend(pacer, windowStart, LIMIT - 1, LIMIT - 2);
    const last = pacer.sent(windowStart + 9 * SECOND);
    expect(pacer.delayMs(windowStart + 12 * SECOND)).toBe(FOREVER);
    pacer.answered(last, windowStart + 12 * SECOND, accepted(0));
    expect(pacer.delayMs(windowStart + 12 * SECOND)).toBe(0);
  });

  test('that comes early widens the margin first and the window after three', () => {
    const { pacer, windowStart } = exhausted();
    const end = windowStart + 10 * SECOND;
    const margins: number[] = [];
    let now = end;
    for (let early = 0; early < 3; early += 1) {
      // The backoff is over in time, so the margin alone decides.
      margins.push(now + pacer.delayMs(now) - end);
      now += pacer.delayMs(now);
      expect(pacer.budget(0).windowMs).toBe(10 * SECOND);
      exchange(pacer, now, refused({ retryAfterMs: 0 }));
    }
    expect(margins).toEqual([40, 80, 160]);
    expect(pacer.budget(0).windowMs).toBe(15 * SECOND);
  });

  test('is alone: a burst that spends what was left after the end of the window says nothing of its length', () => {
    const { pacer, windowStart } = experienced();
    const late = Array.from({ length: 8 }, () => pacer.sent(windowStart + 11 * SECOND));
    late.slice(1).forEach((ticket, index) => {
      pacer.answered(ticket, windowStart + 12 * SECOND, accepted(27 - index));
    });
    expect(pacer.budget(0).windowMs).toBe(10 * SECOND);
  });

  test('keeps the wider margin in the next window', () => {
    const { pacer, windowStart } = exhausted();
    exchange(pacer, windowStart + 10 * SECOND + 40, refused({ retryAfterMs: 0 }));
    const next = windowStart + 10 * SECOND + 80;
    exchange(pacer, next, accepted(29));
    spend(pacer, next, 29);
    expect(pacer.delayMs(next)).toBe(10 * SECOND + 80);
  });

  test('that is early in every window makes it longer in the end', () => {
    const { pacer } = exhausted();
    let now = 0;
    for (let round = 0; round < 4 && pacer.budget(0).windowMs === 10 * SECOND; round += 1) {
      for (const answer of [refused(), refused(), accepted(29)]) {
        now += pacer.delayMs(now);
        exchange(pacer, now, answer);
      }
      spend(pacer, now, 29);
    }
    expect(pacer.budget(0).windowMs).toBe(15 * SECOND);
  });

  test('goes at once after a long silence', () => {
    const { pacer, windowStart } = exhausted();
    expect(pacer.delayMs(windowStart + 3600 * SECOND)).toBe(0);
  });
});

describe('a refusal', () => {
  test('holds everybody back for as long as Retry-After says', () => {
    const { pacer, windowStart } = experienced();
    exchange(pacer, windowStart, refused({ retryAfterMs: 42 * SECOND }));
    expect(pacer.delayMs(windowStart)).toBe(42 * SECOND);
    expect(pacer.delayMs(windowStart + 41 * SECOND)).toBe(SECOND);
  });

  test('takes all credit, whatever the headers say', () => {
    const { pacer, windowStart } = experienced();
    exchange(pacer, windowStart, refused({ remaining: 25 }));
    expect(pacer.budget(0).remaining).toBe(0);
    expect(pacer.delayMs(windowStart)).toBe(500);
  });

  test('several together are one piece of news, and the longest Retry-After counts', () => {
    const { pacer, windowStart } = experienced();
    const tickets = Array.from({ length: 8 }, () => pacer.sent(windowStart));
    for (const ticket of tickets) pacer.answered(ticket, windowStart + 10, refused());
    expect(pacer.delayMs(windowStart + 10)).toBe(500);
    const later = [3, 9, 5].map((seconds) => ({ ticket: pacer.sent(windowStart + 510), seconds }));
    for (const { ticket, seconds } of later) {
      pacer.answered(ticket, windowStart + 520, refused({ retryAfterMs: seconds * SECOND }));
    }
    expect(pacer.delayMs(windowStart + 520)).toBe(9 * SECOND);
  });

  test('waits twice as long each time until one is accepted', () => {
    const { pacer, windowStart } = exhausted();
    let now = windowStart + 10 * SECOND + 40;
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      exchange(pacer, now, refused());
      waits.push(pacer.delayMs(now));
      now += 60 * SECOND;
    }
    expect(waits.slice(0, 2)).toEqual([500, 1000]);
    exchange(pacer, now, accepted(29));
    exchange(pacer, now, refused());
    expect(pacer.delayMs(now)).toBe(500);
  });
});
