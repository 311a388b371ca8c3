import { isLearnt, type Learnt, NEVER_MS, type PacerState, type UnderWay } from './pacer-state.ts';
import { usualAbove, usualWithin } from './usual-windows.ts';

const ALMOST = 0.99;
/** No window is shorter; what seems so is the way of a few requests. */
export const SHORTEST_MS = 1000;
/** Bounds with more usual lengths between them tell nothing. */
const MOST_CHOICE = 3;
/** Where windows were over before the next usual length, theirs is looked for in such steps. */
const LITTLE_LONGER = 1.1;
/** Timers may be early by so much. */
export const EARLY_TIMER_MS = 5;

/** The whole budget came back: a window ended and a new one began, seen by `request` and known `now`. */
export function windowOpened(state: PacerState, request: UnderWay, now: number): void {
  learnLength(state, request, now);
  state.began = { afterMs: state.noRefillMs, atMs: request.sentMs, byMs: now };
  state.countedFromMs = request.sentMs;
  state.trickle = undefined;
  state.told = [];
  state.unexplained = 0;
  if (!state.isGuessed) state.lostCount = 0;
  // Half of the old habit: one window says little about somebody who asks at random.
  state.othersPerWindow = (state.othersPerWindow + state.othersDemand) / 2;
  state.othersDemand = 0;
  state.othersTook = 0;
}

/** The window that ended lasted longer than to the last request that saw nothing, at most until this one. */
function learnLength(state: PacerState, request: UnderWay, now: number): void {
  const { began, leastMs } = state;
  const ageMs = request.sentMs - began.atMs;
  // Of the first one nobody knows how long it had been open.
  const isFirst = began.afterMs === NEVER_MS;
  const mostMs = isFirst ? -NEVER_MS : request.sentMs + state.roundTripMs - began.afterMs;
  state.mostMs = Math.min(mostMs, state.mostMs > leastMs ? state.mostMs : -NEVER_MS);
  if (isLearnt(state) && state.windowMs > leastMs && state.windowMs <= mostMs) {
    const isOnly = usualWithin(leastMs / ALMOST, mostMs).every((ms) => ms === state.windowMs);
    if (!isFirst) confirm(state, isOnly ? state.windowMs : ageMs, now);
    return;
  }
  // At an age at which nothing had come back before, its beginning was seen late.
  const isLate = ageMs <= leastMs;
  const atMostMs = isLate ? mostMs : Math.min(mostMs, ageMs + EARLY_TIMER_MS + state.roundTripMs);
  const usual = usualWithin(leastMs, atMostMs);
  // Without Remaining any length is better than none.
  const usualMs = state.isGuessed || usual.length <= MOST_CHOICE ? usual.at(-1) : undefined;
  const isNear = ageMs > SHORTEST_MS && (state.isGuessed || ageMs < 2 * state.leastMs);
  state.windowMs = usualMs ?? (isNear ? ageMs : undefined);
  state.isSure = isLate && usual.length === 1;
}

/** Something came back at an age at which it should: the length is right. */
export function confirm(state: Learnt, ageMs: number, now: number): void {
  if (ageMs < state.windowMs || (state.shape === 'window' && state.leastMs >= state.windowMs)) return;
  state.isSure = true;
  state.confirmedMs = now;
}

/** A look at the end of an unconfirmed window saw nothing: it is longer. */
export function sawNothing(state: PacerState, request: UnderWay): void {
  const earlierMs = state.noRefillMs;
  state.noRefillMs = Math.max(state.noRefillMs, request.sentMs);
  // What came back unseen may have begun a window.
  const sinceMs = state.trickle?.isAsDue === true ? state.trickle.firstMs : state.began.byMs;
  lastsAtLeast(state, request.sentMs - sinceMs);
  if (!isLearnt(state) || state.isSure || state.shape !== 'window' || state.underWay.length > 0) return;
  // What showed its beginning may have been as slow to arrive as this one was quick.
  const ageMs = request.sentMs + (state.shortestTripMs ?? 0) - state.began.byMs;
  if (ageMs < state.windowMs) return;
  // A counter that is told late shows it to the next one.
  if (state.granted - state.sentCount >= 1 && earlierMs - state.began.byMs < state.windowMs) return;
  lastsLonger(state, ageMs);
}

/** No new one had begun at that age, or a counter that is told late did not show it yet. */
export function lastsAtLeast(state: PacerState, ageMs: number): void {
  if (state.shape === 'window') state.leastMs = Math.max(state.leastMs, ALMOST * ageMs);
}

/** The window is longer than was thought. */
export function lastsLonger(state: PacerState, ageMs: number): void {
  state.isSure = false;
  state.earlyRefusals = 0;
  const usualMs = usualAbove(Math.max(ageMs, state.leastMs));
  const isUnusual = ageMs < state.mostMs && state.mostMs <= usualMs;
  state.windowMs = isUnusual ? Math.min(state.mostMs, LITTLE_LONGER * ageMs) : usualMs;
  // What was counted in too short a window was no limit.
  if (state.isGuessed) state.limit = undefined;
}
