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
  /** Oldest first, evenly apart, reaching back as far as the rate is taken from. */
  samples: readonly RateSample[];
}

/** The rate is that of the last minute, */
const RATE_MS = 60_000;
const SAMPLES = 60;
/** but where windows are known that of whole ones that last so long together: how requests lie in one says nothing. */
const LEAST_WINDOWS_MS = 20_000;
/** A push alone is hardly later than the budget allows; who is by more shares it, or waits for the service itself. */
const LATE = 1.25;
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
        samples: withSample(state, event, nowMs),
      };
    default:
      return { ...state, event, wait: heldWait(state, nowMs) };
  }
}

/** A wait shows what is left more freshly than the last row. */
function withBudget(state: ProgressState, budget: BudgetView | undefined): ProgressState {
  const { event } = state;
  return event?.type === 'sending' && budget !== undefined
    ? { ...state, event: { ...event, budget: () => budget } }
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

function withSample(
  { samples }: ProgressState,
  { tally, budget }: Extract<WorkEvent, { type: 'sending' }>,
  nowMs: number,
): readonly RateSample[] {
  const keptMs = Math.max(RATE_MS, wholeWindowsMs(budget()) ?? 0);
  const last = samples.at(-1);
  if (last !== undefined && nowMs - last.atMs < keptMs / SAMPLES) return samples;
  const all = [...samples, { atMs: nowMs, tried: rowsTried(tally) }];
  // One sample that is older stays, so that the rate always spans all of it.
  const firstKept = all.findLastIndex((sample) => nowMs - sample.atMs >= keptMs);
  return all.slice(Math.max(0, firstKept));
}

/** So many whole windows that a rate can be taken from them; undefined while their length is not known. */
function wholeWindowsMs({ windowMs }: BudgetView): number | undefined {
  return windowMs && Math.ceil(LEAST_WINDOWS_MS / windowMs) * windowMs;
}

/** How long so many requests take as fast as rows were tried in the `spanMs` up to `nowMs`, or since there are samples. */
function takesByRateMs(
  { samples, event }: ProgressState,
  requests: number,
  nowMs: number,
  spanMs: number,
): number | undefined {
  const first = samples.findLast(({ atMs }) => nowMs - atMs >= spanMs) ?? samples[0];
  if (first === undefined || event?.type !== 'sending') return undefined;
  const elapsedMs = nowMs - first.atMs;
  const tried = rowsTried(event.tally) - first.tried;
  return elapsedMs < MIN_RATE_MS || tried <= 0 ? undefined : (requests * elapsedMs) / tried;
}

/**
 * Milliseconds until all rows are done; undefined when nothing tells. The budget, once its window is
 * known, says how long it takes at least; the rate says more only once it spans whole windows. While the
 * window is not known, the rate is that of a burst, and misleads.
 */
export function remainingMs(state: ProgressState, nowMs: number): number | undefined {
  if (state.event?.type !== 'sending') return undefined;
  const { tally } = state.event;
  const budget = { ...state.event.budget(), waitMs: waitLeftMs(state, nowMs) };
  const rowsLeft = Math.max(0, tally.total - rowsSettled(tally));
  const requestsLeft = rowsLeft + state.further;
  const byBudget = expectedMs(requestsLeft, budget);
  if (ownLimit(budget) === undefined || isWithinBudget(requestsLeft, budget)) {
    const takesMs = takesByRateMs(state, rowsLeft, nowMs, RATE_MS) ?? byBudget;
    return takesMs && Math.max(takesMs, budget.waitMs);
  }
  const spanMs = wholeWindowsMs(budget);
  if (byBudget === undefined || spanMs === undefined) return undefined;
  if (nowMs - (state.samples[0]?.atMs ?? nowMs) < spanMs) return byBudget;
  const byRate = takesByRateMs(state, requestsLeft, nowMs, spanMs) ?? 0;
  return byRate > LATE * byBudget ? byRate : byBudget;
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
