import { gcra, tokenBucket } from './bucket-limiters.ts';
import type { Switches } from './switches.ts';
import { aligned, firstRequest, punishing, slidingCounter, slidingLog } from './window-limiters.ts';

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

/**
 * The limiter of the given kind with a full budget. `limit` must be at least 1. Windows that follow the clock
 * (aligned, sliding-counter) begin `phaseMs` after whole multiples of `windowMs`.
 */
export function createLimiter(
  kind: Switches['limiter'],
  limit: number,
  windowMs: number,
  phaseMs = 0,
): Limiter {
  return LIMITERS[kind]({ limit, windowMs, phaseMs });
}

/** What every kind of limiter is made from. */
export interface LimiterFacts {
  limit: number;
  windowMs: number;
  phaseMs: number;
}

const LIMITERS: Readonly<Record<Switches['limiter'], (facts: LimiterFacts) => Limiter>> = {
  'first-request': firstRequest,
  aligned,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
  gcra,
  punishing,
};
