import { becomeFlow } from './flow-shape.ts';
import type { Learnt, PacerState, UnderWay } from './pacer-state.ts';
import { countBetween } from './sendings.ts';
import { usualNear, usualWithin } from './usual-windows.ts';
import { confirm } from './window-opened.ts';

/** Own requests that became a window old between the newest answer and this request: a log gives them back. */
export function dueSince({ windowMs, toldMs, jitterMs, sendings }: Learnt, sentMs: number): number {
  return countBetween(sendings, toldMs - windowMs, sentMs + 4 * jitterMs - windowMs);
}

/** Part of the budget came back in a window that is known: a log when our own requests explain it. */
export function partCameBack(state: Learnt, request: UnderWay, rise: number, due: number, now: number): void {
  if (due > 0) {
    confirm(state, request.sentMs - state.began.atMs, now);
    if (state.shape === 'window') state.shape = 'log';
  }
  state.unexplained = Math.max(0, state.unexplained + rise - due);
  // Requests that come back much too young: only a steady flow does that. Of many, some are counted together.
  if (state.unexplained > Math.min(6, state.limit / 2) + state.limit / 100) becomeFlow(state);
}

/** Part of the budget came back and no window is known: when it is enough, it tells the shape and the length. */
export function trickled(state: PacerState, request: UnderWay, rise: number): void {
  const atMs = request.sentMs;
  state.trickle ??= { sinceMs: state.noRefillMs, firstMs: atMs, back: 0 };
  state.trickle.back += rise;
  const { sinceMs, back } = state.trickle;
  const { limit = 1 } = state;
  if (back < Math.min(8, limit / 2)) return;
  const logMs = logWindowMs(state, state.trickle, atMs);
  state.shape = logMs === undefined ? 'flow' : 'log';
  state.windowMs = logMs ?? usualNear(((atMs - sinceMs) * limit) / back, 2 / back);
  state.isSure = true;
  state.confirmedMs = atMs;
  state.trickle = undefined;
}

/** The usual length after which as many of our requests came back as were due, if there is one. */
function logWindowMs(
  { began, sendings, jitterMs }: PacerState,
  { sinceMs, firstMs, back }: NonNullable<PacerState['trickle']>,
  atMs: number,
): number | undefined {
  const windowMs = usualWithin(sinceMs - began.byMs, firstMs - began.atMs + 5);
  if (windowMs === undefined) return undefined;
  // A look that arrives while a burst comes back sees only a part of it: how large a part depends on the jitter.
  const dueBy = (ms: number) => countBetween(sendings, Number.NEGATIVE_INFINITY, ms - windowMs);
  const isAsDue = back >= 0.6 * dueBy(atMs - 4 * jitterMs) && dueBy(atMs + 4 * jitterMs) >= 0.5 * back;
  return isAsDue ? windowMs : undefined;
}
