import { Pacer } from '../../../src/pacing/pacer.ts';
import { simulateSeries } from './simulate.ts';
import type { Command, World } from './world.ts';

const SECOND = 1000;
const LATENCY_MS = 100;
const LAST = 240;

/** Small commands with equal pauses, what is known carried over from each to the next, and then a push. */
export interface Series {
  kind: World['kind'];
  windowMs: number;
  pauseMs: number;
  seed: number;
  /** A push of several windows comes first. */
  isLearnt?: boolean;
}

export const PAUSES_MS = [1, 5, 21, 60, 16 * 60, 3600].map((seconds) => seconds * SECOND);
export const WINDOWS_MS = [1, 10, 60].map((seconds) => seconds * SECOND);
export const SERIES_KINDS = ['first-request', 'aligned', 'sliding-log', 'token-bucket'] as const;

/** What came of the last push: how much slower it was than a fresh start, and its refused requests. */
export interface SeriesResult {
  tookMs: number;
  freshMs: number;
  refusedShare: number;
  /** It took at most so many times the time of a fresh start, a latency aside. */
  slower: number;
}

/** The last push with what the small ones left behind, and once with nothing, at the same moment. */
export function runSeries(series: Series): SeriesResult {
  const { tookMs, sent, refused } = lastPush(series, true);
  const freshMs = lastPush(series, false).tookMs;
  return { tookMs, freshMs, refusedShare: refused / sent, slower: (tookMs - LATENCY_MS) / freshMs };
}

function lastPush({ kind, windowMs, pauseMs, seed, isLearnt = false }: Series, remembers: boolean) {
  let pacer = new Pacer();
  const next = (): Pacer => (pacer = new Pacer(JSON.parse(JSON.stringify(pacer)) as unknown));
  const small: Command[] = [3, 2, 5, 4].map((requests) => ({ client: next, requests, pauseMs }));
  const learning: Command[] = isLearnt ? [{ client: next, requests: 105, pauseMs }] : [];
  const last: Command = { client: remembers ? next : () => new Pacer(), requests: LAST, pauseMs: 0 };
  const tail = { meanMs: 20, shape: 'exponential' as const };
  const world = { seed, kind, limit: 30, windowMs, latencyMs: LATENCY_MS, tail, workers: 'wanted' as const };
  const done = simulateSeries(world, [...learning, ...small, last]).at(-1);
  if (done === undefined) throw new Error('A series has a last push.');
  return done;
}

/** Every kind, window and pause. */
export function allSeries(seed: number, isLearnt = false): Series[] {
  return SERIES_KINDS.flatMap((kind) =>
    WINDOWS_MS.flatMap((windowMs) =>
      PAUSES_MS.map((pauseMs) => ({ kind, windowMs, pauseMs, seed, isLearnt })),
    ),
  );
}
