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
  /** SIGKILL to the server and all of it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
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
  let pool: ChildProcess | undefined;
  const sql = (text: string, database = 'postgres'): string =>
    execFileSync(
      join(bin, 'psql'),
      ['-h', '127.0.0.1', '-p', String(port), '-U', 'eventreg', '-d', database, '-qAtc', text],
      {
        ...run,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ).trim();
  const start = async (): Promise<void> => {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${folder}`,
      'fsync=off',
      'shared_buffers=16MB',
      'max_connections=60',
    ];
    server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      ...run,
      stdio: 'ignore',
      detached: true,
    });
    await until(() => sql('SELECT 1') === '1');
  };
  const kill = async (): Promise<void> => {
    if (server?.pid === undefined || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    // Its processes are each a group of their own.
    for (const pid of processesOf(server.pid)) {
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
    kill,
    start,
    async stop() {
      pool?.kill('SIGKILL');
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
