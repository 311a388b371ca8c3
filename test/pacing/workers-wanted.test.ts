import { expect, test } from 'vitest';
import type { Budget, PacerState } from '../../src/pacing/pacer-state.ts';
import { learnt } from './states.ts';
import { moreWorkers, workersWanted } from '../../src/pacing/workers-wanted.ts';

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
  ['more while the window is a guess and there is plenty', { confirmedAtMs: undefined, workers: 20 }, 20],
  ['never more than 64', { confirmedAtMs: undefined, workers: 900 }, 64],
  ['8 without a limit', { limit: undefined }, 8],
  ['8 while no window is known', { windowMs: undefined }, 8],
  ['8 before the first answer', { roundTripMs: undefined }, 8],
  ['8 while the window is a guess', { confirmedAtMs: undefined }, 8],
  ['8 while only an earlier process confirmed it', { confirmedAtMs: 999 }, 8],
])('%s', (_, differs, workers) => {
  expect(workersWanted({ ...KNOWN, ...differs }, 1000)).toBe(workers);
});

test.each<[string, Partial<PacerState>, number]>([
  ['one more with each answer that leaves plenty', {}, 9],
  ['one more than they were', { workers: 20 }, 21],
  ['no more than 64', { workers: 64, granted: 600, limit: 600 }, 64],
  ['none more with less than half of the limit left', { sentCount: 151 }, 0],
  ['none more with less than six times as many left', { granted: 48, limit: 48 }, 0],
  ['none more once answers are slow', { roundTripMs: 41 }, 0],
  ['none more where the limit is guessed', { isGuessed: true }, 0],
  ['none more where nothing is told', { granted: undefined }, 0],
])('while the window is learnt: %s', (_, differs, workers) => {
  expect(moreWorkers(learnt({ limit: 300, granted: 300, ...differs }))).toBe(workers);
});
