import type { Budget, PacerState } from './pacer-state.ts';

/** Workers while the rate is not known, or where there is no limit. */
const UNTIL_KNOWN = 8;
const MOST = 64;
type Rate = Record<'limit' | 'windowMs' | 'roundTripMs', number>;
/** There is plenty where so many times as much may go as is under way. */
const PLENTY = 6;

/** Twice what an even rate has under way. What was learnt before `sinceMs` may be over; `leadMs` each takes besides. */
export function workersWanted(
  { limit, windowMs, roundTripMs, confirmedAtMs, workers = UNTIL_KNOWN }: Budget,
  sinceMs: number,
  leadMs = 0,
): number {
  const isKnown = limit !== undefined && windowMs !== undefined && roundTripMs !== undefined;
  const isConfirmed = confirmedAtMs !== undefined && confirmedAtMs >= sinceMs;
  if (!isKnown || !isConfirmed) return Math.min(MOST, workers);
  return Math.min(MOST, twiceEven({ limit, windowMs, roundTripMs: roundTripMs + leadMs }));
}

/** Twice what is under way at an even rate, and two: more only makes answers slow and their order doubtful. */
export function twiceEven({ limit, windowMs, roundTripMs }: Rate): number {
  return Math.ceil((2 * limit * roundTripMs) / windowMs) + 2;
}

/** One more with each answer, while half of the limit is left, and many times as much, and answers are not slower. */
export function moreWorkers(state: PacerState): number {
  const { limit = 0, granted = 0, sentCount, isGuessed, roundTripMs, shortestTripMs = 0 } = state;
  const workers = Math.max(UNTIL_KNOWN, state.workers);
  const credit = isGuessed ? 0 : granted - sentCount;
  const isEasy = credit >= limit / 2 && credit > PLENTY * workers && roundTripMs <= 2 * shortestTripMs;
  return isEasy ? Math.min(MOST, workers + 1) : state.workers;
}
