// The model-based test: `npm run test:model -- --scenarios 5000 --seed 1`.
import type { Scenario } from './scenario.ts';
import { generateScenario } from './generate.ts';
import { type ModelOptions, readOptions, USAGE } from './options.ts';
import { pairScenarios } from './pairs.ts';
import { type Played, playScenario } from './play.ts';
import { scenarioSeed } from './random.ts';
import { shrink } from './shrink.ts';
import { withFeatures } from './with-features.ts';
import { describeScenario, describeViolations, table } from './tell.ts';

const PROGRESS_EVERY_MS = 15_000;

const print = (text: string): unknown => process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), Date.now());
  if (options === undefined) {
    print(USAGE);
    return 0;
  }
  return options.only === undefined ? await playAll(options) : await playOne(options, options.only);
}

/** What to play, and the flags that choose it again. */
function sourceOf({ pairs, scenarios, seed, features }: ModelOptions): Source {
  const generate = (one: number): Scenario => withFeatures(generateScenario(one), features, one);
  if (!pairs) {
    return {
      count: scenarios,
      scenario: (number) => generate(scenarioSeed(seed, number)),
      flags: `--seed ${seed}${features.length === 0 ? '' : ` --with ${features.join(',')}`}`,
    };
  }
  const table = pairScenarios(seed);
  const scenario = (number: number): Scenario => {
    const found = table[number];
    if (found === undefined) throw new Error(`The table has ${table.length} rows, counted from 0.`);
    return found;
  };
  return { count: table.length, scenario, flags: `--pairs --seed ${seed}` };
}

interface Source {
  count: number;
  scenario: (number: number) => Scenario;
  flags: string;
}

async function playAll(options: ModelOptions): Promise<number> {
  const { failures } = options;
  const { count, scenario, flags } = sourceOf(options);
  const startedAt = Date.now();
  print(`Model-based test: ${count} scenarios, ${flags}.`);
  const all: Played[] = [];
  const failed: number[] = [];
  const progress = setInterval(
    () => print(`  ${all.length} played, ${failed.length} failed`),
    PROGRESS_EVERY_MS,
  );
  for (let number = 0; number < count; number += 1) {
    const played = await playScenario(scenario(number));
    all.push(played);
    if (played.violations.length === 0) continue;
    failed.push(number);
    if (failed.length > failures) continue;
    print(`\nnpm run test:model -- ${flags} --only ${number}\n${describeViolations(played.violations)}`);
  }
  clearInterval(progress);
  const commands = all.reduce((sum, one) => sum + one.commands, 0);
  const seconds = (Date.now() - startedAt) / 1000;
  if (failed.length > 0) print(`\n${table(all)}\n\nFailed: ${failed.join(' ')}`);
  print(`\n${count} scenarios, ${commands} commands, ${failed.length} failed, ${seconds.toFixed(1)} s.`);
  return failed.length === 0 ? 0 : 1;
}

async function playOne(options: ModelOptions, number: number): Promise<number> {
  const scenario = sourceOf(options).scenario(number);
  const { violations } = await playScenario(scenario);
  if (violations.length === 0) {
    print('Every promise was kept.');
    return 0;
  }
  const small = options.whole ? scenario : await shrink(scenario, new Set([violations[0]?.invariant ?? '']));
  const played = await playScenario(small);
  print(describeScenario(small));
  print(`\n${played.story.join('\n')}\n\nBroken:\n${describeViolations(played.violations)}`);
  print(`\nIn the whole scenario:\n${describeViolations(violations)}`);
  return 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(
    `The model-based test failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}\n`,
  );
  process.exitCode = 1;
}
