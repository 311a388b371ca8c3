import { scouted } from './after-rest.ts';
import { countedBy, isLoose } from './credit.ts';
import { mirror } from './flow-shape.ts';
import { dueSince, partCameBack, trickled } from './log-shape.ts';
import { isLearnt, type Learnt, type PacerState, type UnderWay } from './pacer-state.ts';
import { countBetween, nthNewestMs } from './sendings.ts';
import { usualNear } from './usual-windows.ts';
import { sawNothing, SHORTEST_MS, windowOpened } from './window-opened.ts';
import { takenWithoutNews } from './without-remaining.ts';

/** So much stays of what is kept, and of a margin that was wide enough. */
const LESS_KEPT = 0.995;
const LESS_LATER = 0.98;
/** A rise by this part of the limit is no noise. */
const CLEAR_RISE = 8;

/** A request was taken: what Remaining says of the budget. */
export function accepted(
  state: PacerState,
  request: UnderWay,
  now: number,
  remaining: number | undefined,
): void {
  state.refusals = 0;
  state.kept *= LESS_KEPT;
  if (state.atOnce > 0) state.atOnce += 1 - LESS_KEPT;
  if (request.hoped) {
    state.earlyRefusals = Math.max(0, state.earlyRefusals - 1);
    state.laterMs *= LESS_LATER;
  }
  if (remaining === undefined) {
    state.isScouted ||= state.granted === undefined || state.isGuessed;
    return takenWithoutNews(state, request, now);
  }
  // Of what was there this request has taken one: a counter that is told late says otherwise.
  readRemaining(state, request, now, Math.min(remaining, (state.limit ?? Number.POSITIVE_INFINITY) - 1));
  countOthers(state, request, remaining);
  state.toldMs = Math.max(state.toldMs, request.sentMs);
}

function readRemaining(state: PacerState, request: UnderWay, now: number, remaining: number): void {
  if (state.granted === undefined || !state.isScouted) return scouted(state, request, now, remaining);
  if (isLearnt(state) && state.shape === 'flow') return mirror(state, request, remaining);
  projectOthers(state, request);
  // The most it can be if nothing came back, and the least if nobody else spends.
  const most = state.granted - request.settled - 1 + state.lostCount;
  const least = state.granted - state.sentCount;
  if (remaining > most) {
    if (isInOrder(state, request)) risen(state, request, now, remaining, most);
    return;
  }
  if (remaining < least) {
    fallen(state, least - remaining);
    state.granted = remaining + state.sentCount;
  } else if (state.lostCount > 0) {
    state.granted = Math.max(state.granted, remaining + countedBy(state, request));
  }
  // Whether those that are lost were counted shows in what was sent after them.
  if (request.settled + 1 === request.ticket) state.lostCount = 0;
  // What is due and does not show came back a moment before: it explains what was there too early.
  if (isLearnt(state)) state.unexplained = Math.max(0, state.unexplained - dueSince(state, request.sentMs));
  sawNothing(state, request);
  // What came back before had been all: of a log or a window more may have been due by now.
  if (state.trickle !== undefined && isInOrder(state, request)) trickled(state, request, 0);
}

/** What a log holds that is not ours is others'. */
function countOthers(state: PacerState, { sentMs }: UnderWay, remaining: number): void {
  if (!isLearnt(state) || state.shape !== 'log') return;
  const ours = countBetween(state.sendings, sentMs - state.windowMs, sentMs);
  const used = state.limit - remaining;
  state.othersTook = Math.max(0, used - ours);
  // Where so little of so much is counted, the window is shorter.
  state.forgotten = ours - used >= state.limit / 2 ? state.forgotten + 1 : 0;
  if (state.forgotten <= 2 + state.limit / 2) return;
  const ageMs = sentMs - (nthNewestMs(state.sendings, used + 1) ?? sentMs);
  if (ageMs > SHORTEST_MS) state.windowMs = usualNear(ageMs, 0.25);
}

/** While learning, answers that overtake each other and counters that are told late look like a refill. */
function isInOrder(state: PacerState, { settled, ticket }: UnderWay): boolean {
  return (isLearnt(state) && !isLoose(state)) || (settled + 1 === ticket && ticket === state.sentCount);
}

/** More is left than nothing coming back can explain. */
function risen(state: PacerState, request: UnderWay, now: number, remaining: number, most: number): void {
  const { limit = 0, trickle } = state;
  const rise = remaining - most;
  const granted = remaining + countedBy(state, request);
  const due = isLearnt(state) ? dueSince(state, request.sentMs) : 0;
  state.outdatedUpTo = Math.max(state.outdatedUpTo, request.ticket);
  // A window gives back most of what was missing; a bit of noise near its beginning is most of very little.
  const isMost =
    rise >= Math.max((limit - most) / 2, isLearnt(state) ? limit / 4 : Math.min(CLEAR_RISE, limit / 4));
  // So much came back already that little by little is how it does.
  const isTrickling = trickle?.isAsDue === true || (trickle?.back ?? 0) > rise / 4;
  if (isMost && (remaining >= limit - 1 || (rise > due && !isTrickling))) {
    if (isLearnt(state) && state.shape === 'log' && isTooMuch(state, request, rise)) state.shape = 'window';
    windowOpened(state, request, now);
    state.granted = granted;
    // Those that left meanwhile may have arrived before it.
    state.outdatedUpTo = state.sentCount;
    return;
  }
  if (isLearnt(state) && (state.isSure || due > 0)) partCameBack(state, request, rise, due, now);
  else trickled(state, request, rise);
  state.granted = Math.max(state.granted ?? 0, granted);
  state.noRefillMs = Math.max(state.noRefillMs, request.sentMs);
}

/** More than a log can give back at once, even of requests that reached it late. */
function isTooMuch(state: Learnt, { sentMs }: UnderWay, rise: number): boolean {
  const toldMs = state.toldMs - state.windowMs / 10;
  return state.isSure && rise > dueSince({ ...state, toldMs }, sentMs) + state.limit / 2;
}

/** Less is left than our own requests explain: somebody else spends, or what came back was only noise. */
function fallen(state: PacerState, by: number): void {
  state.othersTook += by;
  state.unexplained = Math.max(0, state.unexplained - by);
  if (state.trickle !== undefined) state.trickle.back -= by;
}

/** What others took so far, projected to the whole window. */
function projectOthers(state: PacerState, { sentMs }: UnderWay): void {
  if (!isLearnt(state) || state.shape !== 'window') return;
  const { windowMs, began, othersTook } = state;
  // The first moments of a window say too little about the rest of it.
  state.othersDemand = (othersTook * windowMs) / Math.max(sentMs - began.atMs, windowMs / 4);
}
