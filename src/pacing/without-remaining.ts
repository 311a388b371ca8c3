import { predicted } from './flow-shape.ts';
import { freshState, isLearnt, NEVER_MS, type PacerState, type UnderWay } from './pacer-state.ts';
import { countBetween } from './sendings.ts';
import { windowOpened } from './window-opened.ts';

/** A guess that held is tried again after so many windows without a refusal; of a bucket each is one request. */
export const CALM_WINDOWS = 40;
/** So many more than a guess at once are more than any mistake in it. */
const MANY_MORE = 8;

/** Taken, and the answer does not say what is left: when it was sent without credit, that much had come back. */
export function takenWithoutNews(state: PacerState, request: UnderWay, now: number): void {
  if (state.granted === undefined || state.granted >= request.ticket) return;
  if (isTried(state, request)) return passedGuess(state, request);
  const ageMs = request.sentMs - state.began.atMs;
  // Of what flowed back meanwhile the rest of a token is kept.
  const flowed = isLearnt(state) && state.shape === 'flow' ? predicted(state, request) : 0;
  state.granted = Math.max(request.ticket, Math.min(request.ticket + 1, flowed));
  // Where answers have ceased to tell of a limit, it is found as one that they never told of.
  const { isGuessed, toldMs, noRefillMs: seenMs } = state;
  const isSilent = isGuessed || toldMs > seenMs || countBetween(state.sendings, toldMs, request.sentMs) > 2;
  const isDue = ageMs >= (state.windowMs ?? (isSilent ? 0 : Number.POSITIVE_INFINITY));
  if (isDue && state.shape === 'window') {
    windowOpened(state, request, now);
    const { windowMs = Number.POSITIVE_INFINITY, noRefillMs, sendings } = state;
    // The limit is what was taken in the window that ended, which was after the last one that was refused.
    state.limit ??= countBetween(sendings, noRefillMs - windowMs, request.sentMs - 1);
    // Refused before anything was taken: others had spent it, or the service was busy, which tells of no limit.
    if (state.limit === 0) return forgetGuess(state);
    if (state.calmWindows < state.patience) state.calmWindows += 1;
    state.granted += (state.limit ?? 1) - 1;
  }
  state.toldMs = Math.max(state.toldMs, request.sentMs);
}

/** Whether to ask for more than a guess allows, as nothing else proves it: later on the next window may have begun. */
export function mayTry(state: PacerState, now: number): boolean {
  if (!state.isGuessed || !isLearnt(state) || state.calmWindows < state.patience) return false;
  return now - state.began.atMs < state.windowMs / (isDoubtful(state) ? 1 : 2);
}

/** Whether it was refused once only, which may have been for no reason. */
export function isDoubtful({ isGuessed, patience }: PacerState): boolean {
  return isGuessed && patience <= 1;
}

/** Whether it was sent to try the guess. */
export function isTried(state: PacerState, { hoped, sentMs }: UnderWay): boolean {
  return hoped && mayTry(state, sentMs);
}

/** More was taken than was guessed: twice as much more is tried next; of a bucket some more may have been there. */
function passedGuess(state: PacerState, request: UnderWay): void {
  const more = Math.min(MANY_MORE, 2 ** (state.calmWindows - state.patience));
  if (more === MANY_MORE && isDoubtful(state)) return forgetGuess(state);
  state.calmWindows += 1;
  state.granted = request.ticket + more - 1;
  state.limit = (state.limit ?? 0) + Math.floor(more / 4);
}

/** There is no such limit, as far as is known. */
export function forgetGuess(state: PacerState): void {
  unlearn(state, state.lastSentMs);
  const { limit, granted, confirmedMs, leastMs, mostMs, patience, calmWindows } = freshState();
  Object.assign(state, { limit, granted, confirmedMs, leastMs, mostMs, patience, calmWindows });
}

/** When and how anything comes back is not known: its end has to be looked for. */
export function unlearn(state: PacerState, atMs: number): void {
  state.began = { afterMs: NEVER_MS, atMs, byMs: atMs };
  state.windowMs = undefined;
  state.isSure = false;
  state.shape = 'window';
  state.anchor = undefined;
}

/** Refused though less than the limit was used: half of what was missing to it is given up, and one at least. */
export function lowerGuess(state: PacerState, { sentMs }: UnderWay): void {
  const { limit = 0, windowMs = 0, sendings } = state;
  const taken = countBetween(sendings, sentMs - windowMs, sentMs);
  const isHeld = mayTry(state, sentMs) && taken >= limit;
  state.calmWindows = 0;
  if (isHeld) state.patience = CALM_WINDOWS;
  else if (state.isGuessed && isLearnt(state))
    state.limit = Math.max(1, Math.min(limit - 1, Math.ceil((3 * limit + 2 * taken) / 5)));
}
