import type { Budget } from './pacer-state.ts';

/** Workers while the rate is not known, or where there is no limit. */
const UNTIL_KNOWN = 8;
const MOST = 64;

/**
 * How many requests should be under way at the same time: twice what an even rate has under way, as latency varies.
 * What was learnt before `sinceMs`, when this process began to send, may be true no more.
 */
export function workersWanted(
  { limit, windowMs, roundTripMs, confirmedAtMs }: Budget,
  sinceMs: number,
): number {
  if (limit === undefined || windowMs === undefined || roundTripMs === undefined) return UNTIL_KNOWN;
  if (confirmedAtMs === undefined || confirmedAtMs < sinceMs) return UNTIL_KNOWN;
  return Math.min(MOST, twiceEven({ limit, windowMs, roundTripMs }));
}

/** Twice what is under way at an even rate, and two: more only makes answers slow and their order doubtful. */
export function twiceEven({
  limit,
  windowMs,
  roundTripMs,
}: Record<'limit' | 'windowMs' | 'roundTripMs', number>): number {
  return Math.ceil((2 * limit * roundTripMs) / windowMs) + 2;
}
