import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { barcodes, visitors } from '../sync/push-bench.ts';
import { createCli } from '../support/cli.ts';
import { openTerminals, PRESS } from '../support/pseudo-terminal.ts';
import { PROGRAM, PROGRAM_WORDS } from '../support/program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const terminals = await openTerminals();
if (terminals === undefined)
  process.stderr.write('No pseudo-terminal here: questions are not tried at one.\n');

/**
 * Runs a command as a shell does, and says afterwards how it ended and what the terminal is like. It waits then: what a
 * pseudo-terminal has not been read of a little after its end is lost.
 */
const AFTERWARDS = 'trap : INT; "$@"; echo "code $?"; stty -a; echo over; read _';

/** The same with Ctrl-Z in between. */
const STOPPED = 'set -m; "$@"; echo; echo "at the shell"; fg; echo "code $?"; echo over; read _';

async function atShell(
  args: (directory: string) => string[],
  switches: Partial<Switches> = {},
  script = AFTERWARDS,
) {
  const directory = temporaryDirectory();
  let onPost = (): void => undefined;
  const sandbox = await startSandbox({
    file: ':memory:',
    switches: { limit: 0, ...switches },
    onRequest: ({ method }) => {
      if (method === 'POST') onPost();
    },
  });
  onTestFinished(() => sandbox.close());
  const cli = createCli(directory, { EVENTREG_BASE_URL: sandbox.baseUrl, EVENTREG_TOKEN: sandbox.token });
  writeFileSync(join(directory, 'a.csv'), visitors(...barcodes(300)));
  const posted = new Promise<void>((resolve) => (onPost = resolve));
  let output = '';
  const argv = ['-c', script, 'sh', PROGRAM, ...PROGRAM_WORDS, ...args(directory)];
  const run = terminals!.start('/bin/sh', argv, {
    // The shell has stty to find.
    env: { ...cli.env, PATH: process.env['PATH'] ?? '' },
    onOutput: (text) => (output += text),
  });
  onTestFinished(() => run.send(PRESS.enter));
  return { run, sandbox, posted, output: () => output };
}

const CURSOR = { hidden: '\u001B[?25l', shown: '\u001B[?25h' };

/** Lines are edited and echoed again, and Ctrl-C is a signal. */
const COOKED = /(?<!-)icanon[^]*(?<!-)echo /;

describe.skipIf(terminals === undefined || process.platform === 'win32')('the terminal is as it was', () => {
  const push = (directory: string): string[] => ['push', join(directory, 'a.csv')];

  test('after Ctrl-C at a question', async () => {
    const { run, sandbox } = await atShell(push);
    await run.until('y: yes');
    run.send(PRESS.interrupt);
    const shown = (await run.until('over')).join('\n');
    expect(shown).toMatch(/Send\?\nStopped\.[^]*\neventreg: Interrupted\.\ncode 130\n/);
    expect(shown).toMatch(COOKED);
    expect(sandbox.registrations()).toEqual([]);
  });

  test('after Ctrl-C while it works, which stops it as ever; keys leave nothing on the screen', async () => {
    const { run, sandbox, posted } = await atShell(push, { latencyMs: 50 });
    await run.until('y: yes');
    run.send('y');
    await posted;
    run.send('qqqq\r\rqqqq');
    run.send(PRESS.interrupt);
    const shown = (await run.until('over')).join('\n');
    expect(shown).toMatch(/code 130/);
    expect(shown).toMatch(COOKED);
    expect(shown).not.toContain('qq');
    expect(sandbox.registrations().length).toBeLessThan(300);
  });

  test.each([
    ['that it reads as keys', []],
    ['that is a signal', ['--yes']],
  ])('while it is stopped by Ctrl-Z %s; then it goes on', async (_how, flags) => {
    const args = (directory: string): string[] => [...push(directory), ...flags];
    const { run, sandbox, posted, output } = await atShell(args, { latencyMs: 50 }, STOPPED);
    if (flags.length === 0) {
      await run.until('y: yes');
      run.send('y');
    }
    await posted;
    await run.until('Sending');
    run.send(PRESS.suspend);
    await run.until('at the shell');
    const before = output().slice(0, output().indexOf('at the shell'));
    expect(before.lastIndexOf(CURSOR.hidden)).toBeGreaterThan(-1);
    expect(before.lastIndexOf(CURSOR.shown)).toBeGreaterThan(before.lastIndexOf(CURSOR.hidden));
    expect((await run.until('over')).join('\n')).toContain('code 0');
    expect(sandbox.registrations()).toHaveLength(300);
  });

  test('after an answer', async () => {
    const { run, sandbox } = await atShell(push);
    await run.until('y: yes');
    run.send('n');
    const shown = (await run.until('over')).join('\n');
    expect(shown).toMatch(/Send\? · No/);
    expect(shown).toMatch(/code 7/);
    expect(shown).toMatch(COOKED);
    expect(sandbox.registrations()).toEqual([]);
  });
});

describe.skipIf(terminals === undefined)('a question at a terminal without abilities', () => {
  test('is answered by a line', async () => {
    const directory = temporaryDirectory();
    const cli = createCli(directory);
    const run = terminals!.eventreg(['sandbox', 'reset'], {
      env: { ...cli.env, TERM: 'dumb' },
      columns: 300,
    });
    await run.until('(y/N)');
    run.send('\n');
    expect((await run.ended).code).toBe(7);
    expect((await run.lines()).join('\n')).not.toContain('\u001B');
  });
});
