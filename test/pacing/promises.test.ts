import { describe, expect, test } from 'vitest';
import { casesOf, IS_NIGHT } from '../support/night.ts';
import { missedBy, PROMISES, reachedBy } from '../support/rate/promises.ts';
import { allCommands, allSeries, runCommands, runSeries } from '../support/rate/series.ts';

/** At night enough phases to meet a bad one; by day half as many. */
const PHASES = IS_NIGHT ? 10 : 5;

test.each(casesOf(PROMISES, 3).map((row) => [row.name, row] as const))(
  'what is promised, whatever the phase: %s',
  (_, row) => {
    expect(missedBy(reachedBy(row, PHASES), row.bounds)).toEqual([]);
  },
);

describe('a push after small commands takes no longer than one that begins afresh', () => {
  test.each([
    ['nothing is learnt', false, 1.05],
    ['the window was learnt before', true, 1.01],
  ])('when %s', (_, isLearnt, most) => {
    const all = casesOf(allSeries(0, isLearnt), 3).map((series) => ({ ...series, ...runSeries(series) }));
    expect(all.filter(({ slower }) => !(slower <= most))).toEqual([]);
    // Of 240 requests and a few that are refused, no series has more than three.
    expect(all.filter(({ refusedShare }) => refusedShare > 3 / 243)).toEqual([]);
    expect(all.reduce((sum, { refusedShare }) => sum + refusedShare, 0) / all.length).toBeLessThan(0.01);
  });

  // The seeds of which the last push used to take a window longer.
  test.each([
    ['a beginning that was slow to arrive', 'first-request', 10, 5, 33],
    ['the same after a longer pause', 'first-request', 10, 21, 19],
    ['a beginning that was slow to arrive, in every window', 'first-request', 1, 1, 2],
    ['a request that arrives before an earlier one', 'aligned', 1, 1, 9],
    ['one that left later and arrived before a window began', 'aligned', 1, 60, 239],
    ['a window that began amid the first ones, which looks like two nodes', 'aligned', 1, 60, 210],
  ] as const)('whatever the order in which requests arrive: %s', (_, kind, windowS, pauseS, seed) => {
    const series = { kind, windowMs: 1000 * windowS, pauseMs: 1000 * pauseS, seed, isLearnt: true };
    expect(runSeries(series).slower).toBeLessThanOrEqual(1.01);
  });
});

// Where nothing is told, each new window has to be found by being refused.
test.each([
  ['always', 0.035, 0.002, 2],
  ['remaining-only', 0.035, 0.002, 2],
  ['never', 0.2, 0.07, PHASES],
] as const)(
  'commands that read one by one and then send at once are refused little and are no slower for what came before, headers %s',
  (headers, most, mean, byDay) => {
    const seeds = Array.from({ length: IS_NIGHT ? PHASES : byDay }, (_, seed) => seed);
    const all = seeds
      .flatMap((seed) => casesOf(allCommands(seed, headers), 2))
      .map((commands) => ({ ...commands, ...runCommands(commands) }));
    expect(all.filter(({ refusedShare }) => refusedShare > most)).toEqual([]);
    expect(all.reduce((sum, { refusedShare }) => sum + refusedShare, 0) / all.length).toBeLessThan(mean);
    // An aligned window that ended in the midst of them may cost one more.
    expect(all.filter(({ slower }) => slower > 1.05).length).toBeLessThan(all.length / 40);
    // A fresh start may be lucky: buckets of a second are filled in 3.3, 5.2 or 8.7 s, by chance. On average it is not faster.
    expect(all.reduce((sum, { slower }) => sum + slower, 0) / all.length).toBeLessThan(1.005);
    expect(all.filter(({ slower }) => slower > 1.6)).toEqual([]);
  },
  180_000,
);
