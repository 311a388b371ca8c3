import { seededRandom } from '../support/seeded-random.ts';

/** Choices that are the same for the same seed. */
export interface Random {
  /** True so often, 0 to 1. */
  chance(share: number): boolean;
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** So many different ones, in their order. */
  some<Item>(items: readonly Item[], count: number): Item[];
}

export function random(seed: number): Random {
  const next = seededRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    chance: (share) => next() < share,
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    some(items, count) {
      const left = items.map((_, at) => at);
      while (left.length > count) left.splice(below(left.length), 1);
      return left.map((at) => items[at] as (typeof items)[number]);
    },
  };
}

/** Seed of one scenario of many. */
export function scenarioSeed(seed: number, scenario: number): number {
  return (Math.imul(seed, 0x9e3779b1) + Math.imul(scenario + 1, 0x85ebca6b)) >>> 0;
}
