import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type KillOrder, readKill } from './kill-order.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

export const USAGE = `Usage: npm run test:crash -- [flags]

Kills pushes, deletions and undos with SIGKILL, resumes them with the same command, and holds what the program says against what
an embedded service has and was asked. Ends with 1 when a row was lost, doubled or sent in vain.
After Ctrl-C it ends what it has begun, and tells of what it has played.

  --kills <n>     how many kills at least; default 500 (two to three minutes on two cores)
  --seed <n>      chooses the kills; default: another one each time, printed
  --only <name>   one scenario: <update|double|refuse|ignore>-<1|4|16>-<all|few|edited>,
                  prune, delete, undo, or one of them or push with -limited
  --play <kills>  these kills of that scenario, as a failure names them
  --latency <ms>  how long the service takes to answer --play
  --team          each process on a new machine, with one state for all of them in PostgreSQL
  --power         each kill cuts the power: what was not on the disk for certain is gone, and the machine starts anew
  --lanes <n>     chains at a time; default: one more than there are cores
`;

export interface CrashOptions {
  kills: number;
  seed: number;
  scenarios: readonly Scenario[];
  /** Undefined: as many kills as are wanted, chosen by the seed. */
  play: readonly KillOrder[] | undefined;
  latencyMs: number;
  lanes: number;
  /** Whether machines share what was sent. */
  team: boolean;
  cutsPower: boolean;
}

/** Undefined when help was asked for. Throws an Error with a sentence. */
export function readOptions(argv: readonly string[], now: number): CrashOptions | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      kills: { type: 'string', default: '500' },
      seed: { type: 'string', default: String(now % 1_000_000_000) },
      only: { type: 'string' },
      play: { type: 'string' },
      latency: { type: 'string', default: '0' },
      lanes: { type: 'string', default: String(availableParallelism() + 1) },
      team: { type: 'boolean', default: false },
      power: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { only, play } = values;
  const scenarios = SCENARIOS.filter(({ name }) => only === undefined || name === only);
  if (scenarios.length === 0) throw new Error(`There is no scenario ${only}.`);
  if (values.power && values.team) throw new Error('--power is of one machine.');
  if (play !== undefined && only === undefined) throw new Error('--play needs --only.');
  return {
    kills: wholeNumber('--kills', values.kills, 1),
    seed: wholeNumber('--seed', values.seed, 0),
    scenarios,
    team: values.team,
    cutsPower: values.power,
    play:
      play === undefined
        ? undefined
        : play
            .split(',')
            .filter((word) => word !== 'nothing')
            .map(readKill),
    latencyMs: wholeNumber('--latency', values.latency, 0),
    lanes: wholeNumber('--lanes', values.lanes, 1),
  };
}

function wholeNumber(flag: string, text: string, least: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new Error(`${flag} takes a number from ${least}.`);
  return Number(text);
}
