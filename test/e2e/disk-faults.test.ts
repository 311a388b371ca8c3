import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Cli, type CliResult, createCli, type RunningCli } from '../support/cli.ts';
import { casesOf, IS_NIGHT } from '../support/night.ts';
import { PROGRAM, PROGRAM_WORDS } from '../support/program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { canMount, type LimitedDisk, mountedDisk, setPermissions } from './limited-disk.ts';

const ROWS = 48;
const HALF = 16;
/** Rows that may be under way when the disk gives out. */
const WORKERS = 8;
/** In kilobytes: what ten to twenty of the rows write. */
const ROOM_OF_SOME_ROWS = 32;
const onPosix = process.platform !== 'win32';
const asRoot = process.getuid?.() === 0;

interface Setting {
  sandbox: Sandbox;
  cli: Cli;
  file: string;
  state: string;
  journal: string;
  /** Barcodes in the order in which they were posted. */
  posted: () => string[];
}

/** A service that doubles whatever is sent twice, a list of guests, and a state directory. */
async function setUp({ state, rows = ROWS, onPost = () => undefined }: Options = {}): Promise<Setting> {
  const directory = temporaryDirectory();
  const sandbox = await startSandbox({
    file: ':memory:',
    switches: { limit: 0, upsert: 'double' },
    onRequest({ method }) {
      if (method === 'POST') onPost(posted().length);
    },
  });
  onTestFinished(() => sandbox.close());
  const posted = (): string[] =>
    sandbox
      .requests()
      .filter(({ method }) => method === 'POST')
      .map(({ body = '' }) => (JSON.parse(body) as { barcode: string }).barcode);
  const cli = createCli(directory, { EVENTREG_TOKEN: sandbox.token });
  if (state !== undefined) cli.env['EVENTREG_STATE_DIR'] = state;
  writeProfile(cli, sandbox);
  const home = cli.env['EVENTREG_STATE_DIR'] ?? '';
  const file = join(directory, 'guests.csv');
  writeGuests(file, rows);
  return { sandbox, cli, file, state: home, journal: join(home, 'journal.sqlite'), posted };
}

interface Options {
  state?: string;
  rows?: number;
  /** Called before the n-th POST is answered, counted from 1. */
  onPost?: (nth: number) => void;
}

/** The sandbox answers or does not: nothing lands late, so uncertain rows need not be waited for. */
function writeProfile(cli: Cli, { baseUrl }: Sandbox): void {
  const config = cli.env['EVENTREG_CONFIG_DIR'] ?? '';
  mkdirSync(config, { recursive: true });
  const profiles = { default: { baseUrl, settleSeconds: 0 } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify({ current: 'default', profiles }));
}

function writeGuests(file: string, rows: number): void {
  const lines = Array.from(
    { length: rows },
    (_, at) => `visitor,T-${at},Given${at},Family,guest${at}@example.com`,
  );
  writeFileSync(file, ['persona,barcode,First name,Last name,E-mail', ...lines].join('\n'));
}

/** The refusal of a journal that cannot be used: what it is, where it is, and what to do. */
function expectRefusal({ code, err }: CliResult, { journal }: Setting): void {
  expect(code).toBe(1);
  expect(err).toMatch(/^eventreg: .*journal/m);
  expect(err).toContain(journal);
  expect(err).toMatch(/^hint: \S/m);
  expect(err).not.toContain('defect');
}

async function expectEachOnce({ cli, file, sandbox }: Setting, rows = ROWS): Promise<void> {
  const resumed = await cli.run(['push', file, '--json']);
  expect(resumed.err).not.toContain('hint:');
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.out)).toMatchObject({ state: 'finished', failed: 0, uncertain: 0, pending: 0 });
  const kept = sandbox.registrations().map(({ barcode }) => barcode);
  expect(new Set(kept).size).toBe(rows);
  expect(kept).toHaveLength(rows);
}

/** Barcodes of rows whose intent is on the disk. */
function intended({ journal }: Setting): string[] {
  const database = new DatabaseSync(journal);
  const left = `SELECT one.value ->> 'seq' FROM departure JOIN json_each(list) AS part JOIN json_each(part.value) AS one`;
  const rows = database
    .prepare(`SELECT barcode FROM row WHERE sent_at IS NOT NULL OR seq IN (${left})`)
    .all();
  database.close();
  return rows.map((row) => String((row as { barcode: unknown }).barcode));
}

/** Nothing left this machine without its intent on the disk. */
function expectNoneUnintended(setting: Setting): void {
  const durable = new Set(intended(setting));
  expect(setting.posted().filter((barcode) => !durable.has(barcode))).toEqual([]);
}

describe.runIf(canMount())('a full disk (as root on Linux, on a file system of its own)', () => {
  test('while rows are sent: stops at once, and the same command goes on when there is room', async () => {
    const disk = mountedDisk(4096);
    const setting = await setUp({
      state: join(disk.directory, 'state'),
      onPost: (nth) => {
        if (nth === HALF) disk.fill();
      },
    });
    expectRefusal(await setting.cli.run(['push', setting.file]), setting);
    disk.makeRoom();
    expectNoneUnintended(setting);
    // What was under way when the disk gave out may have arrived, and what was written into the rest of the last block.
    expect(setting.posted().length).toBeLessThan(HALF + 2 * WORKERS);
    await expectEachOnce(setting);
  });

  test.each(casesOf([8, 1], 2))(
    'time and again, every %s requests, loses and doubles nobody',
    async (every) => {
      const disk = mountedDisk(4096);
      // Each round starts the program.
      const rows = IS_NIGHT ? ROWS : 24;
      const setting = await setUp({
        rows,
        state: join(disk.directory, 'state'),
        onPost: (nth) => {
          if (nth % every === 0) disk.fill();
        },
      });
      let ended = await setting.cli.run(['push', setting.file]);
      expectRefusal(ended, setting);
      for (let round = 0; round < rows && ended.code !== 0; round += 1) {
        disk.makeRoom();
        expectNoneUnintended(setting);
        ended = await setting.cli.run(['push', setting.file]);
        if (ended.code !== 0) expectRefusal(ended, setting);
      }
      disk.makeRoom();
      await expectEachOnce(setting, rows);
    },
  );

  test('before the journal is there, and while the file is read: nothing is sent', async () => {
    const disk = mountedDisk(512);
    const setting = await setUp({ state: join(disk.directory, 'state'), rows: 1500 });
    disk.fill();
    expectRefusal(await setting.cli.run(['push', setting.file]), setting);
    disk.makeRoom();
    expectRefusal(await setting.cli.run(['push', setting.file]), setting);
    expect(setting.posted()).toEqual([]);
    disk.grow(65_536);
    writeGuests(setting.file, ROWS);
    await expectEachOnce(setting);
  });
});

describe.runIf(onPosix)('a journal that may not grow any more (not on Windows)', () => {
  test('while rows are sent: stops at once, and the same command goes on without the limit', async () => {
    let grown = 0;
    const measured = await setUp({
      onPost: (nth) => {
        // All that was written so far does not depend on how requests leave together.
        if (nth === 1) grown = statSync(`${measured.journal}-wal`).size;
      },
    });
    await measured.cli.run(['push', measured.file]);

    const setting = await setUp();
    const limited = await runLimited(setting, Math.ceil(grown / 1024) + ROOM_OF_SOME_ROWS);
    expectRefusal(limited, setting);
    expect(setting.posted().length).toBeGreaterThan(0);
    expect(setting.posted().length).toBeLessThan(ROWS);
    expectNoneUnintended(setting);
    await expectEachOnce(setting);
  });
});

/** Pushes in a shell that lets no file grow beyond so many kilobytes. */
async function runLimited({ cli, file }: Setting, kilobytes: number): Promise<CliResult> {
  const script = `ulimit -f ${kilobytes}; trap "" XFSZ; exec "$@"`;
  const argv = ['-c', script, 'bash', PROGRAM, ...PROGRAM_WORDS, 'push', file];
  const env = { ...cli.env, PATH: process.env['PATH'] ?? '' };
  const child = spawn('bash', argv, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | undefined>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (ended) => resolve(ended ?? undefined));
  });
  return { code, out: '', err };
}

/** A push of which half is done when it is killed. */
async function killedHalfWay(options: Omit<Options, 'onPost'> = {}): Promise<Setting> {
  let running: RunningCli | undefined;
  const setting = await setUp({
    ...options,
    onPost: (nth) => {
      if (nth === HALF) running?.child.kill('SIGKILL');
    },
  });
  running = setting.cli.start(['push', setting.file]);
  expect((await running.done).code).toBeUndefined();
  return setting;
}

describe.runIf(onPosix)('a journal that may not be written (not on Windows)', () => {
  test.runIf(!asRoot)('for want of permission: nothing is sent, until there is', async () => {
    const setting = await killedHalfWay();
    onTestFinished(() => setPermissions(setting.state, true));
    setPermissions(setting.state, false);
    await expectRefusedUntil(setting, () => setPermissions(setting.state, true));
  });

  test.runIf(canMount())('on a read-only disk: nothing is sent, until it is writable', async () => {
    const disk: LimitedDisk = mountedDisk(4096);
    const setting = await killedHalfWay({ state: join(disk.directory, 'state') });
    disk.setWritable(false);
    await expectRefusedUntil(setting, () => disk.setWritable(true));
  });
});

/** Refused while something is wrong, without a request; in order once it is mended. */
async function expectRefusedUntil(setting: Setting, mend: () => void, rows = ROWS): Promise<void> {
  const before = setting.posted();
  expectRefusal(await setting.cli.run(['push', setting.file]), setting);
  expect(setting.posted()).toEqual(before);
  mend();
  await expectEachOnce(setting, rows);
}

describe('a damaged journal is refused with the remedy, and nothing is sent', () => {
  const damages: readonly [string, (journal: string) => void][] = [
    ['garbage in its middle', overwriteMiddle],
    ['garbage at its start', (journal) => overwrite(journal, 0, 100)],
    ['cut in half', (journal) => truncateSync(journal, Math.floor(statSync(journal).size / 2))],
    ['cut after its first bytes', (journal) => truncateSync(journal, 50)],
  ];

  test.each(casesOf(damages, 2))('%s', async (_name, damage) => {
    const setting = await setUp();
    expect((await setting.cli.run(['push', setting.file])).code).toBe(0);
    const backup = join(temporaryDirectory(), 'state');
    cpSync(setting.state, backup, { recursive: true });
    damage(setting.journal);
    writeGuests(setting.file, ROWS + 5);
    const restore = (): void => {
      rmSync(setting.state, { recursive: true });
      cpSync(backup, setting.state, { recursive: true });
    };
    await expectRefusedUntil(setting, restore, ROWS + 5);
    expect(setting.posted()).toHaveLength(ROWS + 5);
  });

  test.runIf(onPosix)('emptied beside a log that is not (not on Windows)', async () => {
    const setting = await killedHalfWay();
    const whole = readFileSync(setting.journal);
    truncateSync(setting.journal, 0);
    expect(statSync(`${setting.journal}-wal`).size).toBeGreaterThan(0);
    await expectRefusedUntil(setting, () => writeFileSync(setting.journal, whole));
  });
});

test.runIf(onPosix)(
  'a journal that lost its log is made up for by reading the service (not on Windows)',
  async () => {
    const setting = await killedHalfWay();
    rmSync(`${setting.journal}-wal`);
    rmSync(`${setting.journal}-shm`);
    await expectEachOnce(setting);
  },
);

function overwriteMiddle(journal: string): void {
  const { size } = statSync(journal);
  overwrite(journal, Math.floor(size / 4), Math.floor(size / 2));
}

function overwrite(journal: string, at: number, length: number): void {
  const bytes = readFileSync(journal);
  bytes.fill(0xa5, at, at + length);
  writeFileSync(journal, bytes);
}
