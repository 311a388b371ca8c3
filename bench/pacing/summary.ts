import { Pacer } from '../../src/pacing/pacer.ts';
import { simulate } from '../../test/support/rate/simulate.ts';
import type { Figures } from '../../test/support/rate/figures.ts';
import type { World } from '../../test/support/rate/world.ts';

/** What is measured, without the client, the seed and the length of the push. */
export type Setting = Omit<World, 'client' | 'seed' | 'requests'>;

/** One push, as far as the tables are concerned. */
export type Push = Pick<
  Figures,
  | 'overall'
  | 'steady'
  | 'together'
  | 'refusedShare'
  | 'othersAsked'
  | 'othersRefused'
  | 'longestIdleMs'
  | 'steadyIdleMs'
  | 'longestStorm'
> & {
  /** It came to no end: stalled, or gave up. */
  stalled: boolean;
};

/** What several pushes came to. Shares are fractions of 1; worst is over all pushes. */
export interface Summary {
  overall: Spread;
  steady: Spread;
  together: number;
  refused: { mean: number; worst: number };
  theirsRefused: number;
  /** In windows. */
  longestIdle: number;
  steadyIdle: number;
  longestStorm: number;
  stalled: number;
  pushes: number;
}

interface Spread {
  median: number;
  worst: number;
}

/** A push of this many windows' worth tells of the whole, learning included; a longer one of what is steady. */
const WHOLE_WINDOWS = 12;
const STEADY_WINDOWS = 20;

/** Our pacer in that setting, once for each seed. */
export function measurePacer(setting: Setting, seeds: number): Summary {
  const push = (windows: number, seed: number): Push =>
    simulate({ ...setting, client: new Pacer(), seed, requests: windows * setting.limit });
  const numbers = Array.from({ length: seeds }, (_, seed) => seed);
  const whole = numbers.map((seed) => push(WHOLE_WINDOWS, seed));
  return summarise(
    setting,
    whole,
    numbers.map((seed) => push(STEADY_WINDOWS, seed)),
  );
}

/** `whole` tells of overall, `longer` of what is steady, or `whole` too where there is none; both of everything else. */
export function summarise(setting: Setting, whole: readonly Push[], longer: readonly Push[] = []): Summary {
  const all = [...whole, ...longer];
  const steady = longer.length > 0 ? longer : whole;
  const refused = all.map(({ refusedShare }) => refusedShare);
  const theirs = sum(all.map(({ othersAsked }) => othersAsked));
  return {
    overall: spread(whole.map((push) => (push.stalled ? 0 : push.overall))),
    steady: spread(steady.map((push) => push.steady ?? Number.NaN)),
    together: spread(steady.map((push) => push.together ?? Number.NaN)).median,
    refused: { mean: sum(refused) / refused.length, worst: Math.max(...refused) },
    theirsRefused: theirs === 0 ? Number.NaN : sum(all.map(({ othersRefused }) => othersRefused)) / theirs,
    longestIdle: Math.max(...all.map(({ longestIdleMs }) => longestIdleMs)) / setting.windowMs,
    steadyIdle: Math.max(...all.map(({ steadyIdleMs }) => steadyIdleMs)) / setting.windowMs,
    longestStorm: Math.max(...all.map(({ longestStorm }) => longestStorm)),
    stalled: all.filter(({ stalled }) => stalled).length,
    pushes: all.length,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function spread(numbers: readonly number[]): Spread {
  const known = numbers.filter((number) => !Number.isNaN(number)).sort((a, b) => a - b);
  const [worst = Number.NaN] = known;
  return { median: known[(known.length - 1) >> 1] ?? Number.NaN, worst };
}
