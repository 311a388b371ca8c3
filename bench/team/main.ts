// What a state that is shared costs, beside the one of this machine: `npm run bench:team`, or some of it with
// `-- limited`, `fast`, `loopback`, `empty`, `four`. A cluster of PostgreSQL of its own; latency is added by a relay.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { makeKey } from '../../src/settings/state-address.ts';
import { makeHome } from '../../test/crash/home.ts';
import { FAST_PLACE } from '../../test/support/fast-place.ts';
import { type Cluster, startCluster, whyWithoutPostgres } from '../../test/support/postgres.ts';
import { startRelay } from '../../test/support/tcp-relay.ts';
import { type Ended, run } from './run.ts';

type Env = Readonly<Record<string, string>>;

const KNOWN = 100_000;
const directory = mkdtempSync(join(FAST_PLACE, 'eventreg-bench-'));
let places = 0;
let missed = 0;

const print = (text: string): unknown => process.stdout.write(`${text}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** A figure beside its bound. */
function tell(what: string, value: number, bound: number, shown: string): void {
  const isMissed = value > bound;
  if (isMissed) missed += 1;
  print(`${isMissed ? '✗' : '✓'} ${what}: ${shown}`);
}

function newPlace(): string {
  places += 1;
  const place = join(directory, String(places));
  mkdirSync(place);
  return place;
}

function guests(place: string, rows: number, from = 0): string {
  const file = join(place, `guests-${from}.csv`);
  const lines = Array.from({ length: rows }, (_, at) => {
    const number = from + at;
    return `visitor,B-${number},Given${number},Family${number},guest${number}@example.com`;
  });
  writeFileSync(file, ['persona,barcode,First name,Last name,E-mail', ...lines, ''].join('\n'));
  return file;
}

/** Starts a service, and a home with an account there. */
async function withService<T>(
  switches: Partial<Switches>,
  use: (place: string, home: Env, service: Sandbox) => Promise<T>,
): Promise<T> {
  const service = await startSandbox({ file: ':memory:', switches });
  const place = newPlace();
  try {
    return await use(place, makeHome(place, service, 0), service);
  } finally {
    await service.close();
    rmSync(place, { recursive: true, force: true });
  }
}

/** The variables of a new space. */
async function newSpace(cluster: Cluster, home: Env, port = cluster.port): Promise<Env> {
  const direct = cluster.url();
  const { out } = await run(['state', 'init', direct], home);
  const key = /^EVENTREG_STATE_KEY=(\S+)$/m.exec(out)?.[1] ?? makeKey();
  return { EVENTREG_STATE: cluster.latestUrl(port), EVENTREG_STATE_KEY: key };
}

const push = (file: string, env: Env): Promise<Ended> => run(['push', file, '--yes', '--quiet'], env);

interface Case {
  what: string;
  switches: Partial<Switches>;
  rows: number;
  /** There and back. */
  latencyMs: number;
  most: number;
  times: number;
}

const CASES: Readonly<Record<string, Case>> = {
  limited: {
    what: '30 per 10 s, the database 200 ms away',
    switches: { limit: 30, windowMs: 10_000 },
    rows: 240,
    latencyMs: 200,
    most: 1.03,
    times: 1,
  },
  fast: {
    what: '30 a second, the database 20 ms away',
    switches: { limit: 30, windowMs: 1000 },
    rows: 300,
    latencyMs: 20,
    most: 1.25,
    times: 3,
  },
  loopback: {
    what: 'no limit, the database on this machine',
    switches: { limit: 0 },
    rows: 1500,
    latencyMs: 0,
    most: 1.4,
    times: 5,
  },
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** The same push with the state of this machine and with one that is shared, in turns. */
async function compare(
  cluster: Cluster,
  { what, switches, rows, latencyMs, most, times }: Case,
): Promise<void> {
  const relay = latencyMs === 0 ? undefined : await startRelay(cluster.port, latencyMs / 2);
  const [local, shared, bytes]: number[][] = [[], [], []];
  for (let time = 0; time < times; time += 1) {
    await withService(switches, async (place, home) => {
      local?.push((await push(guests(place, rows), home)).tookMs);
    });
    await withService(switches, async (place, home) => {
      const space = await newSpace(cluster, home, relay?.port);
      shared?.push((await push(guests(place, rows), { ...home, ...space })).tookMs);
      bytes?.push(Number(cluster.sql('SELECT sum(length(body)) FROM eventreg.change')) / rows);
    });
  }
  relay?.close();
  const [alone, together, size] = [local, shared, bytes].map((values) => median(values ?? [])) as [
    number,
    number,
    number,
  ];
  const ratio = together / alone;
  tell(
    what,
    ratio,
    most,
    `${ratio.toFixed(2)} × (${seconds(together)}, local ${seconds(alone)}), at most ${most}`,
  );
  tell('  bytes a row', size, 500, `${Math.round(size)}, at most 500`);
}

/** A machine that has nothing begins with what the space knows. */
async function compareEmpty(cluster: Cluster): Promise<void> {
  await withService({ limit: 0 }, async (place, home) => {
    await push(guests(place, KNOWN), home);
    const space = await newSpace(cluster, home);
    await run(['state', 'move'], { ...home, ...space });
    const size = Number(cluster.sql('SELECT sum(length(body)) FROM eventreg.part')) / 2 ** 20;
    const { tookMs } = await run(['runs', '--quiet'], {
      ...home,
      ...space,
      EVENTREG_STATE_DIR: join(place, 'empty'),
    });
    const shown = `${seconds(tookMs)}, at most 3 s; a snapshot of ${size.toFixed(1)} MB`;
    tell(`an empty machine where ${KNOWN} rows are known`, tookMs, 3000, shown);
  });
}

const CONTAINERS = 4;
const LIMIT = 30;
const WINDOWS = 10;

/** Containers with one token, each with an empty directory of its own and a list of its own. */
async function pushFromContainers(
  cluster: Cluster | undefined,
): Promise<{ refused: number; tookMs: number }> {
  return withService({ limit: LIMIT, windowMs: 3000 }, async (place, home, service) => {
    const space = cluster === undefined ? {} : await newSpace(cluster, home);
    const rows = Math.round((LIMIT * WINDOWS) / CONTAINERS);
    const began = performance.now();
    await Promise.all(
      Array.from({ length: CONTAINERS }, (_, at) =>
        push(guests(place, rows, at * rows), {
          ...home,
          ...space,
          EVENTREG_STATE_DIR: join(place, `container-${at}`),
        }),
      ),
    );
    const tookMs = performance.now() - began;
    const requests = service.requests();
    const refused = requests.filter(({ status }) => status === 429).length / requests.length;
    return { refused, tookMs };
  });
}

async function compareContainers(cluster: Cluster): Promise<void> {
  const apart = await pushFromContainers(undefined);
  const together = await pushFromContainers(cluster);
  const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
  const what = `${CONTAINERS} containers, one token, ${LIMIT} per 3 s`;
  const refused = `${percent(together.refused)} (apart ${percent(apart.refused)}), at most 1 %`;
  tell(`${what}: refused`, together.refused, 0.01, refused);
  const took = `${seconds(together.tookMs)} (apart ${seconds(apart.tookMs)})`;
  tell(`${what}: time`, together.tookMs, apart.tookMs, took);
}

const without = whyWithoutPostgres();
if (without === undefined) {
  const wanted = process.argv.slice(2);
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
  const cluster = await startCluster();
  try {
    for (const [name, one] of Object.entries(CASES)) if (isWanted(name)) await compare(cluster, one);
    if (isWanted('empty')) await compareEmpty(cluster);
    if (isWanted('four')) await compareContainers(cluster);
  } finally {
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  process.exitCode = missed === 0 ? 0 : 1;
} else print(without);
