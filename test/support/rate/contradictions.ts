import { Pacer } from '../../../src/pacing/pacer.ts';
import { shortestMs } from './oracle.ts';
import { median } from './promises.ts';
import { simulate } from './simulate.ts';
import { stepped } from './stepped-client.ts';
import { startOf, type World } from './world.ts';

const SECOND = 1000;
const LATENCY_MS = 100;
const SEEDS = [0, 1, 2, 3, 4];
/** The worst of the seeds may be so much further off than the median. */
const WORST = 1.5;

/** At most so much, in the median of the seeds. */
export interface Most {
  /** Time taken over the shortest possible. */
  over?: number;
  /** Percent refused of ours. */
  refused?: number;
  /** Percent refused of ours after the first window. */
  refusedLater?: number;
  /** Percent refused of the other client's, after the first window. */
  theirs?: number;
  /** Windows lost. */
  lost?: number;
  /** Whether a limit is told at the end that no answer told of. */
  guessed?: number;
}

/** A service that is not one window, one limit, one cost and one node. */
export interface Contradiction {
  name: string;
  world: Omit<World, 'client' | 'seed'>;
  most: Most;
  /**
   * The shortest time is that for so many more. A client that is not told how long a window is, and looks for its end only
   * while something is left, has that left over when it ends. One that asks with nothing left saves it, and is refused up
   * to six times where the window lasts a minute: both look the same until it ends.
   */
  kept?: number;
}

type Setting = Partial<Contradiction['world']> & Pick<World, 'kind'>;

const every = (seconds: number, limit = 30) => ({ limit, windowMs: seconds * SECOND });

function contradiction(name: string, setting: Setting, most: Most): Contradiction {
  const limits = { ...every(60), ...setting };
  const tail = { meanMs: Math.min(20, (setting.latencyMs ?? LATENCY_MS) / 5), shape: 'exponential' as const };
  const requests = Math.ceil(12.5 * limits.limit);
  return {
    name,
    world: { latencyMs: LATENCY_MS, workers: 'wanted', tail, requests, ...limits },
    most,
  };
}

const TWO: Most = { over: 1.15, refused: 3 };
const FEW: Most = { over: 1.2, refused: 3 };
const AT_ONCE: Most = { over: 1.2, refused: 2 };

/** The headers are those of the first limit, of the other one, or of that which has less left. */
const two = (kind: World['kind'], other = kind): Contradiction[] =>
  (['10 a second', '100 a minute', 'less left'] as const).map((of, at) =>
    contradiction(
      `10 a second, 100 a minute, ${kind}${other === kind ? '' : ` and ${other}`}, headers of ${of}`,
      {
        kind,
        ...every(1, 10),
        also: [{ kind: other, ...every(60, 100) }],
        told: at === 2 ? 'least' : at,
        requests: 700,
      },
      TWO,
    ),
  );

const short = (kind: World['kind']): Contradiction[] =>
  ([0, 1] as const).map((told) => ({
    ...contradiction(
      `5 a second, 20 per 10 s, ${kind}, headers of the ${told === 0 ? 'first' : 'second, over one more'}`,
      { kind, ...every(1, 5), also: [{ kind, ...every(10, 20) }], told, requests: 60, latencyMs: 5 },
      { over: 1.15, refused: 4.8 },
    ),
    kept: told,
  }));

const vanishing = (kind: World['kind']): Contradiction =>
  contradiction(
    `10 a second, 40 a minute, ${kind}, headers of the second, none after 40 s`,
    {
      kind,
      ...every(1, 10),
      also: [{ kind, ...every(60, 40) }],
      told: 1,
      changes: [{ atMs: 40 * SECOND, headers: 'never' }],
      requests: 375,
      latencyMs: 20,
    },
    { over: 1.2, refused: 10 },
  );

const perKind = (
  kinds: readonly World['kind'][],
  name: string,
  more: Omit<Partial<Contradiction['world']>, 'kind'>,
  most: Most,
): Contradiction[] => kinds.map((kind) => contradiction(`${name}, ${kind}`, { kind, ...more }, most));

const WINDOWS = ['first-request', 'aligned'] as const;
const KINDS = [...WINDOWS, 'sliding-log', 'token-bucket'] as const;
const STEPS: readonly [string, number][] = [
  ['back by a minute', -60 * SECOND],
  ['back by an hour', -3600 * SECOND],
  ['back by three days', -3 * 86_400 * SECOND],
  ['on by two days', 2 * 86_400 * SECOND],
];
const work = { most: 4, workMs: 300 };

const neither: Contradiction[] = WINDOWS.flatMap((kind) =>
  [false, true].map((retryAfter) =>
    contradiction(
      `10 a second, 40 per 15 s, ${kind}, neither told${retryAfter ? ', Retry-After' : ''}`,
      {
        kind,
        ...every(1, 10),
        also: [{ kind, ...every(15, 40) }],
        headers: 'never',
        retryAfter,
        requests: 60,
        latencyMs: 20,
      },
      // Nothing shows where a window of the clock begins.
      { over: kind === 'aligned' && !retryAfter ? 1.5 : 1.2, refused: 20 },
    ),
  ),
);

const forNoReason = (requests: number, at: readonly number[] = [13]): Contradiction[] =>
  [undefined, 10 * SECOND].flatMap((retryAfterMs) =>
    (['never', 'always'] as const).map((headers) =>
      contradiction(
        `${at.length} of ${requests} refused for no reason, ${retryAfterMs === undefined ? '' : 'Retry-After, '}headers ${headers}`,
        {
          kind: 'first-request',
          ...every(60, 1000),
          headers,
          requests,
          ...(retryAfterMs !== undefined && { retryAfter: true }),
          noReason: { at, ...(retryAfterMs !== undefined && { retryAfterMs }) },
        },
        { over: 1.2, guessed: 0 },
      ),
    ),
  );

export const CONTRADICTIONS: readonly Contradiction[] = [
  ...two('first-request'),
  ...two('aligned'),
  ...two('sliding-log'),
  ...two('token-bucket', 'first-request'),
  ...short('first-request'),
  ...short('sliding-log'),
  vanishing('first-request'),
  vanishing('sliding-log'),
  contradiction(
    'at most 4 at once, headers of plenty',
    { kind: 'first-request', ...every(60, 10_000), atOnce: work, requests: 400, latencyMs: 20 },
    AT_ONCE,
  ),
  contradiction(
    'at most 4 at once, no headers',
    {
      kind: 'first-request',
      ...every(60, 10_000),
      headers: 'never',
      atOnce: work,
      requests: 400,
      latencyMs: 20,
    },
    AT_ONCE,
  ),
  ...perKind(
    ['sliding-log', 'token-bucket'],
    '300 per 2 s, 150 ms',
    { ...every(2, 300), latencyMs: 150, requests: 12 * 300 },
    { over: 1.176, refused: 1 },
  ),
  ...perKind(
    ['token-bucket'],
    'Remaining never falls',
    { changes: [{ atMs: 0, stuckAt: 29 }] },
    { over: 1.2, refused: 7, refusedLater: 3 },
  ),
  ...perKind(KINDS, '2 nodes, at random', { nodes: { count: 2 } }, FEW),
  ...perKind(KINDS, '3 nodes, in turn', { nodes: { count: 3, inTurn: true } }, FEW),
  ...perKind(KINDS, 'Remaining late by an answer', { answersLate: 1 }, FEW),
  ...perKind(KINDS, 'Remaining late by 500 ms', { staleMs: 500 }, FEW),
  ...perKind(
    ['sliding-log'],
    'window 60 s, then 10 s',
    { changes: [{ atMs: 270 * SECOND, windowMs: 10 * SECOND }], requests: 700 },
    { over: 1.3 },
  ),
  ...perKind(KINDS, 'a row in ten costs 5', { costs: { every: 10, cost: 5 } }, FEW),
  ...perKind(KINDS, 'each costs 2', { costs: { every: 1, cost: 2 } }, FEW),
  ...[61, 3.3, 45].flatMap((seconds) =>
    perKind(WINDOWS, `window of ${seconds} s`, { ...every(seconds), requests: 615 }, { over: 1.176 }),
  ),
  ...perKind(
    KINDS,
    'another client takes 30 %, 300 per 10 s',
    { ...every(10, 300), share: 0.3, requests: 6150 },
    { theirs: 15 },
  ),
  ...perKind(
    WINDOWS,
    'Reset and no Remaining',
    { headers: 'never', resets: true },
    { over: 1.1, refused: 3 },
  ),
  ...forNoReason(60),
  ...forNoReason(700),
  ...forNoReason(700, [13, 31]),
  ...neither,
  ...STEPS.flatMap(([name, byMs]) =>
    perKind(
      ['first-request', 'sliding-log'],
      `the clock ${name}`,
      { clockSteps: [{ atMs: 200 * SECOND, byMs }] },
      { lost: 1.5, refused: 3 },
    ),
  ),
];

/** What the seeds came to, best first. */
export type Came = Record<keyof Required<Most>, number[]> & { stalled: number };

export function cameTo({ world, kept = 0 }: Contradiction): Came {
  const pushes = SEEDS.map((seed) => pushOnce({ ...world, seed }, kept));
  const sorted = (key: keyof Most): number[] => pushes.map((push) => push[key]).sort((a, b) => a - b);
  return {
    over: sorted('over'),
    refused: sorted('refused'),
    refusedLater: sorted('refusedLater'),
    theirs: sorted('theirs'),
    lost: sorted('lost'),
    guessed: sorted('guessed'),
    stalled: pushes.filter(({ stalled }) => stalled).length,
  };
}

function pushOnce(world: Omit<World, 'client'>, kept: number): Required<Most> & { stalled: boolean } {
  const pacer = new Pacer();
  const client = stepped(pacer, world);
  const { refusedShare, theirsLater, sendings, stalled, endMs } = simulate({ ...world, client });
  const tookMs = endMs - startOf(world);
  const asked = { ...world, requests: world.requests + kept };
  const bestMs = world.noReason === undefined ? shortestMs(asked) : withReasonMs(world);
  const beganMs = sendings[0]?.sentMs ?? 0;
  const later = sendings.filter(({ sentMs }) => sentMs > beganMs + world.windowMs);
  const refused = later.filter(({ outcome }) => outcome === 'refused').length;
  const { limit, beside } = pacer.budget(endMs);
  return {
    over: stalled ? Number.POSITIVE_INFINITY : tookMs / bestMs,
    refused: 100 * refusedShare,
    refusedLater: (100 * refused) / Math.max(1, later.length),
    theirs: 100 * theirsLater,
    lost: (tookMs - bestMs) / world.windowMs,
    guessed: Number(beside !== undefined || (world.headers === 'never' && limit !== undefined)),
    stalled,
  };
}

/** What the same push takes where nothing is refused for no reason, and the pauses: a second where none is told. */
function withReasonMs({ noReason, ...world }: Omit<World, 'client'>): number {
  const { endMs } = simulate({ ...world, client: new Pacer() });
  return endMs - startOf(world) + (noReason?.at.length ?? 0) * (noReason?.retryAfterMs ?? SECOND);
}

/** Which bounds are missed, in words. */
export function contradictedBy(came: Came, most: Most): string[] {
  const missed = (Object.entries(most) as [keyof Most, number][]).flatMap(([figure, bound]) => {
    const [mid, worst] = [median(came[figure]), came[figure].at(-1) ?? Number.NaN];
    return mid <= bound && worst <= WORST * bound
      ? []
      : [`${figure} ${mid.toFixed(2)} and ${worst.toFixed(2)} at worst, not ${bound}`];
  });
  return came.stalled > 0 ? [`${came.stalled} came to no end`, ...missed] : missed;
}
