import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type Cli, createCli, type RunningCli } from '../support/cli.ts';
import { casesOf, IS_NIGHT } from '../support/night.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Groups of ten, and half of all are a whole number of them. */
const ROWS = IS_NIGHT ? 1000 : 400;

/** Visitors in groups of ten; the leader of each group comes after its members. */
function writeAttendees(file: string, { barcodes }: { barcodes: boolean }): void {
  const lines = Array.from({ length: ROWS }, (_, at) => {
    const leader = Math.floor(at / 10) * 10 + 9;
    const codes = barcodes ? `T-${at},${at === leader ? '' : `T-${leader}`}` : ',';
    return `visitor,${codes},Given${at},Family,guest${at}@example.com`;
  });
  writeFileSync(file, ['persona,barcode,parent_barcode,First name,Last name,E-mail', ...lines].join('\n'));
}

async function setUp(
  switches: Partial<Switches>,
  onPost: (posts: number) => void,
): Promise<{ sandbox: Sandbox; cli: Cli; file: string }> {
  const directory = temporaryDirectory();
  let posts = 0;
  const sandbox = await startSandbox({
    file: ':memory:',
    switches: { limit: 0, ...switches },
    onRequest({ method }) {
      if (method === 'POST') onPost((posts += 1));
    },
  });
  onTestFinished(() => sandbox.close());
  const cli = createCli(directory, { EVENTREG_BASE_URL: sandbox.baseUrl, EVENTREG_TOKEN: sandbox.token });
  writeProfile(cli, sandbox);
  return { sandbox, cli, file: join(directory, 'attendees.csv') };
}

/** The sandbox answers or does not: nothing lands late, so uncertain rows need not be waited for. */
function writeProfile(cli: Cli, sandbox: Sandbox): void {
  const config = cli.env['EVENTREG_CONFIG_DIR'] ?? '';
  mkdirSync(config, { recursive: true });
  const profiles = { default: { baseUrl: sandbox.baseUrl, settleSeconds: 0 } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify({ current: 'default', profiles }));
}

function timesEach(sandbox: Sandbox): Map<string, number> {
  const times = new Map<string, number>();
  for (const { fields } of sandbox.registrations()) {
    const name = String(fields['first_name']);
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  return times;
}

describe('a push of many rows that is stopped half-way', () => {
  for (const signal of casesOf(['SIGINT', 'SIGHUP', 'SIGKILL', 'SIGTERM'] as const, 2)) {
    test(`by ${signal} goes on with the same command, and every row is there once`, async () => {
      let running: RunningCli | undefined;
      // A window that is closed sends several, and a supervisor repeats itself: only a second Ctrl-C means now.
      const times = signal === 'SIGHUP' || signal === 'SIGTERM' ? 3 : 1;
      const { sandbox, cli, file } = await setUp({ upsert: 'double', latencyMs: 5 }, (posts) => {
        if (posts >= ROWS / 2 && posts < ROWS / 2 + times) running?.child.kill(signal);
      });
      writeAttendees(file, { barcodes: true });
      running = cli.start(['push', file, '--json']);
      const stopped = await running.done;
      const before = sandbox.counts().registrations;
      expect(before).toBeGreaterThanOrEqual(ROWS / 2);
      expect(before).toBeLessThan(ROWS);
      if (signal !== 'SIGKILL') {
        expect(stopped.code).toBe(130);
        expect(JSON.parse(stopped.out)).toMatchObject({ state: 'interrupted', sent: before, uncertain: 0 });
        expect(stopped.err).toContain('run the same command again, nothing is sent twice');
      } else {
        expect(stopped.code).toBeUndefined();
        expect((await cli.run(['runs'])).out).toContain('killed');
      }

      const resumed = await cli.run(['push', file, '--json']);
      expect(resumed.code).toBe(0);
      expect(JSON.parse(resumed.out)).toMatchObject({
        state: 'finished',
        failed: 0,
        uncertain: 0,
        pending: 0,
      });
      const each = timesEach(sandbox);
      expect([each.size, Math.max(...each.values())]).toEqual([ROWS, 1]);
    });
  }

  test('by SIGKILL goes on in a job that has its state elsewhere', async () => {
    let running: RunningCli | undefined;
    const { sandbox, cli, file } = await setUp({}, (posts) => {
      if (posts === ROWS / 2) running?.child.kill('SIGKILL');
    });
    writeAttendees(file, { barcodes: true });
    running = cli.start(['push', file]);
    await running.done;
    const kept = cli.env['EVENTREG_STATE_DIR'] ?? '';
    cpSync(kept, `${kept}-elsewhere`, { recursive: true });
    rmSync(kept, { recursive: true });
    cli.env['EVENTREG_STATE_DIR'] = `${kept}-elsewhere`;

    const resumed = await cli.run(['push', file, '--json']);
    expect(resumed.code).toBe(0);
    const times = timesEach(sandbox);
    expect([times.size, Math.max(...times.values())]).toEqual([ROWS, 1]);
    const posts = sandbox.requests().filter(({ method }) => method === 'POST').length;
    expect(JSON.parse((await cli.run(['push', file, '--json'])).out)).toMatchObject({ sent: 0 });
    expect(sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(posts);
  });
});
