import { describe, test } from 'vitest';
import type { Simulated } from '../support/rate/simulate.ts';
import type { World } from '../support/rate/world.ts';
import { push, SECOND, type Setting } from './any-world.ts';
import { type Bounds, expectWithin, titleOf } from './bounds.ts';
import { IS_NIGHT } from '../support/night.ts';

const KINDS = ['first-request', 'aligned', 'token-bucket', 'gcra', 'sliding-log', 'sliding-counter'] as const;
type Kind = (typeof KINDS)[number];
type Holds = Partial<Record<Kind, Bounds>>;

const LIMIT = 30;
const LATENCY_MS = 20;
const PUSHES = IS_NIGHT ? 8 : 4;

function pushes(kind: World['kind'], windows: number, more: Partial<Setting>): Simulated[] {
  const world = { kind, limit: LIMIT, windowMs: 60 * SECOND, latencyMs: LATENCY_MS, ...more };
  return Array.from({ length: PUSHES }, (_, seed) =>
    push({ seed, ...world }, { requests: Math.ceil((windows - 0.5) * LIMIT) }),
  );
}

/** A row for each kind of limiter. */
function rows(wanted: Bounds, holds: Holds = {}): [string, Kind, Bounds][] {
  return KINDS.map((kind) => [titleOf(kind, wanted, holds[kind]), kind, { ...wanted, ...holds[kind] }]);
}

describe.each([60, 2])('30 requests in %d s', (seconds) => {
  const windowMs = seconds * SECOND;
  const isShort = seconds === 2;

  describe('another client at 30 %', () => {
    const wanted = { together: 85, refused: 2, theirs: 15 };
    const inLongWindows: Holds = {
      'first-request': { theirs: 30 },
      aligned: { theirs: 25 },
      'token-bucket': { refused: 3.5 },
      gcra: { refused: 3.5 },
      'sliding-log': { refused: 8, theirs: 26 },
      'sliding-counter': { refused: 3.5 },
    };
    const inShortWindows: Holds = { ...inLongWindows, 'sliding-log': { refused: 7, theirs: 23 } };
    test.each(rows(wanted, isShort ? inShortWindows : inLongWindows))('%s', (_, kind, bounds) => {
      expectWithin(pushes(kind, 20, { windowMs, share: 0.3 }), bounds);
    });
  });

  describe('Remaining stale by five latencies', () => {
    const inShortWindows: Holds = { 'sliding-counter': { steady: 64 } };
    const inLongWindows: Holds = { 'first-request': { steady: 51 }, 'sliding-log': { refused: 10 } };
    const holds = isShort ? inShortWindows : inLongWindows;
    test.each(rows({ steady: 80, refused: 5 }, holds))('%s', (_, kind, bounds) => {
      expectWithin(pushes(kind, 20, { windowMs, staleMs: 5 * LATENCY_MS }), bounds);
    });
  });

  describe('Remaining off by two at most', () => {
    const holds: Holds = isShort
      ? { 'first-request': { steady: 75 } }
      : { 'first-request': { refused: 8 }, aligned: { refused: 8.5 }, 'sliding-log': { refused: 7 } };
    test.each(rows({ steady: 80, refused: 5 }, holds))('%s', (_, kind, bounds) => {
      expectWithin(pushes(kind, 20, { windowMs, blur: 2 }), bounds);
    });
  });
});

/** Once everything is learnt, in the middle of a window. */
const CHANGE_MS = 4.5 * 60 * SECOND;

describe.each<[string, NonNullable<Setting['changes']>[number], Holds?]>([
  ['the limit is halved', { atMs: CHANGE_MS, limit: 15 }],
  ['the limit is doubled', { atMs: CHANGE_MS, limit: 60 }],
  ['the window gets twice as long', { atMs: CHANGE_MS, windowMs: 120 * SECOND }],
  ['the window gets half as long', { atMs: CHANGE_MS, windowMs: 30 * SECOND }],
  [
    'Remaining is stuck at 7',
    { atMs: CHANGE_MS, stuckAt: 7 },
    {
      'token-bucket': { storm: 8 },
      gcra: { storm: 8 },
      'sliding-log': { storm: 8 },
      'sliding-counter': { storm: 8 },
    },
  ],
  ['Remaining is stuck at 0', { atMs: CHANGE_MS, stuckAt: 0 }],
  ['headers vanish', { atMs: CHANGE_MS, headers: 'never' }],
  ['the clock of the service jumps 17 s ahead', { atMs: CHANGE_MS, clockJumpMs: 17 * SECOND }],
  [
    'the clock of the service jumps 17 s back',
    { atMs: CHANGE_MS, clockJumpMs: -17 * SECOND },
    { 'sliding-log': { idleMs: 190 * SECOND } },
  ],
])('%s', (_, change, holds) => {
  const idleMs = 2 * Math.max(60 * SECOND, change.windowMs ?? 0);
  test.each(rows({ idleMs, storm: 3 }, holds))('%s', (_title, kind, bounds) => {
    expectWithin(pushes(kind, 12, { changes: [change] }), bounds);
  });
});
