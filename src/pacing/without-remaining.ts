import { predicted } from './flow-shape.ts';
import { isLearnt, type PacerState, type UnderWay } from './pacer-state.ts';
import { countBetween } from './sendings.ts';
import { windowOpened } from './window-opened.ts';

/** A guessed limit is tried one higher after so many windows without a refusal; of a bucket each is one request. */
const CALM_WINDOWS = 40;

/** Taken, and the answer does not say what is left: when it was sent without credit, that much had come back. */
export function takenWithoutNews(state: PacerState, request: UnderWay, now: number): void {
  if (state.granted === undefined || state.granted >= request.ticket) return;
  const ageMs = request.sentMs - state.began.atMs;
  // Of what flowed back meanwhile the rest of a token is kept.
  const flowed = isLearnt(state) && state.shape === 'flow' ? predicted(state, request) : 0;
  state.granted = Math.max(request.ticket, Math.min(request.ticket + 1, flowed));
  const isDue = state.windowMs === undefined ? state.isGuessed : ageMs >= state.windowMs;
  if (isDue && state.shape === 'window') {
    windowOpened(state, request, now);
    const { windowMs = Number.POSITIVE_INFINITY, noRefillMs, sendings } = state;
    // The limit is what was taken in the window that ended, which was after the last one that was refused.
    state.limit ??= countBetween(sendings, noRefillMs - windowMs, request.sentMs - 1);
    // Refused before anything was taken: others had spent it, or the service was busy, which tells of no limit.
    if (state.limit === 0)
      Object.assign(state, { limit: undefined, granted: undefined, windowMs: undefined });
    else state.granted += raisedLimit(state) - 1;
  }
  state.toldMs = Math.max(state.toldMs, request.sentMs);
}

/** Up one at a time, down one at each refusal: nothing else tells of a limit that changed. */
function raisedLimit(state: PacerState): number {
  if (!state.isGuessed) return state.limit ?? 1;
  state.calmWindows += 1;
  if (state.calmWindows >= CALM_WINDOWS) {
    state.calmWindows = 0;
    state.limit = (state.limit ?? 1) + 1;
  }
  return state.limit ?? 1;
}

/** Refused though less than the limit was used: half of what was missing to it is given up, and one at least. */
export function lowerGuess(state: PacerState, { sentMs }: UnderWay): void {
  state.calmWindows = 0;
  if (!state.isGuessed || !isLearnt(state)) return;
  const taken = countBetween(state.sendings, sentMs - state.windowMs, sentMs);
  state.limit = Math.max(1, Math.min(state.limit - 1, Math.ceil((3 * state.limit + 2 * taken) / 5)));
}
