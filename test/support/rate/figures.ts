import { shortestMs } from './oracle.ts';
import type { SimulatedService } from './service.ts';
import { type Sending, startOf, type World } from './world.ts';

/** How good a push was. Shares are fractions of 1. */
export interface Figures {
  accepted: number;
  refused: number;
  /** Refused of all that were sent. */
  refusedShare: number;
  othersAsked: number;
  othersRefused: number;
  /** Refused of what they asked for after the first window. */
  theirsLater: number;
  /** The shortest possible time / the time taken. */
  overall: number;
  /**
   * Granted of the permitted, from the grant that opens the fourth window's worth to the one that opens the last:
   * (k − 3) limits / what limits a window permit in that time. Undefined for fewer than four windows' worth.
   */
  steady: number | undefined;
  /** The same, what the other client was granted counted in. */
  together: number | undefined;
  /** The longest time between two grants, in the whole push and in the time of `steady`. */
  longestIdleMs: number;
  steadyIdleMs: number;
  /** Most refused in a row without a pause of 250 ms, or of Retry-After, after the first of them was known. */
  longestStorm: number;
}

const PAUSE_MS = 250;
/** A window's worth in which a client may learn. */
const LEARNING_WINDOWS = 3;

/** Measures a push that ended at `endMs`. */
export function figuresOf(
  world: World,
  sendings: readonly Sending[],
  others: SimulatedService['others'],
  endMs: number,
): Figures {
  const granted = sendings.flatMap(({ outcome, arrivedMs }) =>
    outcome === 'granted' && arrivedMs !== undefined ? [arrivedMs] : [],
  );
  granted.sort((a, b) => a - b);
  const refused = sendings.filter(({ outcome }) => outcome === 'refused').length;
  return {
    accepted: granted.length,
    refused,
    refusedShare: refused / Math.max(1, sendings.length),
    othersAsked: others.asked,
    othersRefused: others.refused,
    theirsLater: laterShare(others.refusedMs, others.grantedMs, startOf(world) + world.windowMs),
    overall: shortestMs(world) / (endMs - startOf(world)),
    longestIdleMs: longestGap(granted),
    longestStorm: longestStorm(sendings),
    ...steadyFigures(world, granted, others.grantedMs),
  };
}

function laterShare(some: readonly number[], rest: readonly number[], fromMs: number): number {
  const count = (times: readonly number[]): number => times.filter((ms) => ms >= fromMs).length;
  return count(some) / Math.max(1, count(some) + count(rest));
}

function steadyFigures(
  world: World,
  granted: readonly number[],
  othersGranted: readonly number[],
): Pick<Figures, 'steady' | 'together' | 'steadyIdleMs'> {
  const first = LEARNING_WINDOWS * world.limit;
  const last = Math.floor((granted.length - 1) / world.limit) * world.limit;
  const fromMs = granted[first];
  const toMs = granted[last];
  if (fromMs === undefined || toMs === undefined || last <= first) {
    return { steady: undefined, together: undefined, steadyIdleMs: 0 };
  }
  const permitted = permittedBetween(world, fromMs, toMs);
  const theirs = othersGranted.filter((ms) => ms >= fromMs && ms < toMs).length;
  return {
    steady: (last - first) / permitted,
    together: (last - first + theirs) / permitted,
    steadyIdleMs: longestGap(granted.slice(first, last + 1)),
  };
}

/** How many requests the service permits in that time, at a limit a window. */
function permittedBetween(world: World, fromMs: number, toMs: number): number {
  let { limit, windowMs } = world;
  let untilMs = fromMs;
  let permitted = 0;
  for (const change of (world.changes ?? []).toSorted((a, b) => a.atMs - b.atMs)) {
    const atMs = Math.min(toMs, Math.max(untilMs, startOf(world) + change.atMs));
    permitted += ((atMs - untilMs) * limit) / windowMs;
    untilMs = atMs;
    ({ limit = limit, windowMs = windowMs } = change);
  }
  return permitted + ((toMs - untilMs) * limit) / windowMs;
}

function longestGap(timesMs: readonly number[]): number {
  let longest = 0;
  let before = timesMs[0] ?? 0;
  for (const ms of timesMs) {
    longest = Math.max(longest, ms - before);
    before = ms;
  }
  return longest;
}

function longestStorm(sendings: readonly Sending[]): number {
  let longest = 0;
  let length = 0;
  let calmMs = Number.NEGATIVE_INFINITY;
  for (const { outcome, sentMs, doneMs, retryAfterMs } of sendings) {
    if (outcome !== 'refused') continue;
    if (sentMs >= calmMs) {
      length = 0;
      calmMs = doneMs + (retryAfterMs ?? PAUSE_MS);
    }
    length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}
