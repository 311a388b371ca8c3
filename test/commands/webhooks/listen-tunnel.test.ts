import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { processRuns } from '../../support/process-runs.ts';
import { deliver, type ListenBench, listenBench, type Listening, until } from './listen-bench.ts';
import { listed } from '../../support/tables.ts';

const SCRIPT = join(import.meta.dirname, '../../webhooks/receive/fake-tunnel.js');

/** A listen behind a tunnel, and the number of its process. */
async function tunnelled(bench: ListenBench, how: string): Promise<{ listening: Listening; pid: number }> {
  const log = join(bench.here.directory, 'tunnel.log');
  writeFileSync(log, '');
  const command = `exec "${process.execPath}" "${SCRIPT}" {url} ${how} | tee "${log}"`;
  const listening = await bench.listen(['--tunnel', command]);
  await until(() => readFileSync(log, 'utf8').includes('pid '));
  return { listening, pid: Number(/pid (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]) };
}

/** Below the ports that a system gives to whoever asks for any, so that nothing else of the tests takes it meanwhile. */
async function freePort(): Promise<number> {
  const server = createServer();
  for (let port = 20_000 + (process.pid % 10_000); ; port += 1) {
    server.listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

describe('a tunnel', () => {
  test('that prints two other addresses first and is late is found, and ends with the listen', async () => {
    const bench = await listenBench();
    const { listening, pid } = await tunnelled(bench, '');
    expect((await deliver(listening.url, 'x')).status).toBe(200);
    expect(listening.deliveries()).toHaveLength(1);
    expect([await listening.stop(), bench.here.sandbox.counts().webhooks]).toEqual([0, 0]);
    await until(() => !processRuns(pid));
  });

  test('that dies ends the listen, which deletes its webhook', async () => {
    const bench = await listenBench();
    const { listening, pid } = await tunnelled(bench, 'dies');
    process.kill(pid, 'SIGUSR2');
    expect([await listening.done, bench.here.sandbox.counts().webhooks]).toEqual([1, 0]);
    expect(listening.err()).toContain('The command of the tunnel has ended');
  });

  test('that comes back under another address: the webhook is changed', async () => {
    const bench = await listenBench();
    const { listening, pid } = await tunnelled(bench, 'moves');
    process.kill(pid, 'SIGUSR2');
    await until(() => listening.lines().some(({ type }) => type === 'moved'));
    const moved = listening.lines().find((line) => line.type === 'moved');
    expect(moved?.url).not.toBe(listening.url);
    expect((await deliver(moved?.url ?? '', 'x')).status).toBe(200);
    const { out } = await bench.run(['webhooks', 'list', '--output', 'ndjson']);
    expect(out()).toContain(moved?.url);
    expect([await listening.stop(), bench.here.sandbox.counts().webhooks]).toEqual([0, 0]);
  });

  test('that ends at once is an error, and nothing is made', async () => {
    const bench = await listenBench();
    const { code, err } = await bench.run(
      listed('webhooks | listen | --port | 0 | --for | 1s | --tunnel | echo no such account; exit 3'),
    );
    expect([code, err()]).toEqual([1, expect.stringContaining('exit code 3; it said last: no such account')]);
    expect(err()).toContain('address that leads here, for 1 s at most; --for begins then.');
    expect(bench.here.sandbox.requests().filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

test('an address of the user’s own is proven, and taken as it is', async () => {
  const bench = await listenBench();
  const port = await freePort();
  const listening = await bench.listen(['--port', String(port), '--public-url', `http://localhost:${port}/`]);
  expect(listening.err()).toContain(
    `Waiting until http://localhost:${port}/ leads here, for a minute at most.`,
  );
  expect(listening.url).toMatch(new RegExp(`^http://localhost:${port}/[0-9a-f]{32}$`));
  expect((await deliver(listening.url, 'x')).status).toBe(200);
});
