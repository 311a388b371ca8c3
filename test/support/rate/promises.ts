import { Pacer } from '../../../src/pacing/pacer.ts';
import { simulate, type Simulated } from './simulate.ts';
import type { World } from './world.ts';

const SECOND = 1000;
const LATENCY_MS = 100;
/** Half a window more: with a whole number of them a single request that is left over costs a window. */
const WINDOWS = 20.5;

/** Percent that pushes must reach. `steady` and `overall`: at least, in the median and in the worst phase. */
export interface Bounds {
  steady?: number;
  steadyWorst?: number;
  overall?: number;
  overallWorst?: number;
  /** Ours and the other client's together, at least; median. */
  together?: number;
  /** Refused of ours at most, on average and in the worst phase, and of the other client's, after the first window. */
  refused?: number;
  refusedWorst?: number;
  theirs?: number;
}

/** What is promised of pushes to a service that limits like that, whatever the phase of its windows. */
export interface Promised {
  name: string;
  world: Omit<World, 'client' | 'seed' | 'requests'>;
  bounds: Bounds;
  /** Phases, or seeds where there are none. */
  phases: number;
}

type Setting = Partial<Promised['world']> & Pick<World, 'kind'>;

const tail = (meanMs: number, shape: 'exponential' | 'heavy' = 'exponential') => ({
  tail: { meanMs, shape },
});
const every = (seconds: number, limit = 30) => ({ limit, windowMs: seconds * SECOND });

function promised(name: string, setting: Setting, bounds: Bounds, phases = 100): Promised {
  const world = { ...every(60), latencyMs: LATENCY_MS, workers: 'wanted' as const, ...tail(20), ...setting };
  return { name, world, bounds, phases };
}

const WINDOW: Bounds = { steady: 99.5, steadyWorst: 98.5, refused: 0.1, refusedWorst: 1 };
const ALIGNED: Bounds = { ...WINDOW, steadyWorst: 98 };
const LOG: Bounds = { steady: 99, steadyWorst: 97, refused: 0.3, refusedWorst: 1 };
const COUNTING: Bounds = { ...LOG, steady: 97, steadyWorst: 95 };
const COUNTER: Bounds = { steady: 94.5, steadyWorst: 93, refused: 0.3 };
const BUCKET: Bounds = { steady: 99.5, steadyWorst: 99, refused: 0.3 };
const BLIND: Bounds = { overall: 94, refused: 3 };
const OTHERS: Bounds = { together: 90, refused: 2, theirs: 15 };
const READS: Bounds = { overall: 96, refused: 0.3 };

/** What is promised, in virtual time. Latency has an exponential tail unless named otherwise. */
export const PROMISES: readonly Promised[] = [
  promised('first-request, 60 s', { kind: 'first-request' }, WINDOW),
  promised('first-request, 60 s, heavy tail', { kind: 'first-request', ...tail(20, 'heavy') }, WINDOW),
  promised('aligned, 60 s', { kind: 'aligned' }, ALIGNED),
  promised('aligned, 60 s, heavy tail', { kind: 'aligned', ...tail(20, 'heavy') }, ALIGNED),
  promised('aligned, 10 s', { kind: 'aligned', ...every(10) }, { ...ALIGNED, steadyWorst: 96 }),
  promised('aligned, 300 per 10 s', { kind: 'aligned', ...every(10, 300) }, { ...ALIGNED, steadyWorst: 96 }),
  promised('sliding log, ± 5 ms', { kind: 'sliding-log', ...tail(5) }, LOG),
  promised('sliding log, ± 20 ms', { kind: 'sliding-log' }, LOG),
  promised('sliding log, ± 20 ms, heavy tail', { kind: 'sliding-log', ...tail(20, 'heavy') }, LOG),
  promised('log that counts refusals, ± 5 ms', { kind: 'counting-log', ...tail(5) }, COUNTING),
  promised('log that counts refusals, ± 20 ms', { kind: 'counting-log' }, COUNTING),
  promised('window that refusals begin anew', { kind: 'punishing' }, { steady: 97, refused: 0.3 }),
  promised('sliding counter', { kind: 'sliding-counter' }, COUNTER),
  promised('bucket', { kind: 'token-bucket' }, BUCKET),
  promised('GCRA', { kind: 'gcra' }, BUCKET),
  promised(
    'no Remaining, first-request',
    { kind: 'first-request', headers: 'never' },
    { ...BLIND, overallWorst: 90 },
  ),
  promised('no Remaining, aligned', { kind: 'aligned', headers: 'never' }, BLIND),
  promised('no Remaining, bucket', { kind: 'token-bucket', headers: 'never' }, { overall: 98, refused: 7 }),
  promised('no Limit, first-request', { kind: 'first-request', headers: 'remaining-only' }, WINDOW),
  promised('no Limit, sliding log', { kind: 'sliding-log', headers: 'remaining-only' }, LOG),
  promised('no Limit, bucket', { kind: 'token-bucket', headers: 'remaining-only' }, BUCKET),
  promised('another client, window', { kind: 'first-request', share: 0.3, steadily: true }, OTHERS, 20),
  promised('another client, aligned', { kind: 'aligned', share: 0.3, steadily: true }, OTHERS, 20),
  promised('another client, log', { kind: 'sliding-log', share: 0.3, steadily: true }, OTHERS, 20),
  promised('another client, bucket', { kind: 'token-bucket', share: 0.3, steadily: true }, OTHERS, 20),
  promised(
    '300 per 2 s, 150 ms',
    { kind: 'first-request', ...every(2, 300), latencyMs: 150 },
    { steady: 85, refused: 0.3 },
  ),
  promised('3 reads without headers first', { kind: 'first-request', quiet: { first: 3 } }, READS),
  promised('one in 5 without headers', { kind: 'first-request', quiet: { first: 3, every: 5 } }, READS),
  promised('the same, aligned', { kind: 'aligned', quiet: { first: 3, every: 5 } }, READS),
];

export type Reached = Required<Bounds> & { stalled: number };

/** What pushes reach, one for each phase; as many as are promised unless told otherwise. */
export function reachedBy({ world, phases: all }: Promised, phases = all): Reached {
  const pushes = Array.from({ length: phases }, (_, seed) =>
    simulate({
      ...world,
      seed,
      phaseMs: ((seed + 0.5) / phases) * world.windowMs,
      client: new Pacer(),
      requests: Math.ceil(WINDOWS * world.limit),
    }),
  );
  const sorted = (figure: (push: Simulated) => number | undefined): number[] =>
    pushes.map((push) => (push.stalled ? 0 : 100 * (figure(push) ?? 0))).sort((a, b) => a - b);
  const [steady, overall, refused] = [
    sorted((push) => push.steady),
    sorted((push) => push.overall),
    sorted((push) => push.refusedShare),
  ];
  return {
    steady: median(steady),
    steadyWorst: steady[0] ?? Number.NaN,
    overall: median(overall),
    overallWorst: overall[0] ?? Number.NaN,
    together: median(sorted((push) => push.together)),
    refused: refused.reduce((sum, share) => sum + share, 0) / phases,
    refusedWorst: refused.at(-1) ?? Number.NaN,
    theirs: median(sorted((push) => push.theirsLater)),
    stalled: pushes.filter(({ stalled }) => stalled).length,
  };
}

/** Which bounds are missed, in words. */
export function missedBy(reached: Reached, bounds: Bounds): string[] {
  const isLess = (figure: string): boolean => figure.startsWith('refused') || figure === 'theirs';
  const missed = (Object.entries(bounds) as [keyof Bounds, number][])
    .filter(([figure, bound]) => (isLess(figure) ? reached[figure] > bound : reached[figure] < bound))
    .map(([figure, bound]) => `${figure} ${reached[figure].toFixed(2)}, not ${bound}`);
  return reached.stalled > 0 ? [`${reached.stalled} came to no end`, ...missed] : missed;
}

export function median(sorted: readonly number[]): number {
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
}
