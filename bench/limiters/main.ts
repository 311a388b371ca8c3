// The program's pacing over real sockets against the limiters that people run, beside what else people use:
// `npm run bench:limiters`, a quarter of an hour, or `npm run bench:limiters -- --quick`, one minute.
// `-- --minute`: thirty a minute, cold, four minutes for all of them with `--lanes 4`.
// `--server` and `--client` take those whose name contains the word; `--lanes` says how many pushes at a time.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Client } from './client.ts';
import type { Figures } from './figures.ts';
import { OTHERS } from './other-clients.ts';
import { ours } from './our-client.ts';
import { measure } from './run.ts';
import { MINUTE_SERVERS, SERVERS, type ServerSpec } from './servers.ts';
import { closing, heading, LEGEND, line } from './table.ts';

interface Push {
  spec: ServerSpec;
  client: Client;
  rows: number;
}

const print = (text: string): unknown => process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      minute: { type: 'boolean', default: false },
      server: { type: 'string', default: '' },
      client: { type: 'string', default: '' },
      lanes: { type: 'string', default: '2' },
    },
  });
  const pushes = choose(values);
  const lanes = Number(values.lanes);
  if (pushes.length === 0) throw new Error('There is no such server or client.');
  if (!Number.isInteger(lanes) || lanes < 1) throw new Error('--lanes takes a whole number from 1 up.');
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  print(LEGEND);
  let server = '';
  for await (const [{ spec, client, rows }, figures] of playAll(pushes, lanes)) {
    if (spec.name !== server) print(heading(spec, rows));
    server = spec.name;
    print(line(client.name, figures, rows));
  }
  print(closing(delays.percentile(99) / 1e6, delays.max / 1e6));
}

/** Which servers and clients. */
interface Choice {
  quick: boolean;
  minute: boolean;
  server: string;
  client: string;
}

function choose({ quick, minute, server, client }: Choice): Push[] {
  const windows = minute ? 3.5 : quick ? 5.5 : 12.5;
  const clients = [ours, ...OTHERS].filter((one) => one.name.includes(client) && (one.quick || !quick));
  const servers = minute ? MINUTE_SERVERS : SERVERS.filter((one) => one.quick || !quick);
  return servers
    .filter((one) => one.name.includes(server))
    .flatMap((spec) => clients.map((client) => ({ spec, client, rows: spec.limit * windows })));
}

/** Plays so many pushes at a time, and gives each result in the order of the pushes. */
async function* playAll(pushes: readonly Push[], lanes: number): AsyncGenerator<[Push, Figures]> {
  const stop = new AbortController();
  const inLane = createLanes(lanes);
  const results = pushes.map(({ spec, client, rows }) =>
    inLane(() => measure(spec, client, rows, stop.signal)),
  );
  // One that fails before its turn to be told is no surprise.
  const ends = Promise.allSettled(results);
  try {
    for (const [index, push] of pushes.entries()) yield [push, (await results[index]) as Figures];
  } finally {
    stop.abort(new Error('The bench ended early.'));
    await ends;
  }
}

/** Makes a function that starts what it is given when one of so many lanes is free, first come, first served. */
function createLanes(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

try {
  await main();
} catch (error) {
  process.stderr.write(`The bench failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
