import { expect, test } from 'vitest';
import { generateScenario } from './generate.ts';
import { playScenario } from './play.ts';
import { scenarioSeed } from './random.ts';
import { type Feature, withFeatures } from './with-features.ts';

const SEED = 21;

async function broken(feature: Feature, number: number): Promise<unknown[]> {
  const seed = scenarioSeed(SEED, number);
  return (await playScenario(withFeatures(generateScenario(seed), [feature], seed))).violations;
}

test.each<[Feature, number]>([
  ['lags', 30],
  ['shifts', 3],
  ['requires', 10],
  ['computes', 2],
  ['late-edits', 3],
  ['columns', 3],
  ['hides', 1],
  ['substitutes', 0],
  ['cancels', 15],
  ['zeros', 0],
  ['codes', 0],
  ['reissues', 71],
])('%s, scenario %i', async (...which) => {
  expect(await broken(...which)).toEqual([]);
});
