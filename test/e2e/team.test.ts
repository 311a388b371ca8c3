import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { makeKey } from '../../src/settings/state-address.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { makeHome } from '../crash/home.ts';
import { type PushProcess, startProgram } from '../crash/push-process.ts';
import { openTeam, useCluster, WITHOUT } from '../state/state-bench.ts';
import { IS_NIGHT } from '../support/night.ts';
import { startRelay } from '../support/tcp-relay.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const cluster = useCluster();
/** Each night more often. */
const TIMES = Array.from({ length: IS_NIGHT ? 20 : 1 }, (_, at) => at + 1);
const GUESTS = 60;

/** A service, a list of guests, and machines that share their state. */
async function openFair(
  way: (url: string) => string = (url) => url,
  switches: Partial<Switches> = { limit: 0, latencyMs: 30 },
) {
  const sandbox = await startSandbox({ file: ':memory:', switches });
  onTestFinished(() => sandbox.close());
  const url = cluster().url();
  const { key } = await openTeam(url);
  const directory = temporaryDirectory();
  const list = join(directory, 'guests.csv');
  const rows = Array.from(
    { length: GUESTS },
    (_, at) => `visitor,B-${at},Given${at},Family,g${at}@example.com`,
  );
  writeFileSync(list, ['persona,barcode,First name,Last name,E-mail', ...rows, ''].join('\n'));
  const home = { ...makeHome(directory, sandbox, 0), EVENTREG_STATE_KEY: key };
  const push = (machine: string, ...flags: string[]): PushProcess =>
    startProgram(['push', list, '--yes', '--concurrency', '2', ...flags], {
      ...home,
      EVENTREG_STATE: way(url),
      EVENTREG_STATE_DIR: join(directory, machine),
    });
  return { sandbox, push };
}

const sent = (sandbox: Sandbox): number =>
  sandbox.requests().filter(({ method }) => method === 'POST').length;

const moment = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Everybody is there once; `further`: requests that may have been sent again. */
function expectAll(sandbox: Sandbox, further = 0): void {
  const barcodes = sandbox.registrations().map(({ barcode }) => barcode);
  expect([barcodes.length, new Set(barcodes).size]).toEqual([GUESTS, GUESTS]);
  expect(sent(sandbox) - GUESTS).toBeLessThanOrEqual(further);
}

describe.skipIf(WITHOUT !== undefined)('machines that share their state', () => {
  test.each(TIMES)('two that push at once: one waits, nobody is sent twice (%i)', async () => {
    const { sandbox, push } = await openFair();
    const ends = await Promise.all([push('a').done, push('b').done]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(ends.filter(({ err }) => err.includes('Waiting: '))).toHaveLength(1);
    expectAll(sandbox);
  });

  test.each(TIMES)('one that was stopped, taken over and woken sends nothing more (%i)', async () => {
    const { sandbox, push } = await openFair();
    const asleep = push('a');
    await expect.poll(() => sent(sandbox), { timeout: 30_000 }).toBeGreaterThan(5);
    asleep.child.kill('SIGSTOP');
    await moment(200);
    // At night its turn runs out; by day it is ended under its hands.
    if (!IS_NIGHT) cluster().sql('UPDATE eventreg.space SET until = NULL');
    expect(await push('b').done).toMatchObject({ code: 0 });
    const before = sandbox.requests().length;
    asleep.child.kill('SIGCONT');
    const { code, err } = await asleep.done;
    // What the others know of already goes out where no time has passed, and is of rows that were to be sent.
    const further = sandbox.requests().length - before;
    expect([code, further <= (IS_NIGHT ? 0 : 4)]).toEqual([1, true]);
    expect(err).toMatch(
      /The turn in the space "default" has ended: \S+ took it. Nothing more is sent from here/,
    );
    expectAll(sandbox, further);
  });

  test('a partition stops the sending at once; it goes on by itself', async () => {
    const relay = await startRelay(cluster().port);
    onTestFinished(() => relay.close());
    const { sandbox, push } = await openFair((url) => url.replace(/:\d+\//, `:${relay.port}/`));
    const pushing = push('a');
    await expect.poll(() => sent(sandbox), { timeout: 30_000 }).toBeGreaterThan(5);
    relay.stall();
    await moment(300);
    const stopped = sandbox.requests().length;
    await moment(1000);
    expect(sandbox.requests().length).toBe(stopped);
    relay.resume();
    expect(await pushing.done).toMatchObject({ code: 0 });
    expectAll(sandbox);
  });

  test('what one has learnt of the limit the next one knows: it does not even ask', async () => {
    const { sandbox, push } = await openFair(undefined, {
      limit: 20,
      windowMs: 600_000,
      pastLimit: '429-retry-after',
      rateHeaders: 'never',
    });
    expect(await push('a', '--max-wait', '20s').done).toMatchObject({ code: 6 });
    const asked = sandbox.requests().length;
    expect(asked).toBeGreaterThan(20);
    expect(await push('b', '--max-wait', '20s').done).toMatchObject({ code: 6 });
    expect(sandbox.requests().length).toBe(asked);
  });
});

test.skipIf(process.env['BIN'])(
  'the driver of PostgreSQL is loaded only where something is shared',
  async () => {
    const directory = temporaryDirectory();
    const watch = join(directory, 'watch.cjs');
    writeFileSync(
      watch,
      `process.on('exit', () => {
      const isLoaded = Object.keys(require.cache).some((file) => /node_modules.pg\\W/.test(file));
      require('node:fs').writeSync(2, isLoaded ? 'with pg' : 'without pg');
    });`,
    );
    const sandbox = await startSandbox({ file: ':memory:' });
    onTestFinished(() => sandbox.close());
    const home = { ...makeHome(directory, sandbox, 0), NODE_OPTIONS: `--require ${watch}` };
    expect(await startProgram(['runs'], home).done).toMatchObject({ code: 0, err: 'without pg' });
    const shared = { EVENTREG_STATE: 'postgres://127.0.0.1:1/x', EVENTREG_STATE_KEY: makeKey() };
    const { code, err } = await startProgram(['runs'], { ...home, ...shared }).done;
    expect([code, err]).toEqual([1, expect.stringMatching(/cannot be reached.*with pg$/s)]);
  },
);
