import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { parseSwitches } from '../../src/sandbox/store/switches.ts';
import { ReceivedStore } from '../../src/webhooks/deliveries/received-store.ts';
import { deliver, until } from '../commands/webhooks/listen-bench.ts';
import { random } from '../model/random.ts';
import { type Cli, createCli } from '../support/cli.ts';
import { processRuns } from '../support/process-runs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** So many kills by day; 200 of listens and 20 among 5,000 deliveries at night. */
const KILLS = Number(process.env['EVENTREG_LISTEN_KILLS'] ?? 4);
const DELIVERIES = KILLS * 25;

async function machine(
  switches: readonly string[] = [],
): Promise<{ cli: Cli; sandbox: Sandbox; state: string }> {
  const directory = temporaryDirectory();
  const sandbox = await startSandbox({
    file: join(directory, 'service.sqlite'),
    switches: { limit: 0, ...parseSwitches(switches) },
  });
  onTestFinished(() => sandbox.close());
  const cli = createCli(directory, {
    EVENTREG_BASE_URL: sandbox.baseUrl,
    EVENTREG_INTEG_URL: sandbox.integUrl,
    EVENTREG_TOKEN: sandbox.token,
  });
  return { cli, sandbox, state: cli.env['EVENTREG_STATE_DIR'] ?? '' };
}

/** Resolves with the address when it is ready. */
function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stdout?.on('data', (part: string) => {
      text += part;
      const [, url] = /"type":"ready".*?"url":"([^"]+)"/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

const LISTEN = ['webhooks', 'listen', '--port', '0', '--json'];

describe('listens that are killed', () => {
  test(`${KILLS} times at any moment leave nothing that --cleanup does not find, and touch nobody else's`, async () => {
    const shapes = [[], ['webhookAnswer=empty'], ['webhookUpdate=absent'], ['deleteStatus=204']];
    const choose = random(Date.now());
    for (const shape of shapes) {
      const { cli, sandbox } = await machine(shape);
      const hook = ['--url', 'https://other.example/in', '--trigger', 'registration.updated'];
      await cli.run(['webhooks', 'create', ...hook, '--name', 'eventreg listen']);
      for (let kill = 0; kill < KILLS / shapes.length; kill += 1) {
        const { child, done } = cli.start(LISTEN);
        // From before the first request to long after the last.
        await new Promise((resolve) => setTimeout(resolve, 300 + choose.below(900)));
        child.kill('SIGKILL');
        await done;
      }
      const left = sandbox.counts().webhooks - 1;
      const { code, out } = await cli.run(['webhooks', 'listen', '--cleanup', '--json']);
      const results = (JSON.parse(out) as { results: { result: string }[] }).results;
      expect([shape, code, results.filter(({ result }) => result === 'deleted').length]).toEqual([
        shape,
        0,
        left,
      ]);
      expect([shape, sandbox.counts().webhooks]).toEqual([shape, 1]);
    }
  });

  test(`among ${DELIVERIES} deliveries have every one on the disk that was answered`, async () => {
    const { cli, state } = await machine();
    const answered = new Set<string>();
    let sent = 0;
    for (let kill = 0; kill < Math.max(1, KILLS / 10); kill += 1) {
      const { child, done } = cli.start(LISTEN);
      const url = await addressOf(child);
      const lane = async (): Promise<void> => {
        while (child.exitCode === null && child.signalCode === null) {
          sent += 1;
          const body = `{"n":${sent}}`;
          const answer = await deliver(url, body).catch(() => undefined);
          if (answer?.status === 200) answered.add(body);
        }
      };
      const lanes = Promise.all(Array.from({ length: 16 }, lane));
      const goal = (DELIVERIES * (kill + 1)) / Math.max(1, KILLS / 10);
      while (answered.size < goal) await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await Promise.all([done, lanes]);
    }
    const store = new ReceivedStore(state, Date.now());
    onTestFinished(() => store.close());
    const stored = new Set(store.last(10_000).map(({ no }) => Buffer.from(store.body(no) ?? []).toString()));
    expect(answered.size).toBeGreaterThanOrEqual(DELIVERIES);
    expect([...answered].filter((body) => !stored.has(body))).toEqual([]);
  });

  test('by Ctrl-C delete their webhook', async () => {
    const { cli, sandbox } = await machine();
    for (let stop = 0; stop < Math.max(2, KILLS / 2); stop += 1) {
      const { child, done } = cli.start(LISTEN);
      await addressOf(child);
      child.kill('SIGINT');
      expect([(await done).code, sandbox.counts().webhooks]).toEqual([0, 0]);
    }
  });

  test('take the command of their tunnel along', async () => {
    const { cli, state } = await machine();
    const script = join(import.meta.dirname, '../webhooks/receive/fake-tunnel.js');
    const log = join(state, '..', 'tunnel.log');
    // Where the program has no PATH, its shell has none to find `tee` by.
    const path = `PATH='${process.env['PATH'] ?? ''}'`;
    const command = `${path}; exec "${process.execPath}" "${script}" {url} | tee "${log}"`;
    const { child, done } = cli.start([...LISTEN, '--tunnel', command]);
    await addressOf(child);
    await until(() => readFileSync(log, 'utf8').includes('pid '));
    const pid = Number(/pid (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
    expect(processRuns(pid)).toBe(true);
    child.kill('SIGKILL');
    await done;
    await until(() => !processRuns(pid));
  });
});
