import type { PushEvent, Tally } from './events.ts';

/** Events that change the progress line; the others are printed once. */
export type ProgressEvent = Extract<
  PushEvent,
  { type: 'surveying' | 'reading' | 'checking' | 'deleting' | 'sending' | 'waiting' }
>;

/** Rows tried at a moment, to tell the rate from. */
export interface RateSample {
  atMs: number;
  tried: number;
}

/** All that the progress line is made from. */
export interface ProgressState {
  /** The latest event; undefined before the first. */
  event: ProgressEvent | undefined;
  /** Oldest first, at most one a second, reaching back one rate window. */
  samples: readonly RateSample[];
}

/** The rate is that of the last minute. */
export const RATE_WINDOW_MS = 60_000;
const SAMPLE_EVERY_MS = 1_000;
/** A rate from less time than this jumps about. */
const MIN_RATE_MS = 2_000;

/** Before anything has happened. */
export const NO_PROGRESS: ProgressState = { event: undefined, samples: [] };

/** The state after an event that came at `nowMs`. */
export function advanceProgress(state: ProgressState, event: ProgressEvent, nowMs: number): ProgressState {
  if (!('tally' in event)) return { event, samples: state.samples };
  const last = state.samples.at(-1);
  if (last !== undefined && nowMs - last.atMs < SAMPLE_EVERY_MS) return { event, samples: state.samples };
  const samples = [...state.samples, { atMs: nowMs, tried: rowsTried(event.tally) }];
  // One sample older than the window stays, so that the rate always spans all of it.
  const firstKept = samples.findLastIndex((sample) => nowMs - sample.atMs >= RATE_WINDOW_MS);
  return { event, samples: samples.slice(Math.max(0, firstKept)) };
}

/** Rows tried a minute, over the last minute up to `nowMs`; undefined while there is too little to tell from. */
export function ratePerMinute(state: ProgressState, nowMs: number): number | undefined {
  const [first] = state.samples;
  if (first === undefined || state.event === undefined || !('tally' in state.event)) return undefined;
  const elapsedMs = nowMs - first.atMs;
  if (elapsedMs < MIN_RATE_MS) return undefined;
  return ((rowsTried(state.event.tally) - first.tried) * 60_000) / elapsedMs;
}

/**
 * Milliseconds until all rows are done; undefined when nothing tells. The budget, once its window is
 * known, says how long it takes at least; the rate says more only if the window is short enough for
 * the rate to span it.
 */
export function remainingMs(state: ProgressState, nowMs: number): number | undefined {
  if (state.event === undefined || !('tally' in state.event)) return undefined;
  const { tally, budget } = state.event;
  const rowsLeft = Math.max(0, tally.total - rowsSettled(tally));
  const rate = ratePerMinute(state, nowMs);
  const byRate = rate === undefined || rate <= 0 ? undefined : (rowsLeft / rate) * 60_000;
  if (budget.limit === undefined || budget.limit <= 0 || budget.windowMs === undefined) return byRate;
  const byBudget = (rowsLeft / budget.limit) * budget.windowMs;
  return budget.windowMs > RATE_WINDOW_MS ? byBudget : Math.max(byBudget, byRate ?? 0);
}

/** Rows that need no more work, one way or the other. */
export function rowsSettled(tally: Tally): number {
  return rowsTried(tally) + tally.notSent;
}

function rowsTried({ sent, failed, uncertain }: Tally): number {
  return sent + failed + uncertain;
}
