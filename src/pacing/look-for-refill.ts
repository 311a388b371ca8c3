import { creditOf } from './credit.ts';
import { logWindowMs } from './log-shape.ts';
import { isLearnt, type Learnt, NEVER_MS, type PacerState, type Trickle } from './pacer-state.ts';
import { nthOldestMs } from './sendings.ts';
import { lookedAt, nextLookMs } from './usual-windows.ts';

/** Half a token: requests are whole, what flows back is not. */
const CUSHION = 0.5;
/** Timers and clocks are not exact. */
const LEAST_MARGIN_MS = 5;
/** Where the window is long enough, few requests take so much longer than others. */
const WIDE_MARGIN = 0.004;
/** The rest of a burst comes back as soon as it was sent: after such a part of what the look before waited. */
const SOON = 32;
/** Of what flows the next is looked for after such a part of the time at the earliest; later where it may be refused. */
const FAST = 8;
const YOUNG_MS = 20_000;
/** Kept for two looks at the end of an unconfirmed window. */
const KEPT_FOR_THE_END = 2;
/** The second one comes after such a part of the window: a counter that is told late shows the refill to that one only. */
const AGAIN = 0.02;
const LONGEST_BLIND_GAP_MS = 60_000;
const MANY_REFUSALS = 24;
const NEARLY_TWICE = 1.9;

/** How much later than due a request goes: the earlier one may have taken longer on its way. */
export function marginMs({ windowMs, jitterMs, laterMs }: Learnt): number {
  const wideMs = Math.min(6 * jitterMs, WIDE_MARGIN * windowMs);
  return Math.min(windowMs / 10, Math.max(LEAST_MARGIN_MS, 3 * jitterMs, wideMs, laterMs));
}

/** When the next request is back that may go while `leave` stay. */
export function endOfSilenceMs(state: Learnt, leave: number): number {
  const { windowMs, toldMs, sendings, countedFromMs, began } = state;
  const missing = 1 + leave - creditOf(state);
  if (state.shape === 'flow') return toldMs + ((missing + CUSHION) * windowMs) / state.limit;
  // Those that went earlier are back already, and the newest answer told so. If all of ours are, others hold the rest.
  const oldestMs = nthOldestMs(sendings, missing, countedFromMs, toldMs - windowMs);
  const dueMs = (oldestMs ?? began.atMs) + windowMs + marginMs(state);
  // However long the request that showed its beginning took to arrive, a window is over then.
  const overMs = began.byMs - (state.shortestTripMs ?? 0) + windowMs + LEAST_MARGIN_MS;
  return state.shape === 'window' ? Math.max(dueMs, overMs) : dueMs;
}

/** When to look with a single request whether something came back: when the service says that all is back, at the latest. */
export function lookMs(state: PacerState, leave: number): number {
  const { resetMs, lastSentMs, jitterMs, refusals } = state;
  const atMs = usualLookMs(state, leave);
  if (resetMs <= lastSentMs) return atMs;
  const backMs = resetMs + LEAST_MARGIN_MS + 3 * jitterMs;
  // Refused, it may as well be waited for, but for a minute at most: it may be wrong.
  return refusals >= 1 && resetMs - lastSentMs <= LONGEST_BLIND_GAP_MS ? backMs : Math.min(atMs, backMs);
}

function usualLookMs(state: PacerState, leave: number): number {
  const { began, lastSentMs, toldMs, isGuessed, trickle } = state;
  // Something came back already: the next is due when as much time has passed.
  if (trickle !== undefined) {
    const sinceMs = lastSentMs - trickle.sinceMs;
    const nextMs = sinceMs / Math.min(FAST, Math.max(1, trickle.back));
    const latestMs = lastSentMs + (creditOf(state) > leave ? 1 : leave > 0 ? 2 : 1.25) * nextMs;
    if (!trickle.isAsDue) return latestMs;
    return Math.min(latestMs, Math.max(lastSentMs + sinceMs / SOON, dueMs(state, trickle)));
  }
  // By its answer the window has begun, however long the first request took to connect. A look that arrives a moment
  // before the refill would miss it.
  const sinceMs = began.byMs - (state.shortestTripMs ?? 0) / 2;
  // A look of which the answer tells nothing was none, but the next one comes soon enough while the window is young.
  const lookedMs = isGuessed || lastSentMs - sinceMs < YOUNG_MS ? lastSentMs : toldMs;
  const ageMs = Math.max(lookedMs - sinceMs, began.afterMs === NEVER_MS ? 0 : state.leastMs);
  const nextMs =
    sinceMs +
    nextLookMs(!isGuessed && state.refusals > 0 ? NEARLY_TWICE * ageMs : ageMs, longestGapMs(state));
  // Without credit the hint is as good as any look; a guess was wrong only where a refusal said so.
  const seenMs = isGuessed ? state.noRefillMs : lastSentMs;
  const backMs = isLearnt(state) && creditOf(state) - leave < 1 ? endOfSilenceMs(state, leave) : NEVER_MS;
  if (backMs > seenMs) return state.likely ? Math.min(backMs, lastSentMs + LONGEST_BLIND_GAP_MS) : backMs;
  // The window may have begun as late as it was used up: beside another limit it is likely to.
  const lateMs = state.refusedMs + lookedAt(ageMs);
  const isApart = state.likely !== undefined && 1.3 * (lateMs - sinceMs) < nextMs - sinceMs;
  const isWorth = isApart || 4 * (state.refusedMs - sinceMs) < ageMs;
  if (isGuessed && lateMs > lastSentMs && isWorth) return Math.min(nextMs, lateMs);
  const withinMs = isLearnt(state) ? lookWithinMs(state, leave) : NEVER_MS;
  return withinMs > lastSentMs ? Math.min(nextMs, withinMs) : nextMs;
}

/** When the log that it seems to be gives back the next request after the newest one; at once where none is left. */
function dueMs(state: PacerState, trickle: Trickle): number {
  const { sendings, countedFromMs, lastSentMs, jitterMs } = state;
  const windowMs = logWindowMs(state, trickle);
  if (windowMs === undefined) return lastSentMs;
  const sentMs = nthOldestMs(sendings, 1, countedFromMs, lastSentMs - windowMs);
  return sentMs === undefined ? lastSentMs : sentMs + windowMs + LEAST_MARGIN_MS + 3 * jitterMs;
}

/** Looks spread over the rest of a window show when the next one begins, if that is earlier than was thought. */
function lookWithinMs(state: Learnt, leave: number): number {
  const endMs = endOfSilenceMs(state, leave);
  const left = creditOf(state) - leave;
  if (left >= 1 && state.lastSentMs >= endMs) return endMs + AGAIN * state.windowMs;
  const looks = left - (state.isSure ? 0 : KEPT_FOR_THE_END);
  if (looks < 1) return endMs;
  return state.lastSentMs + (endMs - state.lastSentMs) / (looks + 1);
}

/** It may be down for a moment, so it is asked often; after very many refusals each look may begin the window again. */
function longestGapMs({ isGuessed, refusals }: PacerState): number {
  if (!isGuessed) return Number.POSITIVE_INFINITY;
  return LONGEST_BLIND_GAP_MS * 2 ** Math.max(0, refusals - MANY_REFUSALS);
}
