import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCli } from '../support/cli.ts';
import { PROGRAM, PROGRAM_WORDS } from '../support/program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe.runIf(process.platform !== 'win32')('an input', () => {
  test('that is a pipe nobody writes to does not hold a push after Ctrl-C', async () => {
    const directory = temporaryDirectory();
    const pipe = join(directory, 'attendees.csv');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const { child, done } = createCli(directory).start(['push', pipe, '--sandbox']);
    child.stderr?.on('data', (text: string) => {
      if (text.includes('Looking through')) child.kill('SIGINT');
    });
    expect(await done).toMatchObject({ code: 130, err: expect.stringContaining('eventreg: Interrupted.') });
  });
});

describe.runIf(existsSync('/dev/full'))('an output', () => {
  test('that cannot be written is told in one line, and is a failure', async () => {
    const cli = createCli(temporaryDirectory());
    for (const args of [['event', '--sandbox', '--json'], ['--help']]) {
      const full = openSync('/dev/full', 'w');
      const child = spawn(PROGRAM, [...PROGRAM_WORDS, ...args], {
        env: cli.env,
        stdio: ['ignore', full, 'pipe'],
      });
      let err = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
      const code = await new Promise((resolve) => child.on('close', resolve));
      closeSync(full);
      expect(code).toBe(1);
      expect(err).toContain('eventreg: The output cannot be written: ENOSPC');
      expect(err).not.toContain('    at ');
    }
  });
});
