/** The request passes, and so much is left after it. */
export const passed = (remaining: number): LimiterVerdict => ({ allowed: true, remaining, retryAfterMs: 0 });

/** The request is past the limit, and the next passes so much later. */
export const refused = (retryAfterMs: number): LimiterVerdict => ({
  allowed: false,
  remaining: 0,
  retryAfterMs,
});

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

/** What every kind of limiter is made from. */
export interface LimiterFacts {
  limit: number;
  windowMs: number;
  phaseMs: number;
}
