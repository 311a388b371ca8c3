import type { BudgetView, PushEvent, Tally } from '../views/events.ts';
import { expectedMs, isWithinBudget, ownLimit } from './expectation.ts';

/** Events that tell what goes on. */
export type WorkEvent = Extract<
  PushEvent,
  { type: 'surveying' | 'reading' | 'checking' | 'deleting' | 'sending' }
>;
type WaitEvent = Extract<PushEvent, { type: 'waiting' }>;
/** Events that change the progress line; the others are printed once. */
export type ProgressEvent = WorkEvent | WaitEvent | Extract<PushEvent, { type: 'expecting' }>;

/** Rows tried at a moment, to tell the rate from. */
interface RateSample {
  atMs: number;
  tried: number;
}

interface Wait {
  event: WaitEvent;
  /** When it began, and when it was last told: the same wait is told again and again. */
  sinceMs: number;
  toldAtMs: number;
}

/** All that the progress line is made from. */
export interface ProgressState {
  /** The latest event that told what goes on; undefined before the first. */
  event: WorkEvent | undefined;
  /** What the work stands still for. It may be over by now. */
  wait: Wait | undefined;
  /** Requests that are needed besides one a row. */
  further: number;
  /** Oldest first, at most one a second, reaching back one rate window. */
  samples: readonly RateSample[];
}

/** The rate is that of the last minute. */
const RATE_WINDOW_MS = 60_000;
const SAMPLE_EVERY_MS = 1_000;
/** A rate from less time than this jumps about. */
const MIN_RATE_MS = 2_000;

/** An answer this long after a wait began is no answer from before it: requests go on. */
const WAIT_HOLDS_MS = 2_000;

/** The same wait, told again, may end a little sooner or later. */
const SAME_WAIT_MS = 1_000;

/** Before anything has happened. */
export const NO_PROGRESS: ProgressState = {
  event: undefined,
  wait: undefined,
  further: 0,
  samples: [],
};

/** The state after an event that came at `nowMs`. */
export function advanceProgress(state: ProgressState, event: ProgressEvent, nowMs: number): ProgressState {
  switch (event.type) {
    case 'expecting':
      return { ...state, further: Math.max(0, event.requests - event.rows) };
    case 'waiting':
      return { ...withBudget(state, event.budget), wait: waitOf(state, event, nowMs) };
    case 'sending':
      return {
        ...state,
        event,
        wait: heldWait(state, nowMs),
        samples: withSample(state, event.tally, nowMs),
      };
    default:
      return { ...state, event, wait: heldWait(state, nowMs) };
  }
}

/** A wait shows what is left more freshly than the last row. */
function withBudget(state: ProgressState, budget: BudgetView | undefined): ProgressState {
  const { event } = state;
  return event?.type === 'sending' && budget !== undefined
    ? { ...state, event: { ...event, budget } }
    : state;
}

function waitOf({ wait }: ProgressState, event: WaitEvent, nowMs: number): Wait {
  const goesOn = wait !== undefined && Math.abs(event.untilMs - wait.event.untilMs) < SAME_WAIT_MS;
  return { event, sinceMs: goesOn ? wait.sinceMs : nowMs, toldAtMs: nowMs };
}

/** Answers to what had left before a wait come during it, and must not make the line forget it. */
function heldWait({ wait }: ProgressState, nowMs: number): Wait | undefined {
  return wait !== undefined && nowMs - wait.toldAtMs < WAIT_HOLDS_MS ? wait : undefined;
}

function withSample({ samples }: ProgressState, tally: Tally, nowMs: number): readonly RateSample[] {
  const last = samples.at(-1);
  if (last !== undefined && nowMs - last.atMs < SAMPLE_EVERY_MS) return samples;
  const all = [...samples, { atMs: nowMs, tried: rowsTried(tally) }];
  // One sample older than the window stays, so that the rate always spans all of it.
  const firstKept = all.findLastIndex((sample) => nowMs - sample.atMs >= RATE_WINDOW_MS);
  return all.slice(Math.max(0, firstKept));
}

/** Rows tried a minute, over the last minute up to `nowMs`; undefined while there is too little to tell from. */
function ratePerMinute(state: ProgressState, nowMs: number): number | undefined {
  const [first] = state.samples;
  if (first === undefined || state.event?.type !== 'sending') return undefined;
  const elapsedMs = nowMs - first.atMs;
  if (elapsedMs < MIN_RATE_MS) return undefined;
  return ((rowsTried(state.event.tally) - first.tried) * 60_000) / elapsedMs;
}

/**
 * Milliseconds until all rows are done; undefined when nothing tells. The budget, once its window is
 * known, says how long it takes at least; the rate says more only once it spans whole windows. While the
 * window is not known, the rate is that of a burst, and misleads.
 */
export function remainingMs(state: ProgressState, nowMs: number): number | undefined {
  if (state.event?.type !== 'sending') return undefined;
  const { tally } = state.event;
  const budget = { ...state.event.budget, waitMs: waitLeftMs(state, nowMs) };
  const rowsLeft = Math.max(0, tally.total - rowsSettled(tally));
  const requestsLeft = rowsLeft + state.further;
  const rate = ratePerMinute(state, nowMs);
  const byRate = rate === undefined || rate <= 0 ? undefined : (rowsLeft / rate) * 60_000;
  const { windowMs } = budget;
  const byBudget = expectedMs(requestsLeft, budget);
  if (ownLimit(budget) === undefined || isWithinBudget(requestsLeft, budget)) {
    const takesMs = byRate ?? byBudget;
    return takesMs && Math.max(takesMs, budget.waitMs);
  }
  if (byBudget === undefined || windowMs === undefined) return undefined;
  const isSpanned = windowMs <= RATE_WINDOW_MS && nowMs - (state.samples[0]?.atMs ?? nowMs) >= RATE_WINDOW_MS;
  return isSpanned ? Math.max(byBudget, byRate ?? 0) : byBudget;
}

/** How long the work stands still from now on. */
export function waitLeftMs({ wait }: ProgressState, nowMs: number): number {
  return wait === undefined ? 0 : Math.max(0, wait.event.untilMs - nowMs);
}

/** Rows that need no more work, one way or the other. */
export function rowsSettled(tally: Tally): number {
  return rowsTried(tally) + tally.notSent;
}

function rowsTried({ sent, failed, uncertain }: Tally): number {
  return sent + failed + uncertain;
}
