import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Cli, createCli } from '../support/cli.ts';
import { faultyService } from '../support/faulty-service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { readDocument } from '../support/documents.ts';

const ROWS = 12;
const PROCESSES = 6;

/** A service that takes registrations but holds its answers back until it is told to let them go. */
interface Scene {
  sandbox: Sandbox;
  cli: Cli;
  file: string;
  /** Resolves when the first registration has been taken. */
  taken: Promise<void>;
  letGo: () => void;
}

async function setUp(): Promise<Scene> {
  const directory = temporaryDirectory();
  const file = join(directory, 'guests.csv');
  const lines = Array.from({ length: ROWS }, (_, at) => `visitor,S-${at},Given${at},guest${at}@example.com`);
  writeFileSync(file, ['persona,barcode,First name,E-mail', ...lines].join('\n'));
  const sandbox = await startSandbox({ file: ':memory:', switches: { limit: 0, upsert: 'double' } });
  onTestFinished(() => sandbox.close());
  const service = await faultyService(sandbox.url);
  onTestFinished(service.close);
  const taken = signal();
  const released = signal();
  service.fault = async ({ method, path, body }) => {
    if (method !== 'POST') return undefined;
    const answer = await postOn(sandbox, path, body);
    taken.give();
    await released.given;
    return { answer };
  };
  const baseUrl = sandbox.baseUrl.replace(sandbox.url, service.url);
  const cli = createCli(directory, { EVENTREG_BASE_URL: baseUrl, EVENTREG_TOKEN: sandbox.token });
  writeProfile(cli, baseUrl);
  return { sandbox, cli, file, taken: taken.given, letGo: released.give };
}

function signal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

async function postOn({ url, token }: Sandbox, path: string, body: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body });
  return {
    status: response.status,
    body: await response.text(),
    headers: { 'content-type': 'application/json' },
  };
}

/** What is answered late has been taken at once: nothing lands late, so uncertain rows need not be waited for. */
function writeProfile({ env }: Cli, baseUrl: string): void {
  const config = env['EVENTREG_CONFIG_DIR'] ?? '';
  mkdirSync(config, { recursive: true });
  const profiles = { default: { baseUrl, settleSeconds: 0 } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify({ current: 'default', profiles }));
}

function expectEachRowOnce({ sandbox }: Scene): void {
  const barcodes = sandbox.registrations().map(({ barcode }) => barcode);
  expect(barcodes.sort()).toEqual(Array.from({ length: ROWS }, (_, at) => `S-${at}`).sort());
}

test('of the same push in several processes one sends, and the others say who does', async () => {
  const scene = await setUp();
  const pushes = Array.from({ length: PROCESSES }, () => scene.cli.start(['push', scene.file]));
  const ends: { pid: number | undefined; code: number | undefined; err: string }[] = [];
  const all = pushes.map(async ({ child, done }) => {
    const { code, err } = await done;
    ends.push({ pid: child.pid, code, err });
    // The one that sends waits for its answers until all others have given up.
    if (ends.length === PROCESSES - 1) scene.letGo();
  });
  await Promise.all(all);

  const winner = ends.at(-1);
  expect(winner).toMatchObject({ code: 0 });
  for (const { code, err } of ends.slice(0, -1)) {
    expect(code).toBe(7);
    expect(err).toContain(`process ${winner?.pid} on ${hostname()}`);
  }
  expectEachRowOnce(scene);
});

describe('a push whose process was killed', () => {
  test('is taken over at once by the next', async () => {
    const scene = await setUp();
    const first = scene.cli.start(['push', scene.file]);
    await scene.taken;
    first.child.kill('SIGKILL');
    expect((await first.done).code).toBeUndefined();
    scene.letGo();
    expect(await scene.cli.run(['push', scene.file])).toMatchObject({ code: 0 });
    expectEachRowOnce(scene);
  });

  test('is taken over also when another process that lives has its number by now', async () => {
    const scene = await setUp();
    const first = scene.cli.start(['push', scene.file]);
    await scene.taken;
    first.child.kill('SIGKILL');
    await first.done;
    scene.letGo();
    // As if the system had given the dead process's number to this one.
    const journal = new DatabaseSync(join(scene.cli.env['EVENTREG_STATE_DIR'] ?? '', 'journal.sqlite'));
    const { changes } = journal
      .prepare(`UPDATE run SET holder = json_set(holder, '$.pid', ?) WHERE holder IS NOT NULL`)
      .run(process.pid);
    journal.close();
    expect(changes).toBe(1);
    expect(await scene.cli.run(['push', scene.file])).toMatchObject({ code: 0 });
    expectEachRowOnce(scene);
  });

  test('by a push that lives is not taken over', async () => {
    const scene = await setUp();
    const first = scene.cli.start(['push', scene.file]);
    await scene.taken;
    const second = await scene.cli.run(['push', scene.file, '--json']);
    expect([second.code, readDocument(second.out).stopped_by]).toEqual([7, 'busy']);
    expect(second.err).toContain(`process ${first.child.pid} on ${hostname()}`);
    scene.letGo();
    expect((await first.done).code).toBe(0);
    expectEachRowOnce(scene);
  });
});
