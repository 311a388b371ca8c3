import { countedBy } from './credit.ts';
import { NEVER_MS, type PacerState, type UnderWay } from './pacer-state.ts';
import { delayMs } from './when-to-send.ts';
import { forgetGuess, isDoubtful } from './without-remaining.ts';

/** Who goes so much later than it might have gone was not waiting: timers are not that late. */
const REST_MS = 500;

/** Whether nobody wanted to go for a while before `now`. */
export function hasRested(state: PacerState, now: number, leave: number): boolean {
  if (state.underWay.length > 0 || state.sentCount === 0) return false;
  const sinceMs = Math.max(state.newsMs, state.silentUntilMs);
  return now - sinceMs - delayMs(state, sinceMs, leave, Number.POSITIVE_INFINITY) > REST_MS;
}

/** Nobody watched: what came back meanwhile teaches nothing, and what was learnt is a hint from now on. */
export function afterRest(state: PacerState): void {
  state.isScouted = false;
  // The rate of a bucket is measured all the time, before anything depends on it.
  state.isSure = state.shape === 'flow';
  Object.assign(state, { trickle: undefined, anchor: undefined, told: [] });
  Object.assign(state, { unexplained: 0, leastMs: 0, laterMs: 0, workers: 0 });
  if (isDoubtful(state)) forgetGuess(state);
}

/** The first answer, or the first after a rest, tells how things stand. */
export function scouted(state: PacerState, request: UnderWay, now: number, remaining: number): void {
  const known = state.granted;
  state.isScouted = true;
  state.granted = remaining + countedBy(state, request);
  state.noRefillMs = request.sentMs;
  // Those that are still under way may have been counted or not, as lost ones.
  state.lostCount = request.ticket - countedBy(state, request);
  // As before: it is the same window still.
  if (known !== undefined && state.granted <= known) return;
  state.began = { afterMs: NEVER_MS, atMs: request.sentMs, byMs: now };
  state.countedFromMs = request.sentMs;
  state.othersTook = 0;
}
