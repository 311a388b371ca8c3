import { isLoose, reserveOf, spendable } from './credit.ts';
import { endOfSilenceMs, lookMs, marginMs } from './look-for-refill.ts';
import { isLearnt, type Learnt, NEVER_MS, type PacerState } from './pacer-state.ts';
import { keptByNodes } from './nodes.ts';
import { countBetween, nthNewestMs } from './sendings.ts';
import { isDoubtful, mayTry } from './without-remaining.ts';
import { twiceEven } from './workers-wanted.ts';

/** Nothing is decided before an answer comes. */
const UNTIL_ANSWERED = Number.POSITIVE_INFINITY;
/** Under way at most while the window is not known. */
const MOST_UNDER_WAY = 64;
/** The same while no answer told anything of a limit: there may be none. */
const FEW = 8;
/** The first ones go at such gaps where answers are quicker: a limit that no answer tells of refuses one of them, not ten. */
const EARLY = 20;
const SPACED_MS = 12;
/** A window's credit is spent in this part of it, so that none is left when it ends. */
const SPENT_WITHIN = 0.95;

/** Milliseconds until the next request may go: until each limit lets it. See `Pacer.delayMs`. */
export function delayMs(state: PacerState, now: number, leave: number, wanted: number): number {
  const besideMs = state.beside === undefined ? now : ownTimeMs(state.beside, now, 0, wanted);
  const left = Math.max(
    leave,
    state.shape === 'flow' ? state.kept : Math.round(state.kept),
    keptByNodes(state),
  );
  return Math.max(0, Math.max(besideMs, ownTimeMs(state, now, left, wanted)) - now);
}

function ownTimeMs(state: PacerState, now: number, leave: number, wanted: number): number {
  const isAlone = state.underWay.length === 0;
  if (now < state.silentUntilMs) return state.silentUntilMs;
  if (!state.isScouted && !isAlone) return UNTIL_ANSWERED;
  if (state.atOnce > 0 && state.underWay.length >= Math.floor(state.atOnce)) return UNTIL_ANSWERED;
  if (state.underWay.length >= mostUnderWay(state)) return UNTIL_ANSWERED;
  if (state.granted === undefined) return now;
  const units = spendable(state, now, leave);
  // A guess may be one of a log.
  const outMs = state.isGuessed && isLearnt(state) ? spanMs(state, state.limit) : NEVER_MS;
  // The last ones need no looks after them: they may take the reserve.
  if (wanted <= units + Math.max(0, reserveOf(state) - leave))
    return state.likely === undefined ? now : outMs;
  if (isLearnt(state) && state.shape === 'log' && (state.isSure || state.leastMs > 0)) {
    const atMs = evenMs(state, leave);
    // Others may have taken what would be ours, and find nothing unless one is left to them.
    const isShared = state.othersTook >= Math.max(1, state.nodes.length, state.limit / 64);
    const least = isShared ? 2 : state.nodes.length > 0 ? 1 : Number.NEGATIVE_INFINITY;
    return units < least ? Math.max(atMs, endOfSilenceMs(state, leave + least - 1)) : atMs;
  }
  const isBeyond = units < 1 || (outMs > now && !isDoubtful(state));
  if (mayTry(state, now)) return isAlone || !isBeyond ? now : UNTIL_ANSWERED;
  if (units >= 1) return Math.max(state.lastSentMs + gapMs(state, now, units), outMs);
  // A confirmed window is trusted to give back when it is due; of any other its end is looked for.
  const isTrusted = isLearnt(state) && state.isSure && !isLoose(state);
  if (!isAlone && !isTrusted) return UNTIL_ANSWERED;
  if (state.underWay.some(({ hoped }) => hoped)) return UNTIL_ANSWERED;
  return isTrusted ? endOfSilenceMs(state, leave) : lookMs(state, leave);
}

function mostUnderWay(state: PacerState): number {
  const { roundTripMs, sentCount, underWay, isGuessed, calmWindows, sendings, began, lastSentMs } = state;
  const early = Math.max(1, roundTripMs / SPACED_MS, sentCount - underWay.length - EARLY);
  // A guess that was just lowered may still be too high: as many go at once as were taken in this window.
  const isLowered = isGuessed && isLearnt(state) && calmWindows <= 1;
  const taken = countBetween(sendings, began.atMs - 1, lastSentMs) - underWay.length;
  const most = isLowered ? Math.max(1, taken) : MOST_UNDER_WAY;
  return Math.min(roundTripMs > 0 ? early : MOST_UNDER_WAY, most, mostLater(state));
}

function mostLater(state: PacerState): number {
  if (state.granted === undefined && !state.isGuessed && state.beside?.granted === undefined) return FEW;
  // Which node an answer is from shows by their order.
  if (state.nodes.length > 0 && !state.isSure) return 1;
  return isLearnt(state) ? Math.max(FEW, twiceEven(state)) : MOST_UNDER_WAY;
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
  if (!state.isGuessed && !state.isSure) return 0;
  const evenGapMs = state.windowMs / state.limit;
  if (state.shape === 'flow') return evenGapMs / 4;
  const endMs =
    (isLoose(state) && !state.isGuessed ? state.began.afterMs : state.began.atMs) +
    SPENT_WITHIN * state.windowMs;
  const spreadMs = Math.max(0, (endMs - now) / units);
  return state.isGuessed ? Math.min(evenGapMs, spreadMs) : spreadMs;
}
