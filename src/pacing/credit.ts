import { isLearnt, type Learnt, type PacerState, type UnderWay } from './pacer-state.ts';

/** Most that is kept for looks while the window, or its beginning, is not known for sure. */
const LARGEST_RESERVE = 7;
/** So much more than they took is left to others: they ask at random, and what they are refused does not show. */
const OTHERS_VARY = 1.7;
/** Less of a limit lengthens nothing that is worth a word. */
const LEAST_NOTED = 0.1;
/** Whoever waits long enough gets some, however much others want. */
const LEAST_SHARE = 0.1;

/** Requests that may go according to the newest answer, less all that were sent since. */
export function creditOf({ granted = 0, sentCount }: PacerState): number {
  return granted - sentCount;
}

/** What the service has counted of our requests when this one is answered: older ones may still be on their way. */
export function countedBy(state: PacerState, request: UnderWay): number {
  return request.ticket - state.underWay.filter(({ ticket }) => ticket < request.ticket).length;
}

/** Credit kept for looks, so that a wrong guess costs no refusal. */
export function reserveOf(state: PacerState): number {
  // Of a guess a look that is granted tells nothing while there is credit.
  if (state.isGuessed || (state.isSure && isLearnt(state) && !isLoose(state))) return 0;
  return Math.min(LARGEST_RESERVE, Math.floor((state.limit ?? 0) * 0.3));
}

/** Whether the window's beginning is only roughly known, as that of the first one is, or after a long rest. */
export function isLoose({ began, windowMs, shape, roundTripMs }: Learnt): boolean {
  return shape === 'window' && began.byMs - began.afterMs > Math.max(windowMs / 4, 3 * roundTripMs);
}

/** Part of each window that others leave to us, by what they took of late; a flow shows them as a lower rate. */
export function shareOf(state: PacerState): number {
  if (!isLearnt(state) || state.shape === 'flow') return 1;
  const others = state.shape === 'log' ? state.othersTook : state.othersPerWindow;
  return others < state.limit * LEAST_NOTED ? 1 : Math.max(LEAST_SHARE, 1 - others / state.limit);
}

/** Credit that may be used now. */
export function spendable(state: PacerState, now: number, leave: number): number {
  const units = creditOf(state) - Math.max(leave, reserveOf(state));
  // A flow shows others as a lower rate.
  if (!isLearnt(state) || state.shape === 'flow') return units;
  // What others will still ask for in this window.
  const left = (state.began.atMs + state.windowMs - now) / state.windowMs;
  return units - OTHERS_VARY * state.othersPerWindow * Math.min(1, Math.max(0, left));
}
