import { statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { readEvent } from '../../src/service/contracts/read-event.ts';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import { resetSandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { afterTest, barcodes, call, fill, list, post, start, temporaryFile } from './support.ts';
import { paired } from '../support/tables.ts';

/** As they were before any sandbox started. */
const GLOBALS = { Request: globalThis.Request, Response: globalThis.Response };

describe('the service', () => {
  test('listens on this machine only and tells where', async () => {
    const sandbox = await start();
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([sandbox.baseUrl, sandbox.integUrl]).toEqual([`${sandbox.url}/api`, `${sandbox.url}/integ`]);
  });

  test('the event reads as the interface says, with a field of every kind', async () => {
    const sandbox = await start();
    const { json } = await call(sandbox, 'GET', '/api/event');
    const reading = readEvent(json);
    const event = 'event' in reading ? reading.event : undefined;
    expect(event?.eventId).toBe('4711');
    expect(event?.personas.map((persona) => persona.slug)).toEqual(['visitor', 'exhibitor', 'speaker']);
    const fields = event?.personas.flatMap((persona) => persona.fields) ?? [];
    const kinds = 'choice,country,date,email,name,numeric,phone,text,upload,website';
    expect([...new Set(fields.map((field) => field.kind))].sort().join()).toBe(kinds);
    expect(fields.filter((field) => !field.known).map((field) => field.slug)).toEqual(['badge_colour']);
    expect(fields.filter((field) => field.multiple).map((field) => field.slug)).toEqual([
      'dietary_needs',
      'equipment',
    ]);
    expect(new Set(fields.map((field) => field.id)).size).toBe(fields.length);
  });

  test('personas can be asked for alone', async () => {
    const sandbox = await start();
    const { json } = await call(sandbox, 'GET', '/api/event/personas');
    expect((json as { data: unknown[] }).data).toHaveLength(3);
  });

  test.each([undefined, 'Bearer', 'Bearer wrong', 'Basic sandbox-token', 'sandbox-token'])(
    '401 for the header %j, before anything else is looked at',
    async (authorization) => {
      const sandbox = await start();
      const replies = [
        await call(sandbox, 'POST', '/api/registration', { authorization, body: '{' }),
        await call(sandbox, 'GET', '/nowhere', { authorization }),
        await call(sandbox, 'DELETE', '/integ/v1/webhooks/1', { authorization }),
      ];
      expect(replies.map((reply) => reply.status)).toEqual([401, 401, 401]);
    },
  );

  test('takes the token that was set', async () => {
    const sandbox = await start({}, { token: 'other' });
    expect((await list(sandbox)).status).toBe(200);
    const authorization = 'Bearer sandbox-token';
    expect((await call(sandbox, 'GET', '/api/event', { authorization })).status).toBe(401);
  });

  test.each(paired('GET → / | PATCH → /api/registration | GET → /api/registration/1 | GET → /v1/webhooks'))(
    '404 for %s %s',
    async (method, path) => {
      const sandbox = await start();
      expect((await call(sandbox, method, path)).status).toBe(404);
    },
  );

  test('answers carry the headers of the interface', async () => {
    const sandbox = await start({ limit: 30 });
    expect((await list(sandbox)).headers).toMatchObject({
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'cache-control': expect.any(String),
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, PUT, POST, DELETE, PATCH, HEAD, OPTIONS',
      'access-control-allow-headers': expect.any(String),
      'access-control-expose-headers': expect.any(String),
      server: expect.any(String),
      date: expect.any(String),
    });
  });

  test('logs every request, refused ones included', async () => {
    const seen: RequestLogEntry[] = [];
    const options = { now: () => 77, onRequest: (entry: RequestLogEntry) => seen.push(entry) };
    const sandbox = await start({}, options);
    await list(sandbox, '?persona=a%20b&page=1');
    await call(sandbox, 'POST', '/api/registration', { body: '{', authorization: undefined });
    expect(sandbox.requests()).toEqual([
      { at: 77, method: 'GET', path: '/api/registration', query: { persona: 'a b', page: '1' }, status: 200 },
      { at: 77, method: 'POST', path: '/api/registration', query: {}, status: 401, body: '{' },
    ]);
    expect(seen).toEqual(sandbox.requests());
  });

  test('leaves the global Request and Response alone', async () => {
    await start();
    expect(globalThis.Request).toBe(GLOBALS.Request);
    expect(globalThis.Response).toBe(GLOBALS.Response);
  });

  test('a port that is taken', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(startSandbox({ file: ':memory:', port })).rejects.toThrow(
      `The sandbox cannot listen on 127.0.0.1 port ${port}: it is already in use.`,
    );
  });

  test('closes at once, idle connections or not, and again without harm', async () => {
    const sandbox = await start();
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {});
    await new Promise((resolve) => socket.on('connect', resolve));
    await list(sandbox);
    await Promise.all([sandbox.close(), sandbox.close()]);
    await ended;
    await expect(list(sandbox)).rejects.toThrow('fetch failed');
    expect(sandbox.requests()).toHaveLength(1);
  });
});

describe('the file', () => {
  test('keeps everything from one start to the next', async () => {
    const file = temporaryFile(join('new', 'folder', 'sandbox.db'));
    const first = await start({}, { file });
    await fill(first, 2);
    const { instanceId } = first;
    const kept = first.registrations();
    await first.close();
    const second = await start({}, { file });
    expect([second.instanceId, second.registrations()]).toEqual([instanceId, kept]);
    await post(second, { barcode: 'B1', fields: { first_name: 'Bea' } });
    expect(second.counts().registrations).toBe(2);
  });

  test.skipIf(process.platform === 'win32')('only its owner may read it', async () => {
    const file = temporaryFile(join('folder', 'sandbox.db'));
    const sandbox = await start({}, { file });
    await post(sandbox);
    const modes = [file, `${file}-wal`, join(file, '..')].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o700]);
  });

  test('two sandboxes on one file see the same data', async () => {
    const file = temporaryFile();
    const [one, other] = [await start({}, { file }), await start({}, { file })];
    await Promise.all(Array.from({ length: 20 }, (_, index) => post(index % 2 ? one : other)));
    expect(one.counts().registrations).toBe(20);
    expect(one.registrations()).toEqual(other.registrations());
    expect(one.instanceId).toBe(other.instanceId);
  });

  test('a reset empties it and gives a new identity, also while it is in use', async () => {
    const file = temporaryFile();
    const sandbox = await start({}, { file });
    await fill(sandbox, 2);
    const before = { id: sandbox.instanceId, first: sandbox.registrations()[0]?.id };
    resetSandbox(file);
    expect(sandbox.counts()).toEqual({ registrations: 0, webhooks: 0 });
    expect(sandbox.instanceId).not.toBe(before.id);
    await fill(sandbox, 1);
    expect(sandbox.registrations()[0]?.id).not.toBe(before.first);
    expect(barcodes(await list(sandbox))).toEqual(['B1']);
  });

  test('a reset of a file that does not exist makes an empty one', async () => {
    const file = temporaryFile(join('none', 'sandbox.db'));
    resetSandbox(file);
    expect((await start({}, { file })).counts().registrations).toBe(0);
  });

  test('the identity can still be read after the end', async () => {
    const sandbox = await start({}, { file: temporaryFile() });
    const { instanceId } = sandbox;
    await sandbox.close();
    expect(sandbox.instanceId).toBe(instanceId);
  });

  test('another program’s file is neither used nor emptied', async () => {
    const file = temporaryFile();
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE precious (x); INSERT INTO precious VALUES (1)');
    afterTest(() => other.close());
    await expect(startSandbox({ file })).rejects.toThrow(
      `The sandbox file ${file} cannot be used: it belongs to another program.`,
    );
    expect(() => resetSandbox(file)).toThrow('it belongs to another program');
    expect(other.prepare('SELECT x FROM precious').all()).toHaveLength(1);
  });

  test('a file that is no database', async () => {
    const file = temporaryFile();
    writeFileSync(file, 'name;email\n'.repeat(500));
    await expect(startSandbox({ file })).rejects.toThrow(/^The sandbox file .* cannot be used: .*\.$/);
    expect(() => resetSandbox(file)).toThrow('cannot be used');
    expect(statSync(file).size).toBe(5500);
  });

  test('a file of another layout is refused, and a reset mends it', async () => {
    const file = temporaryFile();
    resetSandbox(file);
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99; CREATE TABLE later (x)');
    database.close();
    await expect(startSandbox({ file })).rejects.toThrow(
      'it has layout 99, this program knows layout 4; reset it.',
    );
    resetSandbox(file);
    expect((await start({}, { file })).counts().registrations).toBe(0);
  });
});
