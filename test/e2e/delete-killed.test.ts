import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Cli, createCli, type RunningCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { listIn } from '../support/documents.ts';

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

describe('killed by SIGKILL in the middle, the same command ends the same', () => {
  test('delete: nobody goes who was not chosen, and nobody is left', async () => {
    const scene = await setUp();
    await pushed(scene, writeGuests(scene, 'a.csv', range(0, GUESTS), 'Ada'));
    const argv = ['delete', '--persona', 'visitor', '--max-delete', '200', '--yes'];
    for (const count of [1, 30, 41]) {
      scene.killAt('DELETE', count);
      await scene.untilKilled(argv);
    }
    expect(scene.sandbox.counts().registrations).toBeLessThanOrEqual(GUESTS - 70);
    await pushed(scene, writeGuests(scene, 'late.csv', [999], 'Late'));
    const ended = await scene.cli.run(argv);
    expect(ended).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 registration has come since run'),
    });
    expect(left(scene)).toEqual([guest(999)]);
    const folder = join(scene.cli.env['EVENTREG_STATE_DIR'] ?? '', 'backups');
    const lines = readdirSync(folder).map(
      (name) => readFileSync(join(folder, name), 'utf8').trim().split('\n').length,
    );
    expect(lines).toEqual([GUESTS]);
    expect((await scene.cli.run(['runs', '--json'])).out).not.toContain('killed');
  });

  test('push --prune: the service holds what the file does', async () => {
    const scene = await setUp();
    await pushed(scene, writeGuests(scene, 'a.csv', range(0, GUESTS), 'Ada'));
    const file = writeGuests(scene, 'b.csv', range(60, GUESTS + 20), 'Bea');
    const argv = ['push', file, '--prune', '--max-delete', '60', '--yes'];
    for (const [method, count] of [
      ['POST', 20],
      ['DELETE', 5],
      ['DELETE', 20],
    ] as const) {
      scene.killAt(method, count);
      await scene.untilKilled(argv);
    }
    expect(await scene.cli.run(argv)).toMatchObject({ code: 0 });
    expect(left(scene)).toEqual(range(60, GUESTS + 20).map(guest));
    expect(new Set(scene.sandbox.registrations().map(({ fields }) => fields['first_name']))).toEqual(
      new Set(['Bea']),
    );
  });

  test('runs undo: what was created is gone, what was changed is as before', async () => {
    const scene = await setUp();
    await pushed(scene, writeGuests(scene, 'a.csv', range(0, 60), 'Ada'));
    const before = scene.sandbox.registrations().map(({ id, fields }) => [id, fields]);
    await pushed(scene, writeGuests(scene, 'b.csv', range(0, GUESTS), 'Bea'));
    const runs = listIn<{ run: string }>((await scene.cli.run(['runs', '--json'])).out);
    const argv = ['runs', 'undo', runs[0]?.run ?? '', '--max-delete', '60', '--yes'];
    for (const [method, count] of [
      ['POST', 7],
      ['POST', 25],
      ['DELETE', 1],
      ['DELETE', 33],
    ] as const) {
      scene.killAt(method, count);
      await scene.untilKilled(argv);
    }
    const ended = await scene.cli.run([...argv, '--json']);
    expect(ended.code).toBe(0);
    const results = listIn<{ result: string }>(ended.out).map(({ result }) => result);
    expect([
      results.filter((one) => one === 'deleted').length,
      results.filter((one) => one === 'restored').length,
    ]).toEqual([60, 60]);
    expect(scene.sandbox.registrations().map(({ id, fields }) => [id, fields])).toEqual(before);
    expect((await scene.cli.run(argv)).err).toContain('everything is undone already');
  });
});
