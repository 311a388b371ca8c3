import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { makeHome } from '../crash/home.ts';
import { type PushProcess, startProgram } from '../crash/push-process.ts';
import { openTeam, WITHOUT } from '../state/state-bench.ts';
import { IS_NIGHT } from '../support/night.ts';
import { type Cluster, type Standby, startCluster } from '../support/postgres.ts';
import { startRelay } from '../support/tcp-relay.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const GUESTS = 60;

let cluster: Cluster;
beforeEach(async () => void (cluster = await startCluster()));
afterEach(() => cluster.stop());

/** A service, a space, and machines that come to its database by an address that can lead to the standby. */
async function openFair() {
  const sandbox = await startSandbox({ file: ':memory:', switches: { limit: 0, latencyMs: 30 } });
  onTestFinished(() => sandbox.close());
  const url = cluster.url();
  const { key } = await openTeam(url);
  const way = await startRelay(cluster.port);
  onTestFinished(() => way.close());
  const directory = temporaryDirectory();
  const home = { ...makeHome(directory, sandbox, 0), EVENTREG_STATE_KEY: key };
  const run = (machine: string, ...argv: string[]): PushProcess =>
    startProgram(argv, {
      ...home,
      EVENTREG_STATE: cluster.latestUrl(way.port),
      EVENTREG_STATE_DIR: join(directory, machine),
    });
  const push = (machine: string, guests: number): PushProcess => {
    const list = join(directory, 'guests.csv');
    const rows = Array.from(
      { length: guests },
      (_, at) => `visitor,B-${at},Given${at},Family,g${at}@example.com`,
    );
    writeFileSync(list, ['persona,barcode,First name,Last name,E-mail', ...rows, ''].join('\n'));
    return run(machine, 'push', list, '--yes', '--concurrency', '2');
  };
  const standby = await cluster.startStandby();
  await standby.hasFollowed();
  return { sandbox, way, standby, run, push };
}

type Fair = Awaited<ReturnType<typeof openFair>>;

/** The server is gone, and the standby, which has not heard of all, has its address. */
async function failOver(standby: Standby, way: Fair['way']): Promise<void> {
  way.refuse();
  await cluster.kill();
  await standby.promote();
  way.turnTo(standby.port);
  way.resume();
}

/** Everybody is there once, and nobody was sent twice. */
function expectAll({ sandbox }: Fair): void {
  const barcodes = sandbox.registrations().map(({ barcode }) => barcode);
  const posts = sandbox.requests().filter(({ method }) => method === 'POST');
  expect([barcodes.length, new Set(barcodes).size, posts.length]).toEqual([GUESTS, GUESTS, GUESTS]);
}

describe.skipIf(WITHOUT !== undefined || !IS_NIGHT)('where a standby that lags takes over', () => {
  test('who knows more than it is refused before anything is sent, and brings it along', async () => {
    const fair = await openFair();
    const { sandbox, way, standby, run, push } = fair;
    expect(await push('a', 20).done).toMatchObject({ code: 0 });
    await standby.hasFollowed();
    standby.cutOff();
    expect(await push('a', 40).done).toMatchObject({ code: 0 });
    await failOver(standby, way);
    const asked = sandbox.requests().length;
    const { code, err } = await push('a', GUESTS).done;
    expect([code, err]).toEqual([1, expect.stringMatching(/has gone back.*`eventreg state` says how/s)]);
    expect(sandbox.requests().length).toBe(asked);
    expect((await run('a', 'state').done).out).toMatch(/is missing there.*`eventreg state move`/s);
    expect(await run('a', 'state', 'move', '--yes').done).toMatchObject({ code: 0 });
    expect(await push('b', GUESTS).done).toMatchObject({ code: 0 });
    expectAll(fair);
  });

  test('who is at work goes on by itself, and the next one knows all', async () => {
    const fair = await openFair();
    const { sandbox, way, standby, push } = fair;
    const sent = (): number => sandbox.requests().filter(({ method }) => method === 'POST').length;
    const pushing = push('a', GUESTS);
    await expect.poll(sent, { timeout: 30_000 }).toBeGreaterThan(5);
    await standby.hasFollowed();
    standby.cutOff();
    const known = sent();
    await expect.poll(sent, { timeout: 30_000 }).toBeGreaterThan(known + 5);
    await failOver(standby, way);
    expect(await pushing.done).toMatchObject({ code: 0 });
    expectAll(fair);
    expect(await push('b', GUESTS).done).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('doubt'),
    });
    expectAll(fair);
  });
});
