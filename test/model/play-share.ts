import { generateScenario } from './generate.ts';
import { playScenario } from './play.ts';
import { scenarioSeed } from './random.ts';
import { describeViolations } from './tell.ts';

const SEED = 1;
const SCENARIOS = 200;

/** Plays one of two shares of the scenarios, side by side with the other; returns what was broken, with how to see it. */
export async function playShare(share: 0 | 1): Promise<string[]> {
  const broken: string[] = [];
  for (let number = share; number < SCENARIOS; number += 2) {
    const { violations } = await playScenario(generateScenario(scenarioSeed(SEED, number)));
    if (violations.length === 0) continue;
    broken.push(`npm run test:model -- --seed ${SEED} --only ${number}\n${describeViolations(violations)}`);
  }
  return broken;
}
