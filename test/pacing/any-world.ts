import * as fc from 'fast-check';
import { Pacer } from '../../src/pacing/pacer.ts';
import { type Simulated, simulate } from '../support/rate/simulate.ts';
import type { Change, World } from '../support/rate/world.ts';

export const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** A world without the client and the length of the push. */
export type Setting = Omit<World, 'client' | 'requests'>;

const KINDS = [
  'first-request',
  'aligned',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'gcra',
  'punishing',
] as const;

export const anyLimit = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 10 }) },
  { weight: 4, arbitrary: fc.integer({ min: 10, max: 100 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 1000 }) },
);

export const anyWindowMs = fc.oneof(
  fc.constantFrom(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600).map((seconds) => seconds * SECOND),
  fc.integer({ min: SECOND, max: 60 * SECOND }),
  fc.integer({ min: SECOND, max: HOUR }),
);

const anyPart = (max: number, min = 0): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });

/** Services that tell the truth in every answer and serve nobody else. */
export const honestWorld: fc.Arbitrary<Setting> = fc.record({
  seed: fc.nat(),
  kind: fc.constantFrom(...KINDS),
  limit: anyLimit,
  windowMs: anyWindowMs,
  latencyMs: fc.integer({ min: 2, max: 800 }),
  jitter: anyPart(0.5),
  workers: fc.integer({ min: 1, max: 64 }),
  retryAfter: fc.boolean(),
});

/** What happens a few windows into a push; lengths in windows. */
const anyChange: fc.Arbitrary<AnyChange> = fc.oneof<fc.Arbitrary<AnyChange>[]>(
  fc.record({ limit: anyLimit }),
  fc.record({ longer: fc.constantFrom(0.1, 0.5, 2, 10) }),
  fc.record({ headers: fc.constantFrom('good-only' as const, 'never' as const) }),
  fc.record({ stuckAt: fc.integer({ min: 0, max: 1000 }) }),
  fc.record({ jump: anyPart(2, -2) }),
);

/** One thing at a time that goes wrong with the service or with the way to it, or is asked of the client. */
const trouble = fc.oneof<fc.Arbitrary<Trouble>[]>(
  fc.record({ lossy: anyPart(0.3) }),
  fc.record({ share: anyPart(0.6, 0.1) }),
  fc.record({ staleMs: fc.integer({ min: 1, max: 4 * SECOND }) }),
  fc.record({ blur: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ headers: fc.constantFrom('good-only' as const, 'never' as const) }),
  fc.record({ change: anyChange, at: anyPart(5, 3) }),
  fc.record({ left: anyPart(0.9) }),
);

interface AnyChange extends Omit<Change, 'atMs' | 'windowMs' | 'clockJumpMs'> {
  longer?: number;
  jump?: number;
}

interface Trouble extends Partial<Setting> {
  change?: AnyChange;
  at?: number;
  left?: number;
}

/** All worlds; in most of them something is wrong. */
export const anyWorld: fc.Arbitrary<Setting> = fc
  .tuple(honestWorld, fc.option<Trouble, Trouble>(trouble, { nil: {} }))
  .map(([world, { change, at = 0, left = 0, ...wrong }]) => ({
    ...world,
    ...wrong,
    leave: Math.floor(left * world.limit),
    changes: change === undefined ? [] : [changeOf(world, at, change)],
  }))
  // One that punishes would be kept from ever letting go by another client, and by news that are wrong.
  .filter(({ kind, share = 0, changes }) => kind !== 'punishing' || (share === 0 && changes.length === 0));

function changeOf({ windowMs }: Setting, at: number, { longer, jump, ...change }: AnyChange): Change {
  return {
    ...change,
    atMs: at * windowMs,
    ...(longer === undefined ? {} : { windowMs: longer * windowMs }),
    ...(jump === undefined ? {} : { clockJumpMs: jump * windowMs }),
  };
}

/** As many requests as make several windows, and no run too long. */
export function requestsOf({ limit }: Setting): number {
  return Math.min(5 * limit, limit + 300);
}

/** A push through a new pacer. */
export function push(world: Setting, more: Partial<World> = {}): Simulated {
  return simulate({ client: new Pacer(), requests: requestsOf(world), ...world, ...more });
}
