import { type Limiter, type LimiterFacts, passed, refused } from './limiter-verdicts.ts';

/** Milliseconds since 1970 keep three digits after the point: what is a hair too early is in time. */
const HAIR_MS = 0.001;

/** Holds `limit` tokens and refills evenly, `limit` a window. */
export function tokenBucket({ limit, windowMs }: LimiterFacts): Limiter {
  const perMs = limit / windowMs;
  let tokens = limit;
  let filledAt = Number.NEGATIVE_INFINITY;
  const fill = (nowMs: number) => {
    if (nowMs > filledAt) {
      tokens = Math.min(limit, tokens + (nowMs - filledAt) * perMs);
      filledAt = nowMs;
    }
    return Math.floor(tokens + HAIR_MS * perMs);
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

/** The generic cell rate algorithm: keeps how far requests are ahead of an even pace, a window at most. */
export function gcra({ limit, windowMs }: LimiterFacts): Limiter {
  const emissionMs = windowMs / limit;
  let aheadMs = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  const left = (nowMs: number) => {
    if (nowMs > countedAt) {
      aheadMs = Math.max(0, aheadMs - (nowMs - countedAt));
      countedAt = nowMs;
    }
    return Math.floor((windowMs - aheadMs + HAIR_MS) / emissionMs);
  };
  return {
    remaining: left,
    take(nowMs) {
      if (left(nowMs) < 1) return refused(aheadMs + emissionMs - windowMs);
      aheadMs += emissionMs;
      return passed(left(nowMs));
    },
  };
}
