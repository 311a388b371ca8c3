// What is to be shown of an executable only, which BIN names. What it has in common with the build for Node.js, the
// other tests show, with the same variable: `npm run release && npm run test:executable`.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { createCli, type RunningCli } from '../support/cli.ts';
import { NODE_BUILD } from '../support/program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROWS = 480;
const KILLS = 5;

const { BIN = '' } = process.env;

function guests(): string {
  const lines = Array.from({ length: ROWS }, (_, at) => `visitor,T-${at},Given${at},guest${at}@example.com`);
  return ['persona,barcode,First name,E-mail', ...lines].join('\n');
}

describe.skipIf(BIN === '')('an executable', () => {
  test.each([
    ['the build for Node.js', 'the executable', [NODE_BUILD, [BIN]] as const],
    ['the executable', 'the build for Node.js', [[BIN], NODE_BUILD] as const],
  ])(
    'goes on with the journal of the other: killed in %s, in %s, and so on',
    async (_one, _other, builds) => {
      const directory = temporaryDirectory();
      let running: RunningCli | undefined;
      let posts = 0;
      const sandbox = await startSandbox({
        file: ':memory:',
        switches: { limit: 0, upsert: 'double' },
        onRequest({ method }) {
          if (method === 'POST' && (posts += 1) % (ROWS / (KILLS + 1)) === 0) running?.child.kill('SIGKILL');
        },
      });
      onTestFinished(() => sandbox.close());
      const cli = createCli(directory, { EVENTREG_TOKEN: sandbox.token });
      mkdirSync(cli.env['EVENTREG_CONFIG_DIR'] ?? '');
      // The sandbox answers or does not: nothing lands late.
      const profiles = { default: { baseUrl: sandbox.baseUrl, settleSeconds: 0 } };
      writeFileSync(
        join(cli.env['EVENTREG_CONFIG_DIR'] ?? '', 'profiles.json'),
        JSON.stringify({ current: 'default', profiles }),
      );
      const file = join(directory, 'guests.csv');
      writeFileSync(file, guests());
      const push = async (turn: number) => {
        running = cli.start(['push', file, '--json'], { program: builds[turn % 2] ?? NODE_BUILD });
        return await running.done;
      };

      let killed = 0;
      let ended = await push(0);
      for (; ended.code === undefined; ended = await push(killed)) killed += 1;
      expect(killed).toBeGreaterThanOrEqual(KILLS - 1);
      expect(ended.code).toBe(0);
      const names = sandbox.registrations().map(({ fields }) => fields['first_name']);
      expect([names.length, new Set(names).size]).toEqual([ROWS, ROWS]);

      for (const turn of [0, 1]) expect(JSON.parse((await push(turn)).out)).toMatchObject({ sent: 0 });
    },
  );

  test('needs neither an environment nor a plain name of its folder', async () => {
    const directory = join(temporaryDirectory(), 'Gäste & Listen');
    mkdirSync(directory);
    const program = join(directory, 'eventreg');
    copyFileSync(BIN, program);
    const run = promisify(execFile);
    expect((await run(program, ['--version'], { cwd: directory, env: {} })).stdout).toBe(
      `${manifest.version}\n`,
    );
    const env = { EVENTREG_STATE_DIR: directory, EVENTREG_CONFIG_DIR: directory };
    await run(program, ['sandbox', 'sample', 'Gäste.xlsx'], { cwd: directory, env });
    const { stdout } = await run(program, ['push', 'Gäste.xlsx', '--sandbox', '--json'], {
      cwd: directory,
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject({ state: 'finished', sent: 40 });
  });
});
