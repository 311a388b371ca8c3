import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Cli, createCli, type RunningCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const GUESTS = 120;

interface Scene {
  sandbox: Sandbox;
  cli: Cli;
  directory: string;
  /** Kills the running command when so many requests of a method have arrived from now on; the last one is worked on. */
  killAt(method: string, count: number): void;
  /** Runs a command until it is killed. */
  untilKilled(argv: readonly string[]): Promise<void>;
}

/** The built program, and a service that has it killed. */
async function setUp(): Promise<Scene> {
  const directory = temporaryDirectory();
  let running: RunningCli | undefined;
  let wanted = { method: '', left: 0 };
  const sandbox = await startSandbox({
    file: ':memory:',
    switches: { limit: 0 },
    onRequest({ method }) {
      if (method !== wanted.method) return;
      wanted.left -= 1;
      if (wanted.left === 0) running?.child.kill('SIGKILL');
    },
  });
  onTestFinished(() => sandbox.close());
  const cli = createCli(directory, { EVENTREG_BASE_URL: sandbox.baseUrl, EVENTREG_TOKEN: sandbox.token });
  // The sandbox answers or does not: nothing lands late.
  const config = cli.env['EVENTREG_CONFIG_DIR'] ?? '';
  mkdirSync(config, { recursive: true });
  const profiles = { default: { baseUrl: sandbox.baseUrl, settleSeconds: 0 } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify({ current: 'default', profiles }));
  return {
    sandbox,
    cli,
    directory,
    killAt: (method, count) => {
      wanted = { method, left: count };
    },
    async untilKilled(argv) {
      running = cli.start(argv);
      expect((await running.done).code).toBeUndefined();
    },
  };
}

const guest = (at: number): string => `T-${String(at).padStart(3, '0')}`;

/** Guests in groups of ten; the leader of each group comes after its members. */
function writeGuests({ directory }: Scene, name: string, ats: readonly number[], given: string): string {
  const lines = ats.map((at) => {
    const leader = Math.floor(at / 10) * 10 + 9;
    return `visitor,${guest(at)},${at === leader ? '' : guest(leader)},${given},Family,guest${at}@example.com`;
  });
  const file = join(directory, name);
  writeFileSync(file, ['persona,barcode,parent_barcode,First name,Last name,E-mail', ...lines].join('\n'));
  return file;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

const left = ({ sandbox }: Scene): string[] =>
  sandbox
    .registrations()
    .map(({ barcode }) => barcode)
    .sort();

async function pushed(scene: Scene, file: string, ...flags: readonly string[]): Promise<void> {
  expect(await scene.cli.run(['push', file, ...flags])).toMatchObject({ code: 0 });
}

test('of a delete that is killed again and again nobody is left, and all are in one backup', async () => {
  const scene = await setUp();
  await pushed(scene, writeGuests(scene, 'a.csv', range(0, GUESTS), 'Ada'));
  const argv = ['delete', '--persona', 'visitor', '--max-delete', '200', '--yes'];
  for (const count of [1, 30, 41]) {
    scene.killAt('DELETE', count);
    await scene.untilKilled(argv);
  }
  expect(scene.sandbox.counts().registrations).toBeLessThanOrEqual(GUESTS - 70);
  const ended = await scene.cli.run(argv);
  expect(ended).toMatchObject({
    code: 0,
    err: expect.stringMatching(/Going on from run \S+: \d+ deleted, \d+ still to do\./),
  });
  expect(left(scene)).toEqual([]);
  const folder = join(scene.cli.env['EVENTREG_STATE_DIR'] ?? '', 'backups');
  const lines = readdirSync(folder).map(
    (name) => readFileSync(join(folder, name), 'utf8').trim().split('\n').length,
  );
  expect(lines).toEqual([GUESTS]);
  expect((await scene.cli.run(['runs', '--json'])).out).not.toContain('killed');
});
