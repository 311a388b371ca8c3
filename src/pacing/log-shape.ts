import { creditOf } from './credit.ts';
import type { Learnt, PacerState, Trickle, UnderWay } from './pacer-state.ts';
import { countBetween, PARTS } from './sendings.ts';
import { usualNear, usualWithin } from './usual-windows.ts';
import { confirm, EARLY_TIMER_MS, SHORTEST_MS } from './window-opened.ts';

/** Own requests that became a window old between the newest answer and this request: a log gives them back. */
export function dueSince({ windowMs, toldMs, jitterMs, sendings }: Learnt, sentMs: number): number {
  // Of many that went in one part of the window some came back already.
  const untilMs = sentMs + 4 * jitterMs + windowMs / PARTS;
  return countBetween(sendings, toldMs - windowMs, untilMs - windowMs);
}

/** Part of the budget came back in a window that is known: a log when our own requests explain it. */
export function partCameBack(state: Learnt, request: UnderWay, rise: number, due: number, now: number): void {
  if (due > 0) {
    confirm(state, request.sentMs - state.began.atMs, now);
    if (state.shape === 'window') state.shape = 'log';
  }
  // What came back to one of several nodes shows once that one is met.
  if (state.nodes.length > 0) return;
  state.unexplained = Math.max(0, state.unexplained + rise - due);
  // Requests that come back much too young: only a steady flow does that. Of many, some are counted together.
  if (state.unexplained <= Math.min(6, state.limit / 2) + state.limit / 100) return;
  // Where more is told than there is, as late or as some cost more, what is right about a log leaves little of it.
  if (state.shape === 'log' && state.kept > 0 && 2 * creditOf(state) < state.limit) return;
  const [shorterMs = 0] = usualWithin(state.leastMs, state.windowMs - 1);
  // A flow would have given something back long before.
  const isFlow = shorterMs === 0 || state.leastMs < 0.9 * shorterMs;
  state.shape = isFlow ? 'flow' : 'log';
  state.isSure ||= isFlow;
  if (!isFlow) state.windowMs = shorterMs;
  Object.assign(state, { unexplained: 0, trickle: undefined, anchor: undefined });
}

/** All or some of it may have come back while no window is known: enough of it tells the shape and the length. */
export function trickled(state: PacerState, { sentMs: atMs }: UnderWay, rise: number): void {
  state.trickle ??= { sinceMs: state.noRefillMs, firstMs: atMs, firstBack: rise, back: 0, isAsDue: true };
  const { trickle, limit = 1 } = state;
  trickle.back += rise;
  const logMs = logWindowMs(state, trickle);
  const due = logMs === undefined ? undefined : dueBy(state, atMs, logMs);
  trickle.isAsDue &&=
    due !== undefined &&
    trickle.back >= (0.75 * (due.least - 1)) / Math.max(1, state.nodes.length) &&
    due.most >= 0.5 * trickle.back;
  const { sinceMs, firstMs, firstBack } = trickle;
  // What flows would have given back two more by now.
  const isOver = trickle.back <= firstBack && firstBack * (atMs - firstMs) > 2 * (firstMs - sinceMs);
  if (isOver && !trickle.isAsDue) state.trickle = undefined;
  if (trickle.back < Math.min(8, limit / 2) || (rise === 0 && !trickle.isAsDue)) return;
  // In the midst of a burst that comes back.
  if (trickle.isAsDue && due !== undefined && due.most - due.least > trickle.back / 2) return;
  const asLogMs = trickle.isAsDue ? logMs : undefined;
  const sinceFirst = trickle.back - trickle.firstBack;
  const isTooSoon = atMs - trickle.firstMs < 2 * state.roundTripMs;
  const isTooLittle = sinceFirst < Math.min(FLOWED, limit / 4);
  const measuredMs = ((atMs - trickle.firstMs) * limit) / sinceFirst;
  if (asLogMs === undefined && (isTooSoon || isTooLittle || measuredMs < SHORTEST_MS)) return;
  state.shape = asLogMs === undefined ? 'flow' : 'log';
  state.windowMs = asLogMs ?? usualNear(measuredMs, 2 / sinceFirst);
  state.isSure = true;
  state.confirmedMs = atMs;
  state.trickle = undefined;
}

/** The usual length after which our first requests came back, if there is one. */
export function logWindowMs({ began }: PacerState, { sinceMs, firstMs }: Trickle): number | undefined {
  return usualWithin(sinceMs - began.byMs, firstMs - began.atMs + EARLY_TIMER_MS).at(-1);
}

/** So many must flow back between two sightings. */
const FLOWED = 4;

/** How many of our requests a log of this length had given back: the jitter decides between the least and the most. */
function dueBy(
  { sendings, jitterMs, countedFromMs }: PacerState,
  atMs: number,
  windowMs: number,
): { least: number; most: number } {
  const countBy = (ms: number) => countBetween(sendings, countedFromMs - 1, ms - windowMs);
  return { least: countBy(atMs - 4 * jitterMs), most: countBy(atMs + 4 * jitterMs) };
}
