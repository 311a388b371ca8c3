import { expect, test } from 'vitest';
import type { World } from '../support/rate/world.ts';
import { push, SECOND } from './any-world.ts';

const PHASES = 20;
const WORLD = { limit: 30, windowMs: 60 * SECOND, latencyMs: 20 };

test.each<[World['kind'], number]>([
  ['first-request', 97],
  ['aligned', 97],
  ['token-bucket', 97],
  ['gcra', 97],
  ['sliding-log', 85],
])(
  '105 rows at 30 a minute, nothing known: %s, %d %% of what is possible whatever the phase',
  (kind, percent) => {
    const reached = Array.from({ length: PHASES }, (_, seed) => {
      const phaseMs = ((seed + 0.5) / PHASES) * WORLD.windowMs;
      return 100 * push({ ...WORLD, kind, seed, phaseMs }, { requests: 105 }).overall;
    });
    expect(Math.min(...reached)).toBeGreaterThanOrEqual(percent);
  },
);

test('a bucket is taken for no log because the first request was slow to arrive', () => {
  const refused = Array.from(
    { length: PHASES },
    (_, seed) => push({ ...WORLD, kind: 'token-bucket', seed, connectMs: 300 }, { requests: 105 }).refused,
  );
  expect(Math.max(...refused)).toBe(0);
});
