import type { Switches } from './switches.ts';

/** What the limiter says about one request. */
export interface LimiterVerdict {
  allowed: boolean;
  /** Requests left now, this one taken off. */
  remaining: number;
  /** When a refused request would pass: milliseconds from now; 0 for an allowed one. */
  retryAfterMs: number;
}

/** Counts requests. Time is handed in, so that hours are arithmetic. A refused request spends nothing. */
export interface Limiter {
  take(nowMs: number): LimiterVerdict;
  /** What is left, without spending. */
  remaining(nowMs: number): number;
}

/** The limiter of the given kind with a full budget. `limit` must be at least 1. */
export function createLimiter(kind: Switches['limiter'], limit: number, windowMs: number): Limiter {
  return LIMITERS[kind](limit, windowMs);
}

const LIMITERS: Readonly<Record<Switches['limiter'], (limit: number, windowMs: number) => Limiter>> = {
  'first-request': (limit, windowMs) => fixedWindow(limit, windowMs, (nowMs) => nowMs),
  aligned: (limit, windowMs) =>
    fixedWindow(limit, windowMs, (nowMs) => Math.floor(nowMs / windowMs) * windowMs),
  'sliding-log': slidingLog,
  'token-bucket': tokenBucket,
};

/** A window that opens where `startOf` says for the first request after the one before has ended. */
function fixedWindow(limit: number, windowMs: number, startOf: (nowMs: number) => number): Limiter {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  const ended = (nowMs: number) => nowMs >= start + windowMs;
  return {
    remaining: (nowMs) => (ended(nowMs) ? limit : limit - used),
    take(nowMs) {
      if (ended(nowMs)) {
        start = startOf(nowMs);
        used = 0;
      }
      if (used >= limit) return refused(start + windowMs - nowMs);
      used += 1;
      return passed(limit - used);
    },
  };
}

/** At most `limit` requests in any span of `windowMs`. */
function slidingLog(limit: number, windowMs: number): Limiter {
  let log: number[] = [];
  const live = (nowMs: number) => {
    log = log.filter((atMs) => atMs > nowMs - windowMs);
    return log;
  };
  return {
    remaining: (nowMs) => limit - live(nowMs).length,
    take(nowMs) {
      const [oldest] = live(nowMs);
      if (oldest !== undefined && log.length >= limit) return refused(oldest + windowMs - nowMs);
      log.push(nowMs);
      return passed(limit - log.length);
    },
  };
}

/** Holds `limit` tokens and refills evenly, `limit` a window. */
function tokenBucket(limit: number, windowMs: number): Limiter {
  const perMs = limit / windowMs;
  let tokens = limit;
  let filledAt = Number.NEGATIVE_INFINITY;
  const fill = (nowMs: number) => {
    if (nowMs > filledAt) {
      tokens = Math.min(limit, tokens + (nowMs - filledAt) * perMs);
      filledAt = nowMs;
    }
    // A whole token that arithmetic made a hair too small is still a whole token.
    return Math.floor(tokens + 1e-9);
  };
  return {
    remaining: fill,
    take(nowMs) {
      if (fill(nowMs) < 1) return refused((1 - tokens) / perMs);
      tokens = Math.max(0, tokens - 1);
      return passed(fill(nowMs));
    },
  };
}

const passed = (remaining: number): LimiterVerdict => ({ allowed: true, remaining, retryAfterMs: 0 });
const refused = (retryAfterMs: number): LimiterVerdict => ({ allowed: false, remaining: 0, retryAfterMs });
