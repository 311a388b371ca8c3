// The crash test: `npm run test:crash`, or `npm run test:crash -- --kills 5000` for a long one. The built
// program is killed with SIGKILL before, during and after the writes of its journal, at requests and at
// any time, and every resume is killed again; then the same command is left alone. The embedded service
// runs in this process: what it holds and what it was asked is the truth. A killed process loses what it
// has not handed to the operating system, and no more; with --power also what was not on the disk for certain.
import { playChain, playKills, profileScenario } from './chain.ts';
import type { Target } from './kill-order.ts';
import { type CrashOptions, readOptions, USAGE } from './options.ts';
import { startProgram } from './push-process.ts';
import type { Scenario } from './scenarios.ts';
import type { Machines } from './push-under-fire.ts';
import { Tally } from './tally.ts';
import { Team } from './team.ts';
import { whyWithoutPostgres } from '../support/postgres.ts';

const PROGRESS_EVERY_MS = 15_000;

const print = (text: string): unknown => process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const startedAt = Date.now();
  const options = readOptions(process.argv.slice(2), startedAt);
  if (options === undefined) {
    print(USAGE);
    return 0;
  }
  await checkProgram();
  const without = options.team ? whyWithoutPostgres() : undefined;
  if (without !== undefined) {
    print(without);
    return 0;
  }
  const tally = new Tally();
  const team = options.team ? await Team.open() : undefined;
  const play = options.play === undefined ? playAll : playAgain;
  const machines = { team, cutsPower: options.cutsPower };
  const writes = await whole(play(options, tally, machines), team);
  print(tally.table(options.scenarios));
  if (writes !== undefined) print(tally.spread(writes));
  for (const failure of tally.failures()) print(failure);
  print(tally.closing((Date.now() - startedAt) / 1000, options.cutsPower ? 'cuts of power' : 'kills'));
  return tally.failed ? 1 : 0;
}

/** What is played; then the database is gone. */
async function whole<T>(playing: Promise<T>, team: Team | undefined): Promise<T> {
  try {
    return await playing;
  } finally {
    await team?.close();
  }
}

/** Returns the most writes that any push made that nobody killed. */
async function playAll(
  { scenarios, kills, seed, lanes, cutsPower }: CrashOptions,
  tally: Tally,
  machines: Machines,
): Promise<number> {
  print(`Crash test: ${kills} ${cutsPower ? 'cuts of power' : 'kills'} at least, seed ${seed}.`);
  const progress = setInterval(() => print(`  ${tally.kills} of ${kills} kills`), PROGRESS_EVERY_MS).unref();
  const targets = new Map<string, Promise<Target>>();
  const targetOf = (scenario: Scenario): Promise<Target> => {
    const known = targets.get(aimOf(scenario));
    if (known !== undefined) return known;
    const profiling = profileScenario(scenario, machines).then(({ target, result }) => {
      tally.add(result);
      return target;
    });
    targets.set(aimOf(scenario), profiling);
    return profiling;
  };
  let wanted = kills;
  // No chain is begun any more; what was played is told.
  process.once('SIGINT', () => (wanted = 0));
  // Few kills do not come to all scenarios: each seed begins with another one.
  const first = seed % scenarios.length;
  const turned = [...scenarios.slice(first), ...scenarios.slice(0, first)];
  const begun = chains(turned, () => tally.kills >= wanted);
  await inLanes(lanes, begun, async ([scenario, chain]) => {
    tally.add(await playChain(scenario, await targetOf(scenario), chain, seed, machines));
  });
  clearInterval(progress);
  const profiled = await Promise.all(targets.values());
  return Math.max(...profiled.map(({ full }) => full.durationsUs.length));
}

/** What the service does with a known barcode changes nothing about a push that nobody kills. */
const aimOf = ({ command, limited, concurrency, data }: Scenario): string =>
  `${command} ${limited} ${concurrency} ${data}`;

async function playAgain(
  { scenarios, play = [], latencyMs }: CrashOptions,
  tally: Tally,
  machines: Machines,
): Promise<undefined> {
  for (const scenario of scenarios)
    tally.add(await playKills(scenario, latencyMs, (nth) => play[nth], machines));
}

/** What to play: one chain of every scenario, then a second of each, until it is enough. */
function* chains(
  scenarios: readonly Scenario[],
  isEnough: () => boolean,
): Generator<[scenario: Scenario, chain: number]> {
  for (let number = 1; ; number += 1) {
    for (const scenario of scenarios) {
      if (isEnough()) return;
      yield [scenario, number];
    }
  }
}

/** Works on so many items at a time. After an error nothing new is begun. */
async function inLanes<Item>(
  lanes: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && failures.length === 0; next = queue.next()) {
      await work(next.value).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failures.length > 0) throw failures[0];
}

/** Throws an Error with a sentence when the built program is not there or cannot be told how fast to go. */
async function checkProgram(): Promise<void> {
  const { code, out, err } = await startProgram(['push', '--help-all'], process.env as Record<string, string>)
    .done;
  if (code !== 0) throw new Error(`The built program does not start (npm run build makes it): ${err}`);
  if (!out.includes('--concurrency'))
    throw new Error('The crash test needs a push that takes --concurrency.');
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`The crash test failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
