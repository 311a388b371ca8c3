import { generateScenario } from './generate.ts';
import { playScenario } from './play.ts';
import { scenarioSeed } from './random.ts';
import { describeViolations } from './tell.ts';

const SEED = 1;
/** The nightly run plays many more. */
const SCENARIOS = 120;
/** A test plays so many, so that none takes long on a busy machine. */
const SHARE = 10;

/** The first numbers of one half of the shares; the other half is played side by side with it. */
export const sharesOf = (half: 0 | 1): number[] =>
  Array.from({ length: SCENARIOS / SHARE / 2 }, (_, at) => (2 * at + half) * SHARE);

/** Plays the scenarios of a share; returns what was broken, with how to see it. */
export async function playShare(first: number): Promise<string[]> {
  const broken: string[] = [];
  for (let number = first; number < first + SHARE; number += 1) {
    const { violations } = await playScenario(generateScenario(scenarioSeed(SEED, number)));
    if (violations.length === 0) continue;
    broken.push(`npm run test:model -- --seed ${SEED} --only ${number}\n${describeViolations(violations)}`);
  }
  return broken;
}
