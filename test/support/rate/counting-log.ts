import type { Limiter } from '../../../src/sandbox/limiter.ts';

/** A sliding log that counts what it refuses: who asks too early waits longer. */
export function countingLog(limit: number, windowMs: number): Limiter {
  let log: number[] = [];
  const drop = (nowMs: number): void => {
    log = log.filter((ms) => ms > nowMs - windowMs);
  };
  return {
    remaining(nowMs) {
      drop(nowMs);
      return Math.max(0, limit - log.length);
    },
    take(nowMs) {
      drop(nowMs);
      const allowed = log.length < limit;
      // More than the limit would make no difference but to the time until everything is forgotten.
      log.push(nowMs);
      if (allowed) return { allowed, remaining: limit - log.length, retryAfterMs: 0 };
      return { allowed, remaining: 0, retryAfterMs: (log.at(-limit) ?? nowMs) + windowMs - nowMs };
    },
  };
}
