import { Pacer } from '../../../src/pacing/pacer.ts';
import { chance } from './service.ts';
import { simulateSeries } from './simulate.ts';
import type { Command, World } from './world.ts';

const SECOND = 1000;
const LATENCY_MS = 100;
const LAST = 240;
const MANY = 120;
const COMMANDS_CHANCE = 7;

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

/** The same over seeds: of one of them a fresh start may be lucky. `mean` is what all took together over what all took afresh. */
export function compareSeries(
  series: Series,
  seeds: number,
): { mean: number; worst: number; refused: number } {
  const all = Array.from({ length: seeds }, (_, seed) => runSeries({ ...series, seed }));
  const sum = (key: keyof SeriesResult): number => all.reduce((total, one) => total + one[key], 0);
  return {
    mean: (sum('tookMs') - seeds * LATENCY_MS) / sum('freshMs'),
    worst: Math.max(...all.map(({ slower }) => slower)),
    refused: sum('refusedShare') / seeds,
  };
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

/** Commands as people run them: a few rows, later many, then some more. Each reads first, one request after the other. */
export interface Commands {
  kind: World['kind'];
  windowMs: number;
  latencyMs: number;
  /** Between the commands, and up to a third more. */
  pauseMs: number;
  seed: number;
  headers?: World['headers'];
}

/** The part of the requests of the later two commands that was refused, and how long the first of them sent. */
export function runCommands(commands: Commands): { refusedShare: number; tookMs: number; slower: number } {
  const { refusedShare, tookMs } = laterCommands(commands, true);
  const freshMs = laterCommands(commands, false).tookMs;
  return { refusedShare, tookMs, slower: (tookMs - commands.latencyMs) / freshMs };
}

function laterCommands(
  { kind, windowMs, latencyMs, pauseMs, seed, headers = 'always' }: Commands,
  remembers: boolean,
) {
  let pacer = new Pacer();
  const next = (): Pacer => (pacer = new Pacer(JSON.parse(JSON.stringify(pacer)) as unknown));
  const random = chance(seed, COMMANDS_CHANCE);
  const single = (pauseMs: number): Command => ({ client: next, requests: 1, pauseMs });
  const command = (rows: number, reads: number): Command[] => [
    single(100 + 500 * random()),
    ...Array.from({ length: reads }, () => single(20 + 200 * random())),
    { client: next, requests: rows, pauseMs: 80 + 100 * random() },
    single(pauseMs * (1 + random() / 3)),
  ];
  const small = command(3, 1);
  const many = command(MANY, 6);
  const fresh = (): Pacer => (pacer = new Pacer());
  const later = [
    ...(remembers ? many : [{ ...many[0]!, client: fresh }, ...many.slice(1)]),
    ...command(60, 7),
  ];
  const tail = { meanMs: latencyMs / 5, shape: 'exponential' as const };
  const world = { seed, kind, limit: 30, windowMs, latencyMs, tail, workers: 'wanted' as const, headers };
  const done = simulateSeries(world, [...small, ...later]).slice(small.length);
  const total = (key: 'sent' | 'refused') => done.reduce((sum, one) => sum + one[key], 0);
  const tookMs = done.find(({ sent }) => sent >= MANY)?.tookMs ?? Number.POSITIVE_INFINITY;
  return { refusedShare: total('refused') / total('sent'), tookMs };
}

/** Every kind, window, latency and pause. */
export function allCommands(seed: number, headers: World['headers'] = 'always'): Commands[] {
  return SERIES_KINDS.flatMap((kind) =>
    [1, 5, 10, 60].flatMap((windowS) =>
      [5, 100].flatMap((latencyMs) =>
        [1, 3, 20].map((pauseS) => ({
          kind,
          windowMs: windowS * SECOND,
          latencyMs,
          pauseMs: pauseS * SECOND,
          seed,
          headers,
        })),
      ),
    ),
  );
}

/** Every kind, window and pause. */
export function allSeries(seed: number, isLearnt = false): Series[] {
  return SERIES_KINDS.flatMap((kind) =>
    WINDOWS_MS.flatMap((windowMs) =>
      PAUSES_MS.map((pauseMs) => ({ kind, windowMs, pauseMs, seed, isLearnt })),
    ),
  );
}
