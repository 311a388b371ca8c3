import { accessSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { until } from '../commands/webhooks/listen-bench.ts';
import { barcodes, visitors } from '../sync/push-bench.ts';
import { createCli } from '../support/cli.ts';
import { processRuns } from '../support/process-runs.ts';
import { PROGRAM, PROGRAM_WORDS } from '../support/program.ts';
import { openTerminals, type TerminalRun } from '../support/pseudo-terminal.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const EVENTREG = [PROGRAM, ...PROGRAM_WORDS];
const terminals = await openTerminals();
/** What people work in; each passes SIGHUP on in its own way, and the kernel sends it once more. */
const SHELLS = [
  ['/bin/bash', '--norc', '-i'],
  ['/bin/zsh', '-f', '-i'],
].filter(([file = '']) => isThere(file));

function isThere(file: string): boolean {
  try {
    accessSync(file);
    return true;
  } catch {
    return false;
  }
}

/** Types a command into a shell, and resolves with the process that it becomes. */
async function type(run: TerminalRun, words: readonly string[]): Promise<number> {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  run.send(`sh -c 'echo "pid=$$"; exec "$0" "$@"' ${quoted}\r`);
  const lines = await run.until(/pid=\d+/);
  return Number(/pid=(\d+)/.exec(lines.join('\n'))?.[1]);
}

/** A service so slow that all signals have come before what is under way is answered, and a shell at a terminal. */
async function atShell([file = '', ...flags]: readonly string[], onRequest: (method: string) => void) {
  const sandbox = await startSandbox({
    file: ':memory:',
    switches: { limit: 0, latencyMs: 150 },
    onRequest: ({ method }) => onRequest(method),
  });
  onTestFinished(() => sandbox.close());
  const directory = temporaryDirectory();
  const cli = createCli(directory, {
    EVENTREG_BASE_URL: sandbox.baseUrl,
    EVENTREG_INTEG_URL: sandbox.integUrl,
    EVENTREG_TOKEN: sandbox.token,
  });
  const env = { ...cli.env, PATH: process.env['PATH'] ?? '' };
  return { sandbox, cli, directory, run: terminals!.start(file, flags, { env, columns: 200 }) };
}

describe.skipIf(terminals === undefined || SHELLS.length === 0)('a window that is closed', () => {
  test.each(SHELLS)('with %s while a listen runs leaves no webhook', async (...shell) => {
    let isClosed = false;
    const { sandbox, run } = await atShell(shell, () => {
      // Whether those of shell and kernel come as one is the kernel's affair: here is one more, while it is deleting.
      if (isClosed) process.kill(pid, 'SIGHUP');
    });
    const pid = await type(run, [...EVENTREG, 'webhooks', 'listen', '--port', '0']);
    await run.until('Listening until');
    expect(sandbox.counts().webhooks).toBe(1);
    isClosed = true;
    run.hangUp();
    await until(() => !processRuns(pid));
    expect(sandbox.counts().webhooks).toBe(0);
  });

  test.each(SHELLS)('with %s while a push sends leaves nothing in doubt', async (...shell) => {
    let onSent = (): void => undefined;
    const sent = new Promise<void>((resolve) => (onSent = resolve));
    let posts = 0;
    const { cli, directory, run } = await atShell(shell, (method) => {
      if (method === 'POST' && (posts += 1) === 12) onSent();
    });
    const file = join(directory, 'a.csv');
    writeFileSync(file, visitors(...barcodes(300)));
    const pid = await type(run, [...EVENTREG, 'push', file]);
    await run.until('y: yes');
    run.send('y');
    await sent;
    run.hangUp();
    await until(() => !processRuns(pid));
    const resumed = await cli.run(['push', file, '--dry-run', '--json']);
    expect(JSON.parse(resumed.out)).toMatchObject({ uncertain: 0 });
    const { runs } = JSON.parse((await cli.run(['runs', '--json'])).out) as { runs: object[] };
    expect(runs).toMatchObject([{ state: 'interrupted', uncertain: 0 }]);
  });
});
