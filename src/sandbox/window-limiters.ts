import { type Limiter, type LimiterFacts, passed, refused } from './limiter-verdicts.ts';

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
