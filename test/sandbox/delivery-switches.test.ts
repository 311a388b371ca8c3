import net from 'node:net';
import { describe, expect, test } from 'vitest';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import { call, list, post, start } from './support.ts';

/** A promise that somebody else settles. */
function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('landMs', () => {
  test('the work of a POST waits, and its answer after it; reads do not', async () => {
    const order: string[] = [];
    const sandbox = await start({ landMs: 150 }, { onRequest: ({ method }) => order.push(method) });
    const answered = post(sandbox, { barcode: 'B1' });
    expect((await list(sandbox)).json).toMatchObject({ data: [] });
    expect((await answered).status).toBe(201);
    expect((await list(sandbox)).json).toMatchObject({ data: [{ barcode: 'B1' }] });
    expect(order).toEqual(['GET', 'POST', 'GET']);
  });

  /** A clock of the sandbox that tells when a request was read whole: time is looked at again then. */
  function readingClock(): { now: () => number; read: Promise<void>; set: (nowMs: number) => void } {
    const { promise, resolve } = deferred<void>();
    let nowMs = 5000;
    let looks = 0;
    return {
      now: () => {
        looks += 1;
        if (looks === 2) resolve();
        return nowMs;
      },
      read: promise,
      set: (next) => {
        nowMs = next;
      },
    };
  }

  test('the work is done although the client has gone, and logged as of when the request came', async () => {
    const logged = deferred<RequestLogEntry>();
    const clock = readingClock();
    const sandbox = await start({ landMs: 100 }, { now: clock.now, onRequest: logged.resolve });
    const body = JSON.stringify({ persona: 'visitor', fields: {}, barcode: 'B1' });
    const client = net.connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    client.write(
      [
        'POST /api/registration HTTP/1.1',
        'host: localhost',
        `authorization: Bearer ${sandbox.token}`,
        'content-type: application/json',
        'x-request-id: gone-1',
        `content-length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
    await clock.read;
    client.resetAndDestroy();
    expect(sandbox.counts().registrations).toBe(0);
    clock.set(9000);
    expect(await logged.promise).toMatchObject({ at: 5000, status: 201, requestId: 'gone-1' });
    expect(sandbox.registrations().map((one) => [one.barcode, one.createdAt])).toEqual([['B1', 9000]]);
  });

  test('what has not landed when the sandbox closes is not done', async () => {
    const logged = deferred<RequestLogEntry>();
    const clock = readingClock();
    const sandbox = await start({ landMs: 600_000 }, { now: clock.now, onRequest: logged.resolve });
    const answered = post(sandbox).then(
      () => 'answered',
      () => 'cut off',
    );
    await clock.read;
    await sandbox.close();
    expect(await answered).toBe('cut off');
    expect((await logged.promise).status).toBe(503);
  });
});

describe('requestIds', () => {
  test.each([
    ['none', null],
    ['echo', /^mine-1$/],
    ['own', /^sandbox-[\da-f-]{36}$/],
  ] as const)('%s', async (requestIds, expected) => {
    const sandbox = await start({ requestIds, limit: 1 }, { now: () => 0 });
    const replies = [
      await call(sandbox, 'GET', '/api/event', { requestId: 'mine-1' }),
      await call(sandbox, 'GET', '/api/event', { requestId: 'mine-1' }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 429]);
    for (const { headers } of replies) {
      if (expected === null) expect(headers).not.toHaveProperty('x-request-id');
      else expect(headers['x-request-id']).toMatch(expected);
    }
  });

  test('own is another one each time; echo has none where none was sent', async () => {
    const own = await start({ requestIds: 'own' });
    const ids = [await list(own), await list(own)].map((reply) => reply.headers['x-request-id']);
    expect(new Set(ids).size).toBe(2);
    const echo = await start({ requestIds: 'echo' });
    expect((await list(echo)).headers).not.toHaveProperty('x-request-id');
  });

  test('the log has the id of every request that carried one', async () => {
    const sandbox = await start();
    await call(sandbox, 'GET', '/api/event', { requestId: 'mine-1' });
    await call(sandbox, 'GET', '/nowhere', { requestId: 'mine-2', authorization: undefined });
    await list(sandbox);
    expect(sandbox.requests().map(({ requestId }) => requestId)).toEqual(['mine-1', 'mine-2', undefined]);
    expect(Object.keys(sandbox.requests()[2] ?? {})).not.toContain('requestId');
  });
});
