import { expect } from 'vitest';
import type { Simulated } from '../support/rate/simulate.ts';

/** What pushes must reach. The least good push counts, for shares of refused requests all pushes together. */
export interface Bounds {
  /** Percent of what is permitted, at least: in the long run, learning included, and with another client's. */
  steady?: number;
  overall?: number;
  together?: number;
  /** Percent of what was sent, at most: ours, and the other client's. */
  refused?: number;
  theirs?: number;
  /** Milliseconds without a grant, at most. */
  idleMs?: number;
  /** Refused in a row without a pause, at most. */
  storm?: number;
}

/** A test's name: what is wanted, and what holds where that is less. */
export function titleOf(name: string, wanted: Bounds, holds: Bounds = {}): string {
  const less: Record<string, number | undefined> = { ...holds };
  const bounds = Object.entries(wanted).map(
    ([figure, bound]) => `${figure} ${bound}${less[figure] === undefined ? '' : ` (holds: ${less[figure]})`}`,
  );
  return `${name}: ${bounds.join(', ')}`;
}

/** Fails for a push that stalled, and where a figure is off its bound. */
export function expectWithin(pushes: readonly Simulated[], bounds: Bounds): void {
  expect(pushes.filter(({ stalled }) => stalled)).toEqual([]);
  const reached = figuresOf(pushes);
  const missed = (Object.keys(bounds) as (keyof Bounds)[])
    .filter((figure) => (reached[figure] - (bounds[figure] ?? 0)) * BETTER[figure] < 0)
    .map((figure) => `${figure} ${reached[figure]}, not ${bounds[figure]}`);
  expect(missed).toEqual([]);
}

const MORE = 1;
const LESS = -1;
const BETTER: Record<keyof Bounds, number> = {
  steady: MORE,
  overall: MORE,
  together: MORE,
  refused: LESS,
  theirs: LESS,
  idleMs: LESS,
  storm: LESS,
};

function figuresOf(pushes: readonly Simulated[]): Required<Bounds> {
  const least = (figure: (pushed: Simulated) => number | undefined): number =>
    Math.min(...pushes.map((pushed) => 100 * (figure(pushed) ?? 0)));
  const total = (count: (pushed: Simulated) => number): number =>
    pushes.reduce((sum, pushed) => sum + count(pushed), 0);
  const refused = total((pushed) => pushed.refused);
  return {
    steady: least(({ steady }) => steady),
    overall: least(({ overall }) => overall),
    together: least(({ together }) => together),
    // One in each push cannot be told from bad luck, however few requests there are.
    refused: refused <= pushes.length ? 0 : (100 * refused) / total(({ sendings }) => sendings.length),
    theirs: (100 * total(({ othersRefused }) => othersRefused)) / total(({ othersAsked }) => othersAsked),
    idleMs: Math.max(...pushes.map(({ longestIdleMs }) => longestIdleMs)),
    storm: Math.max(...pushes.map(({ longestStorm }) => longestStorm)),
  };
}
