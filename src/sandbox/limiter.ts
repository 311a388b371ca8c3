import type { Switches } from './store/switches.ts';

/** The window opens with the first request after the one before has ended. */
export const firstRequest = (facts: LimiterFacts): Limiter => fixedWindow(facts, (nowMs) => nowMs);

/** The windows follow the clock. */
export const aligned = (facts: LimiterFacts): Limiter =>
  fixedWindow(facts, (nowMs) => clockWindow(facts, nowMs));

/** Like first-request, but each refused request begins the window again. */
export const punishing = (facts: LimiterFacts): Limiter => fixedWindow(facts, (nowMs) => nowMs, true);

/** When the window that follows the clock began. */
function clockWindow({ windowMs, phaseMs }: LimiterFacts, nowMs: number): number {
  return Math.floor((nowMs - phaseMs) / windowMs) * windowMs + phaseMs;
}

/**
 * A window that opens where `startOf` says for the first request after the one before has ended. One that
 * punishes begins its time again at each refused request.
 */
function fixedWindow(
  { limit, windowMs }: LimiterFacts,
  startOf: (nowMs: number) => number,
  punishes = false,
): Limiter {
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
      if (used >= limit) {
        if (punishes) start = Math.max(start, nowMs);
        return refused(start + windowMs - nowMs);
      }
      used += 1;
      return passed(limit - used);
    },
  };
}

/** At most `limit` requests in any span of `windowMs`. */
export function slidingLog({ limit, windowMs }: LimiterFacts): Limiter {
  let log: number[] = [];
  let gone = 0;
  const live = (nowMs: number) => {
    while (gone < log.length && (log[gone] ?? 0) <= nowMs - windowMs) gone += 1;
    // Cut seldom: cutting at each request would copy the whole log each time.
    if (gone > limit) {
      log = log.slice(gone);
      gone = 0;
    }
    return log.length - gone;
  };
  return {
    remaining: (nowMs) => limit - live(nowMs),
    take(nowMs) {
      if (live(nowMs) >= limit) return refused((log[gone] ?? nowMs) + windowMs - nowMs);
      log.push(nowMs);
      return passed(limit - live(nowMs));
    },
  };
}

/** The window before counts by the part of it that a span of `windowMs` up to now still covers. */
export function slidingCounter(facts: LimiterFacts): Limiter {
  const { limit, windowMs } = facts;
  let start = Number.NEGATIVE_INFINITY;
  let before = 0;
  let used = 0;
  const covered = (nowMs: number) => {
    const latest = clockWindow(facts, nowMs);
    if (latest > start) {
      before = latest > start + windowMs * 1.5 ? 0 : used;
      used = 0;
      start = latest;
    }
    return before * (1 - Math.max(0, nowMs - start) / windowMs);
  };
  const left = (nowMs: number) => {
    const still = Math.floor(covered(nowMs));
    return Math.max(0, limit - used - still);
  };
  return {
    remaining: left,
    take(nowMs) {
      if (left(nowMs) < 1) {
        const passesAt = start + windowMs * (used < limit ? 1 - (limit - used) / before : 1);
        // At that very moment nothing has come free yet.
        return refused(Math.max(0, Math.floor(passesAt - nowMs)) + 1);
      }
      used += 1;
      return passed(left(nowMs));
    },
  };
}

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
