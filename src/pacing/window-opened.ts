import { isLearnt, type Learnt, NEVER_MS, type PacerState, type UnderWay } from './pacer-state.ts';
import { usualAbove, usualWithin } from './usual-windows.ts';

/** Timers may be early by so much. */
export const EARLY_TIMER_MS = 5;

/** The whole budget came back: a window ended and a new one began, seen by `request` and known `now`. */
export function windowOpened(state: PacerState, request: UnderWay, now: number): void {
  learnLength(state, request, now);
  state.began = { afterMs: state.noRefillMs, atMs: request.sentMs, byMs: now };
  state.countedFromMs = request.sentMs;
  state.hasLookedAtEnd = false;
  state.trickle = undefined;
  state.unexplained = 0;
  state.lostCount = 0;
  // Half of the old habit: one window says little about somebody who asks at random.
  state.othersPerWindow = (state.othersPerWindow + state.othersDemand) / 2;
  state.othersDemand = 0;
  state.othersTook = 0;
}

/** The window that ended lasted at least since the last look that saw nothing, at most until this one. */
function learnLength(state: PacerState, request: UnderWay, now: number): void {
  const { began, windowMs } = state;
  const ageMs = request.sentMs - began.atMs;
  const isFirst = windowMs === undefined || began.afterMs === NEVER_MS;
  const mostMs = isFirst ? ageMs + EARLY_TIMER_MS : request.sentMs + state.roundTripMs - began.afterMs;
  // It has become shorter.
  if (!isFirst && mostMs <= state.leastMs) state.leastMs = 0;
  state.leastMs = Math.max(state.leastMs, state.noRefillMs - began.byMs);
  const { leastMs } = state;
  if (isLearnt(state) && state.windowMs > leastMs && (isFirst || state.windowMs <= mostMs)) {
    confirm(state, ageMs, now);
    return;
  }
  state.windowMs = usualWithin(leastMs, mostMs) ?? Math.max(ageMs, leastMs);
  state.isSure = false;
}

/** Something came back at an age at which it should: the length is right. */
export function confirm(state: Learnt, ageMs: number, now: number): void {
  if (ageMs < state.windowMs || state.leastMs >= state.windowMs) return;
  state.isSure = true;
  state.confirmedMs = now;
}

/** A look at the end of an unconfirmed window saw nothing. A counter that is told late shows it a little later. */
export function sawNothing(state: PacerState, request: UnderWay): void {
  state.noRefillMs = Math.max(state.noRefillMs, request.sentMs);
  if (!isLearnt(state) || state.isSure || state.shape === 'flow' || state.underWay.length > 0) return;
  const ageMs = request.sentMs - state.began.atMs;
  if (ageMs < state.windowMs) return;
  if (state.hasLookedAtEnd) lastsLonger(state, ageMs);
  else state.hasLookedAtEnd = true;
}

/** The window is longer than was thought. */
export function lastsLonger(state: PacerState, ageMs: number): void {
  state.hasLookedAtEnd = false;
  state.isSure = false;
  state.earlyRefusals = 0;
  state.windowMs = usualAbove(ageMs);
}
