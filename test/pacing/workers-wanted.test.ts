import { expect, test } from 'vitest';
import type { Budget } from '../../src/pacing/pacer-state.ts';
import { workersWanted } from '../../src/pacing/workers-wanted.ts';

const KNOWN: Budget = {
  limit: 300,
  remaining: 0,
  share: 1,
  windowMs: 2000,
  refillsAtMs: undefined,
  confirmedAtMs: 1000,
  roundTripMs: 150,
};

test.each<[string, Partial<Budget>, number]>([
  ['twice what is under way, and two more', {}, 47],
  ['few for a slow rate', { limit: 30, windowMs: 60_000 }, 3],
  ['not more than 64', { roundTripMs: 2000 }, 64],
  ['8 without a limit', { limit: undefined }, 8],
  ['8 while no window is known', { windowMs: undefined }, 8],
  ['8 before the first answer', { roundTripMs: undefined }, 8],
  ['8 while the window is a guess', { confirmedAtMs: undefined }, 8],
  ['8 while only an earlier process confirmed it', { confirmedAtMs: 999 }, 8],
])('%s', (_, differs, workers) => {
  expect(workersWanted({ ...KNOWN, ...differs }, 1000)).toBe(workers);
});
