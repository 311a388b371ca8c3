import { isLoose, reserveOf, spendable } from './credit.ts';
import { endOfSilenceMs, lookMs, marginMs } from './look-for-refill.ts';
import { isLearnt, type Learnt, NEVER_MS, type PacerState } from './pacer-state.ts';
import { nthNewestMs } from './sendings.ts';
import { twiceEven } from './workers-wanted.ts';

/** Nothing is decided before an answer comes. */
const UNTIL_ANSWERED = Number.POSITIVE_INFINITY;
/** Under way at most while the window is not known. */
const MOST_UNDER_WAY = 64;
/** The same while no answer told anything of a limit. */
const MOST_WITHOUT_NEWS = 8;
/** A window's credit is spent in this part of it, so that none is left when it ends. */
const SPENT_WITHIN = 0.95;
/** After so many windows without news the credit is no longer believed. */
const STALE_WINDOWS = 1.5;

/** Milliseconds until the next request may go: until each limit lets it. See `Pacer.delayMs`. */
export function delayMs(state: PacerState, now: number, leave: number, wanted: number): number {
  const besideMs = state.beside === undefined ? 0 : ownDelayMs(state.beside, now, 0, wanted);
  return Math.max(besideMs, ownDelayMs(state, now, leave, wanted));
}

function ownDelayMs(state: PacerState, now: number, leave: number, wanted: number): number {
  const isAlone = state.underWay.length === 0;
  if (now < state.silentUntilMs) return state.silentUntilMs - now;
  // The first look after a long rest: what it tells decides about the others.
  if (isStale(state, now)) return isAlone ? 0 : UNTIL_ANSWERED;
  if (!state.isScouted && !isAlone) return UNTIL_ANSWERED;
  if (state.underWay.length >= mostUnderWay(state)) return UNTIL_ANSWERED;
  if (state.granted === undefined) return 0;
  const units = spendable(state, now, leave);
  // The last ones need no looks after them: they may take the reserve.
  if (wanted <= units + Math.max(0, reserveOf(state) - leave)) return 0;
  if (isLearnt(state) && state.isSure && state.shape === 'log') {
    const atMs = evenMs(state, leave);
    // Others may have taken what would be ours, and find nothing unless one is left to them.
    const isTight = units < 2 && state.othersTook >= 1;
    return untilMs(isTight ? Math.max(atMs, endOfSilenceMs(state, leave + 1)) : atMs, now);
  }
  // A guess may be one of a log.
  const outMs = state.isGuessed && isLearnt(state) ? spanMs(state, state.limit) : NEVER_MS;
  if (units >= 1) return untilMs(Math.max(state.lastSentMs + gapMs(state, now, units), outMs), now);
  if (!isAlone && (!isLearnt(state) || !state.isSure || isLoose(state))) return UNTIL_ANSWERED;
  if (state.underWay.some(({ hoped }) => hoped)) return UNTIL_ANSWERED;
  return untilMs(lookOrHopeMs(state, leave), now);
}

function untilMs(atMs: number, now: number): number {
  return Math.max(0, atMs - now);
}

function isStale({ windowMs, toldMs, isGuessed }: PacerState, now: number): boolean {
  return !isGuessed && windowMs !== undefined && now - toldMs > STALE_WINDOWS * windowMs;
}

/** When answers have no headers, there may be no limit at all. */
function mostUnderWay(state: PacerState): number {
  const isAnyKnown = state.isGuessed || state.beside?.granted !== undefined;
  if (state.granted === undefined) return isAnyKnown ? Number.POSITIVE_INFINITY : MOST_WITHOUT_NEWS;
  return isLearnt(state) ? Math.max(8, twiceEven(state)) : MOST_UNDER_WAY;
}

/** At most the limit in any span of a window, evenly: right for every limiter, whatever Remaining says. */
function evenMs(state: Learnt, leave: number): number {
  const allowance = Math.max(1, state.limit - leave);
  return Math.max(spanMs(state, allowance), state.lastSentMs + (SPENT_WITHIN * state.windowMs) / allowance);
}

/** When one more makes no more than is allowed in any span of a window. */
function spanMs(state: Learnt, allowance: number): number {
  return (nthNewestMs(state.sendings, allowance) ?? NEVER_MS) + state.windowMs + marginMs(state);
}

/** Time between two requests while there is credit: spread over what is left of the window, so that others get in. */
function gapMs(state: PacerState, now: number, units: number): number {
  // What Remaining tells is there, and spreads what is guessed beside it; a guess alone may be wrong.
  if (!isLearnt(state) || state.likely !== undefined) return 0;
  if (!state.isGuessed && (!state.isSure || isLoose(state))) return 0;
  const evenGapMs = state.windowMs / state.limit;
  if (state.shape === 'flow') return evenGapMs / 4;
  const endMs = state.began.atMs + SPENT_WITHIN * state.windowMs;
  const spreadMs = Math.max(0, (endMs - now) / units);
  return state.isGuessed ? Math.min(evenGapMs, spreadMs) : spreadMs;
}

/** A confirmed window is trusted to give back when it is due; of any other its end is looked for. */
function lookOrHopeMs(state: PacerState, leave: number): number {
  if (isLearnt(state) && state.isSure && !isLoose(state)) return endOfSilenceMs(state, leave);
  return lookMs(state, leave);
}
