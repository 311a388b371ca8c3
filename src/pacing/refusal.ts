import { trickled } from './log-shape.ts';
import { marginMs } from './look-for-refill.ts';
import { isLearnt, type Learnt, type PacerState, type UnderWay } from './pacer-state.ts';
import { lastsAtLeast, lastsLonger, SHORTEST_MS } from './window-opened.ts';
import { CALM_WINDOWS, isTried, lowerGuess, unlearn } from './without-remaining.ts';

/** More left than so much at a refusal is for want of something else: less may be the requests of others in between. */
export function mostKept({ limit = 0 }: PacerState): number {
  return Math.max(2, Math.min(4, limit / 7));
}
export const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
/** One that came too early may have been quicker than others on its way; so many in a row say that the window is longer. */
const SAYS_LONGER = 4;
/** Refusals in a row after which a flow is none. */
const NO_FLOW = 6;

/** A request was refused: how long everybody is silent, and what it says about the budget. */
export function refused(
  state: PacerState,
  request: UnderWay,
  now: number,
  retryAfterMs: number | undefined,
  remaining = 0,
): void {
  // It counts as sent, but nothing was granted for it.
  if (state.anchor !== undefined) state.anchor.granted += 1;
  // One that was still to be granted shows that more is told than there is.
  if (remaining <= mostKept(state)) keep(state, Math.max(remaining, request.hoped ? 0 : 1));
  // Those sent before the refusal was known are refused for the same reason: that is no news.
  const pauseMs = request.ticket > state.outdatedUpTo ? learnFrom(state, request) : 0;
  state.patience = Math.min(CALM_WINDOWS, state.patience + 1);
  state.silentUntilMs = Math.max(state.silentUntilMs, now + (retryAfterMs ?? pauseMs));
}

/** What a refusal says of the budget; and how long the pause is. */
function learnFrom(state: PacerState, request: UnderWay): number {
  if (state.refusals === 0) state.refusedMs = request.sentMs;
  state.refusals += 1;
  state.outdatedUpTo = state.sentCount;
  state.granted = Math.min(state.granted ?? state.sentCount, state.sentCount);
  // Of a log that gave back some already more was due; of anything else, refused twice, it was only noise.
  if (state.trickle?.isAsDue) trickled(state, request, 0);
  else if (state.refusals > 1) state.trickle = undefined;
  state.toldMs = Math.max(state.toldMs, request.sentMs);
  state.noRefillMs = Math.max(state.noRefillMs, request.sentMs);
  // What was confirmed is no longer because one came a moment early.
  if (!state.isSure) lastsAtLeast(state, request.sentMs - state.began.byMs);
  const isEarly = request.hoped && !isTried(state, request);
  if (isEarly && isLearnt(state)) return cameEarly(state, request);
  lowerGuess(state, request);
  return pauseMs(state);
}

/** So much is told that is not there, or not enough for what costs more: it is not counted on, unless it is much of all. */
function keep(state: PacerState, amount: number): void {
  const { kept, limit = 0 } = state;
  state.kept = Math.max(kept, Math.min(amount, mostKept(state), limit / 7));
}

/** Sent when something should have been back, and it was not. */
function cameEarly(state: Learnt, request: UnderWay): number {
  if (state.shape === 'flow') {
    // Though a token should have been there: the next waits for a little more than one.
    keep(state, state.kept + 0.5);
    if (state.refusals >= NO_FLOW) unlearn(state, request.sentMs);
    return pauseMs(state);
  }
  state.earlyRefusals += 1;
  if (!state.isSure || state.earlyRefusals >= SAYS_LONGER) {
    // Of a log nobody saw a beginning for long.
    lastsLonger(state, Math.min(request.sentMs - state.began.atMs, 1.5 * state.windowMs));
    return pauseMs(state);
  }
  state.laterMs = Math.min(state.windowMs / 10, 2 * marginMs(state));
  // Without Remaining there is no other sign.
  if (state.isGuessed) return pauseMs(state);
  // Refused twice, a short window is waited for: what is left then tells whether it was for want of this limit.
  return state.refusals > 1
    ? Math.max(pauseMs(state), Math.min(state.windowMs, SHORTEST_MS))
    : state.laterMs / 2;
}

/** Each refusal in a row doubles the pause. */
function pauseMs({ refusals }: PacerState): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (refusals - 1));
}
