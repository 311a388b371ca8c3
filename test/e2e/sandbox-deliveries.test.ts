import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { receive, type Received } from '../sandbox/deliver/receiver.ts';
import { visitors } from '../sync/push-bench.ts';
import { createCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const GUESTS = Array.from({ length: 12 }, (_none, at) => `B${at}:Guest${at}`);

const idOf = ({ headers }: Received): string => String(headers['webhook-id']);

test('of a push and a sandbox beside it one calls each webhook', async () => {
  const directory = temporaryDirectory();
  const cli = createCli(directory);
  let all = (): void => undefined;
  const told = new Promise<void>((resolve) => (all = resolve));
  const receiver = await receive((response, nth) => {
    response.end();
    if (nth === GUESTS.length) all();
  });
  writeFileSync(join(directory, 'guests.csv'), visitors(...GUESTS));
  const words = ['webhooks', 'create', '--url', receiver.url, '--trigger', 'registration.updated'];
  const created = await cli.run([...words, '--sandbox', '--secret-stdin'], { stdin: SECRET });
  expect(created.code).toBe(0);
  const beside = cli.start(['sandbox', '--port', '0']);
  await new Promise((resolve) => beside.child.stdout?.once('data', resolve));
  const pushed = await cli.run(['push', 'guests.csv', '--sandbox', '--json'], { cwd: directory });
  expect(pushed.code).toBe(0);
  await told;
  beside.child.kill('SIGINT');
  expect((await beside.done).code).toBe(0);
  const ids = receiver.received.map(idOf);
  expect([ids.length, new Set(ids).size]).toEqual([GUESTS.length, GUESTS.length]);
  for (const { raw, headers } of receiver.received) {
    expect(new Webhook(SECRET).verify(raw, headers as Record<string, string>)).toMatchObject({
      event: 'registration.updated',
    });
  }
  const { out } = await cli.run(['sandbox', 'deliveries', '--output', 'ndjson']);
  const states = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { state: string }).state);
  expect(states).toEqual(GUESTS.map(() => 'delivered'));
});

test('a push does not wait for receivers that fail or do not answer', async () => {
  const directory = temporaryDirectory();
  const cli = createCli(directory);
  const silent = await receive(() => undefined);
  const failing = await receive((response) => response.writeHead(500).end());
  writeFileSync(join(directory, 'guests.csv'), visitors(...GUESTS));
  for (const { url } of [silent, failing]) {
    await cli.run(['webhooks', 'create', '--url', url, '--trigger', 'registration.updated', '--sandbox']);
  }
  expect((await cli.run(['push', 'guests.csv', '--sandbox'], { cwd: directory })).code).toBe(0);
  expect(silent.received.length).toBeGreaterThan(0);
  const { out } = await cli.run(['sandbox', 'deliveries', '--output', 'ndjson']);
  const states = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { state: string }).state);
  expect(states).toEqual(Array<string>(24).fill('waiting'));
});
