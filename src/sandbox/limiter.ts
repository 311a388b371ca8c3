import { gcra, tokenBucket } from './bucket-limiters.ts';
import type { Limiter, LimiterFacts } from './limiter-verdicts.ts';
import type { Switches } from './store/switches.ts';
import { aligned, firstRequest, punishing, slidingCounter, slidingLog } from './window-limiters.ts';

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

const LIMITERS: Readonly<Record<Switches['limiter'], (facts: LimiterFacts) => Limiter>> = {
  'first-request': firstRequest,
  aligned,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
  gcra,
  punishing,
};
