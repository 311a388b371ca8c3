import type { LimiterVerdict } from './limiter.ts';

/** The request passes, and so much is left after it. */
export const passed = (remaining: number): LimiterVerdict => ({ allowed: true, remaining, retryAfterMs: 0 });

/** The request is past the limit, and the next passes so much later. */
export const refused = (retryAfterMs: number): LimiterVerdict => ({
  allowed: false,
  remaining: 0,
  retryAfterMs,
});
