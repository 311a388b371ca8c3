import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { startRelay } from './tcp-relay.ts';

/** A cluster of PostgreSQL of its own, in a temporary folder. */
export interface Cluster {
  port: number;
  /** Of a new database. */
  url(query?: string): string;
  /** The same through PgBouncer in transaction mode; undefined where there is none. */
  pooledUrl(query?: string): string | undefined;
  /** The way to the latest database by another port. */
  latestUrl(onPort: number): string;
  /** Asks the server about the latest database, as its owner. */
  sql(text: string): string;
  /** Lets no file grow beyond some megabytes, as on a disk that is full; that needs no disk of its own, and no root. */
  limitFiles(isLimited: boolean): void;
  /** Starts a copy that follows this one. It ends with it. */
  startStandby(): Promise<Standby>;
  /** SIGKILL to the server and all of it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A copy of a cluster that may take its place. */
export interface Standby {
  port: number;
  /** Resolves when it has all that the cluster has. */
  hasFollowed(): Promise<void>;
  /** It hears no more of the cluster, as one that lags. */
  cutOff(): void;
  /** It takes the place of the cluster. */
  promote(): Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';

/** Where the programs of PostgreSQL are; undefined where there are none. */
function findPostgres(): string | undefined {
  const debian = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .sort((one, other) => Number(other) - Number(one))
        .map((version) => join(DEBIAN, version, 'bin'))
    : [];
  return [...debian, ...(process.env['PATH'] ?? '').split(delimiter)].find((folder) =>
    ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name))),
  );
}

const findBouncer = (): string | undefined =>
  ['/usr/sbin', '/usr/local/sbin', ...(process.env['PATH'] ?? '').split(delimiter)]
    .map((folder) => join(folder, 'pgbouncer'))
    .find((file) => existsSync(file));

const BIN = findPostgres();

/** Why tests with a database are left out; undefined where they are not. With `CI` set that is an error. */
export function whyWithoutPostgres(): string | undefined {
  if (BIN !== undefined && findBouncer() !== undefined) return undefined;
  const what = `${BIN === undefined ? 'PostgreSQL' : 'PgBouncer'} is not installed`;
  if (process.env['CI']) throw new Error(`${what}: tests of the shared state need it.`);
  return `Left out: the tests of the shared state, as ${what} (Debian: postgresql, pgbouncer).`;
}

/** PostgreSQL refuses root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const idOf = (flag: string, user: string): number =>
    Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', user), gid: idOf('-g', user) };
    } catch {
      // The next one.
    }
  }
  throw new Error('There is no user postgres or nobody to run PostgreSQL as.');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a cluster. Call `stop` at the end. */
export async function startCluster(): Promise<Cluster> {
  if (BIN === undefined) throw new Error('PostgreSQL is not installed.');
  const bin = BIN;
  const owner = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'eventreg-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  for (const one of [folder, data]) {
    chmodSync(one, 0o700);
    if (owner.uid !== undefined) chownSync(one, owner.uid, owner.gid ?? owner.uid);
  }
  const run = { ...owner, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' } };
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'eventreg', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--wal-segsize=1'],
    { ...run, stdio: 'ignore' },
  );
  const [port, poolPort] = [await freePort(), await freePort()];
  let server: ChildProcess | undefined;
  let standby: ChildProcess | undefined;
  let pool: ChildProcess | undefined;
  const sql = (text: string, database = 'postgres', onPort = port): string =>
    execFileSync(
      join(bin, 'psql'),
      ['-h', '127.0.0.1', '-p', String(onPort), '-U', 'eventreg', '-d', database, '-qAtc', text],
      {
        ...run,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ).trim();
  const launch = async (from: string, onPort: number): Promise<ChildProcess> => {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${onPort}`,
      `unix_socket_directories=${folder}`,
      'fsync=off',
      'shared_buffers=16MB',
      'max_connections=60',
    ];
    const launched = spawn(join(bin, 'postgres'), ['-D', from, ...settings.flatMap((one) => ['-c', one])], {
      ...run,
      stdio: 'ignore',
      detached: true,
    });
    await until(() => sql('SELECT 1', 'postgres', onPort) === '1');
    return launched;
  };
  const start = async (): Promise<void> => void (server = await launch(data, port));
  const kill = async (killed = server): Promise<void> => {
    if (killed?.pid === undefined || killed.exitCode !== null || killed.signalCode !== null) return;
    const ended = once(killed, 'exit');
    // Its processes are each a group of their own.
    for (const pid of processesOf(killed.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    await ended;
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  const bouncer = findBouncer();
  const startPool = (): void => {
    if (bouncer === undefined) return;
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(join(folder, 'users.txt'), '"eventreg" ""\n');
    writeFileSync(
      file,
      `[databases]\n* = host=127.0.0.1 port=${port}\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=${poolPort}\nunix_socket_dir=\nauth_type=trust\nauth_file=${join(folder, 'users.txt')}\npool_mode=transaction\ndefault_pool_size=5\nignore_startup_parameters=extra_float_digits\n`,
    );
    pool = spawn(bouncer, [file], { ...run, stdio: 'ignore' });
  };
  await start().catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  startPool();
  let databases = 0;
  const latest = (): string => `space_${databases}`;
  const at = (onPort: number, query: string): string =>
    `postgres://eventreg@127.0.0.1:${onPort}/${latest()}${query}`;
  return {
    port,
    url(query = '') {
      databases += 1;
      sql(`CREATE DATABASE ${latest()}`);
      return at(port, query);
    },
    pooledUrl(query = '') {
      if (bouncer === undefined) return undefined;
      databases += 1;
      sql(`CREATE DATABASE ${latest()}`);
      return at(poolPort, query);
    },
    latestUrl: (onPort) => at(onPort, ''),
    sql: (text) => sql(text, latest()),
    limitFiles(isLimited) {
      const bytes = isLimited ? 2 * 2 ** 20 : 'unlimited';
      for (const pid of processesOf(server?.pid))
        execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], owner);
    },
    async startStandby() {
      const [way, onPort, copy] = [await startRelay(port), await freePort(), join(folder, 'standby')];
      const source = ['-h', '127.0.0.1', '-p', String(way.port), '-U', 'eventreg'];
      const flags = ['-D', copy, '-R', '-X', 'stream', '--no-sync', '--checkpoint=fast'];
      const copying = spawn(join(bin, 'pg_basebackup'), [...source, ...flags], { ...run, stdio: 'ignore' });
      const [code] = (await once(copying, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`pg_basebackup ended with ${String(code)}.`);
      standby = await launch(copy, onPort);
      const ask = (text: string): string => sql(text, 'postgres', onPort);
      return {
        port: onPort,
        async hasFollowed() {
          const wanted = sql('SELECT pg_current_wal_lsn()');
          await until(() => ask(`SELECT pg_last_wal_replay_lsn() >= '${wanted}'`) === 't');
        },
        cutOff: () => way.refuse(),
        async promote() {
          way.close();
          await until(() => ask('SELECT pg_promote()') === 't' && ask('SELECT pg_is_in_recovery()') === 'f');
        },
      };
    },
    kill: () => kill(),
    start,
    async stop() {
      pool?.kill('SIGKILL');
      await kill(standby);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server and what it has started. */
function processesOf(server: number | undefined): number[] {
  if (server === undefined) return [];
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server)], { encoding: 'utf8' });
  return [server, ...children.trim().split(/\s+/).map(Number)];
}

async function until(isSo: () => boolean): Promise<void> {
  for (let left = 200; ; left -= 1) {
    try {
      if (isSo()) return;
    } catch (error) {
      if (left === 0) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
