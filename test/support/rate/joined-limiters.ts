import type { Limiter, LimiterVerdict } from '../../../src/sandbox/limiter.ts';

/** A refused request of those below is worth another try after this part of a second: nothing else tells when. */
const AGAIN_MS = 10;

/** Each request has to pass all of them, in this order; one that a later one refuses is spent with those before it. */
export function inARow(
  limiters: readonly Limiter[],
  told: number | 'least',
): Limiter & { told(nowMs: number): number } {
  const left = (nowMs: number): number[] => limiters.map((limiter) => limiter.remaining(nowMs));
  const remaining = (nowMs: number): number =>
    told === 'least' ? Math.min(...left(nowMs)) : (left(nowMs)[told] ?? 0);
  return {
    remaining,
    told: (nowMs) => (told === 'least' ? left(nowMs).indexOf(remaining(nowMs)) : told),
    take(nowMs) {
      for (const limiter of limiters) {
        const verdict = limiter.take(nowMs);
        if (!verdict.allowed) return { ...verdict, remaining: remaining(nowMs) };
      }
      return { allowed: true, remaining: remaining(nowMs), retryAfterMs: 0 };
    },
  };
}

/** Nodes that count apart: each request meets the one that `route` names, and is told what that one has left. */
export function apart(nodes: readonly Limiter[], route: () => number): Limiter {
  const next = (): Limiter => nodes[route() % nodes.length] as Limiter;
  return {
    remaining: (nowMs) => next().remaining(nowMs),
    take: (nowMs) => next().take(nowMs),
  };
}

/** One request in `every` costs as much as `cost` of them. */
export function costing(limiter: Limiter, { every, cost }: { every: number; cost: number }): Limiter {
  let taken = 0;
  return {
    remaining: (nowMs) => limiter.remaining(nowMs),
    take(nowMs) {
      const price = (taken + 1) % every === 0 ? cost : 1;
      const left = limiter.remaining(nowMs);
      if (left < price) return { allowed: false, remaining: left, retryAfterMs: AGAIN_MS };
      taken += 1;
      let verdict: LimiterVerdict = limiter.take(nowMs);
      for (let more = 1; more < price; more += 1) verdict = limiter.take(nowMs);
      return verdict;
    },
  };
}

/** Before `limiter` at most `most` requests are worked on at the same time, for `workMs` each. */
export function atOnce(limiter: Limiter, { most, workMs }: { most: number; workMs: number }): Limiter {
  let endsMs: number[] = [];
  return {
    remaining: (nowMs) => limiter.remaining(nowMs),
    take(nowMs) {
      endsMs = endsMs.filter((ms) => ms > nowMs);
      if (endsMs.length >= most) {
        const retryAfterMs = Math.min(...endsMs) - nowMs;
        return { allowed: false, remaining: limiter.remaining(nowMs), retryAfterMs };
      }
      const verdict = limiter.take(nowMs);
      if (verdict.allowed) endsMs.push(nowMs + workMs);
      return verdict;
    },
  };
}
