import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import { type HttpAttempt, type Network, TransportError } from '../../../src/service/http/http.ts';
import { createUndiciTransport, type UndiciOptions } from '../../../src/service/http/undici-transport.ts';
import { watchSending } from '../../../src/service/http/undici-transport.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { listed } from '../../support/tables.ts';
import { deadPort, listen, transport } from './open-transport.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;
const BODY = '{"persona":"visitor"}';

let made = 0;
function attempt(method: HttpAttempt['method'], origin: string, body = BODY): HttpAttempt {
  made += 1;
  const requestId = `attempt-${made}`;
  const headers = { 'x-request-id': requestId };
  const request = { method, url: new URL(`${origin}/registration`), headers, requestId };
  return method === 'POST' ? { ...request, body } : request;
}

async function failure(send: Network, request: HttpAttempt): Promise<TransportError> {
  const outcome = await send(request).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(TransportError);
  return outcome as TransportError;
}

/** A server of bare connections. `heard` holds every byte that reached it. */
async function serveRaw(
  onSocket: (socket: Socket, heard: () => string) => void,
): Promise<{ port: number; heard: () => string }> {
  const chunks: Buffer[] = [];
  const heard = (): string => Buffer.concat(chunks).toString('latin1');
  const port = await listen(
    net.createServer((socket) => {
      socket.on('data', (chunk) => chunks.push(chunk));
      onSocket(socket, heard);
    }),
  );
  return { port, heard };
}

const httpOn = (port: number): string => `http://127.0.0.1:${port}`;
const httpsOn = (port: number): string => `https://127.0.0.1:${port}`;

describe.each(METHODS)('a %s that is lost', (method) => {
  test('was not sent when the connection is refused', async () => {
    const error = await failure(transport(), attempt(method, httpOn(await deadPort())));
    expect(error).toMatchObject({ code: 'ECONNREFUSED', sent: false });
  });

  test('was not sent when the certificate is not trusted', async () => {
    const port = await listen(tls.createServer(selfSigned()));
    const error = await failure(transport(), attempt(method, httpsOn(port)));
    expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', sent: false });
  });

  test('was not sent when the other side speaks no TLS', async () => {
    const { port } = await serveRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')),
    );
    expect(await failure(transport(), attempt(method, httpsOn(port)))).toMatchObject({ sent: false });
  });

  test('was not sent when the connection is reset within the TLS handshake', async () => {
    const { port } = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const error = await failure(transport(), attempt(method, httpsOn(port)));
    expect(error).toMatchObject({ code: 'ECONNRESET', sent: false });
  });

  test('was sent when the connection is reset after its headers came: the same code says nothing', async () => {
    const { port, heard } = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const error = await failure(transport(), attempt(method, httpOn(port)));
    expect(error).toMatchObject({ code: 'ECONNRESET', sent: true });
    expect(heard()).toMatch(new RegExp(`^${method} /registration HTTP/1.1\r\n`));
  });

  test('was sent when the connection is closed after its headers came', async () => {
    const { port } = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    expect(await failure(transport(), attempt(method, httpOn(port)))).toMatchObject({ sent: true });
  });

  test('is never called unsent when the connection is reset as soon as it was accepted', async () => {
    const { port, heard } = await serveRaw((socket) => socket.resetAndDestroy());
    for (let round = 0; round < 20; round += 1) {
      const error = await failure(transport(), attempt(method, httpOn(port)));
      // Whether the headers were written before the reset came is a race; what arrived was sent for certain.
      if (!error.sent) expect(heard()).toBe('');
    }
  });

  test('was sent when no answer comes in time', async () => {
    const { port } = await serveRaw(() => undefined);
    const error = await failure(transport({ timeoutMs: 50 }), attempt(method, httpOn(port)));
    expect(error).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT', sent: true });
  });

  test('was sent when the answer breaks off in its body', async () => {
    const { port } = await serveRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":')),
    );
    expect(await failure(transport(), attempt(method, httpOn(port)))).toMatchObject({ sent: true });
  });

  test('was sent when it is broken off while the answer is awaited, and was not before', async () => {
    const stop = new AbortController();
    const { port } = await serveRaw((socket) =>
      socket.once('data', () => stop.abort(new InterruptedError())),
    );
    const send = transport({ signal: stop.signal });
    expect(await failure(send, attempt(method, httpOn(port)))).toMatchObject({ code: 'ABORTED', sent: true });
    expect(await failure(send, attempt(method, httpOn(port)))).toMatchObject({
      code: 'ABORTED',
      sent: false,
    });
  });

  test('was sent when the transport is closed under it', async () => {
    const opened = createUndiciTransport({
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      env: {},
    });
    const { port } = await serveRaw((socket) => socket.once('data', () => void opened.close()));
    expect(await failure(opened.send, attempt(method, httpOn(port)))).toMatchObject({ sent: true });
  });

  test('was sent when a connection that was used before dies with it', async () => {
    let requests = 0;
    const port = await listen(
      http.createServer((request, response) => {
        requests += 1;
        request.resume();
        if (requests === 1) response.end('fine');
        else request.socket.resetAndDestroy();
      }),
    );
    const send = transport();
    expect((await send(attempt(method, httpOn(port)))).body).toBe('fine');
    expect(await failure(send, attempt(method, httpOn(port)))).toMatchObject({ sent: true });
    expect(requests).toBe(2);
  });
});

test('a POST that is cut in the middle of its body was sent', async () => {
  const { port, heard } = await serveRaw((socket) => {
    socket.once('data', () => {
      socket.pause();
      socket.resetAndDestroy();
    });
  });
  const error = await failure(transport(), attempt('POST', httpOn(port), 'x'.repeat(8 * 1024 * 1024)));
  expect(error.sent).toBe(true);
  expect(heard().length).toBeLessThan(8 * 1024 * 1024);
});

describe('through a proxy', () => {
  /** A proxy that leads every CONNECT to the port, or does with it what `instead` says. */
  async function serveProxy(port: number, instead?: (socket: Socket) => void): Promise<UndiciOptions['env']> {
    const server = http.createServer((_request, response) => response.writeHead(500).end());
    server.on('connect', (_request: http.IncomingMessage, socket: Socket) => {
      socket.on('error', () => undefined);
      if (instead !== undefined) {
        instead(socket);
        return;
      }
      const onward = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      onTestFinished(() => void onward.destroy());
    });
    const address = httpOn(await listen(server));
    return { HTTP_PROXY: address, HTTPS_PROXY: address };
  }

  const OUTSIDE = 'http://events.example';

  test.each(METHODS)('a %s was not sent when only the CONNECT left', async (method) => {
    const cases: [string, (socket: Socket) => void][] = [
      ['EPROXY_407', (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')],
      ['EPROXY_502', (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')],
      ['EPROXY', (socket) => socket.destroy()],
      ['EPROXY', (socket) => socket.end()],
      ['ECONNRESET', (socket) => socket.resetAndDestroy()],
    ];
    for (const [code, instead] of cases) {
      let asked = 0;
      const env = await serveProxy(0, (socket) => {
        asked += 1;
        instead(socket);
      });
      const error = await failure(transport({ env }), attempt(method, OUTSIDE));
      expect([error.code, error.sent, asked]).toEqual([code, false, 1]);
    }
  });

  test.each(METHODS)('a %s was not sent when the CONNECT is not answered in time', async (method) => {
    const send = transport({ env: await serveProxy(0, () => undefined), timeoutMs: 50 });
    const error = await failure(send, attempt(method, OUTSIDE));
    expect(error).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT', sent: false });
  });

  test.each(METHODS)('a %s was not sent when the certificate behind it is not trusted', async (method) => {
    const port = await listen(tls.createServer(selfSigned()));
    const send = transport({ env: await serveProxy(port) });
    const error = await failure(send, attempt(method, 'https://events.example'));
    expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', sent: false });
  });

  test.each(METHODS)('a %s was sent when it is lost behind it', async (method) => {
    const { port, heard } = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    const send = transport({ env: await serveProxy(port) });
    expect(await failure(send, attempt(method, OUTSIDE))).toMatchObject({ sent: true });
    expect(heard()).toContain('x-request-id: attempt-');
  });
});

describe('when undici does not tell of a request', () => {
  /** It carries another id than it says, so that its leaving goes unseen. */
  const unseen = (origin: string): HttpAttempt => ({ ...attempt('POST', origin), requestId: 'another' });

  test('nothing is concluded from that, as soon as such a request was answered', async () => {
    const fine = await listen(
      http.createServer((request, response) => request.resume() && response.end('fine')),
    );
    const { port } = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    const send = transport();
    expect((await send(unseen(httpOn(fine)))).body).toBe('fine');
    expect(await failure(send, unseen(httpOn(port)))).toMatchObject({ sent: true });
    const dead = await failure(send, unseen(httpOn(await deadPort())));
    expect(dead).toMatchObject({ code: 'ECONNREFUSED', sent: false });
    const nowhere = await failure(send, unseen('http://no-such-host.invalid'));
    expect(nowhere).toMatchObject({ sent: false });
  });
});

describe('a watch', () => {
  const publish = (message: unknown): void =>
    diagnostics.channel('undici:client:sendHeaders').publish(message);
  const opened = () => {
    const watch = watchSending();
    onTestFinished(() => watch.close());
    return watch;
  };

  test('ends with its transport', async () => {
    const channel = diagnostics.channel('undici:client:sendHeaders');
    const before = channel.hasSubscribers;
    const one = createUndiciTransport({ timeoutMs: 50, signal: new AbortController().signal, env: {} });
    expect([before, channel.hasSubscribers]).toEqual([false, true]);
    await one.close();
    expect(channel.hasSubscribers).toBe(false);
  });

  test('knows a request by its header, in whatever place and company it stands', () => {
    const watch = opened();
    for (const id of ['one', 'two', 'three']) watch.expect(id);
    publish({ request: { headers: ['x-request-id', 'one'] } });
    publish({ request: { headers: ['about', 'x-request-id', 'accept', 'any', 'x-request-id', 'two'] } });
    publish({ request: { headers: ['about', 'three'] } });
    expect(['one', 'two', 'three'].map((id) => watch.hasLeft(id, 'ECONNRESET'))).toEqual([true, true, false]);
  });

  test('takes no notice of requests that nobody expects, nor of messages of another form', () => {
    const watch = opened();
    watch.expect('mine');
    publish({ request: { headers: ['x-request-id', 'foreign'] } });
    for (const message of [
      {},
      { request: {} },
      { request: { headers: 'x-request-id: mine' } },
      { request: { headers: ['x-request-id', 7] } },
    ]) {
      publish(message);
    }
    expect([watch.hasLeft('mine', 'EPIPE'), watch.hasLeft('foreign', 'EPIPE')]).toEqual([false, false]);
  });

  test('forgets a request that has ended, and hears nothing once it is closed', () => {
    const watch = opened();
    watch.expect('one');
    publish({ request: { headers: ['x-request-id', 'one'] } });
    watch.answered('one');
    watch.forget('one');
    expect(watch.hasLeft('one', 'EPIPE')).toBe(false);
    watch.expect('two');
    watch.close();
    publish({ request: { headers: ['x-request-id', 'two'] } });
    expect(watch.hasLeft('two', 'EPIPE')).toBe(false);
  });

  test('that is blind goes by the codes of connections that were never made', () => {
    const watch = opened();
    watch.expect('unseen');
    watch.answered('unseen');
    watch.expect('lost');
    const codes = listed(`
      ECONNREFUSED | ENOTFOUND | EAI_AGAIN | EHOSTUNREACH | ENETUNREACH | EADDRNOTAVAIL | EPROXY |
      UND_ERR_CONNECT_TIMEOUT
    `);
    expect(codes.filter((code) => watch.hasLeft('lost', code))).toEqual([]);
    for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', 'ABORTED', 'something new']) {
      expect(watch.hasLeft('lost', code)).toBe(true);
    }
  });
});

describe('a request that others have to know of first', () => {
  test.each(METHODS)(
    '%s: nothing of it leaves before that is so, and it is written before that is asked',
    async (method) => {
      const { port, heard } = await serveRaw((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 204 No\r\n\r\n')),
      );
      const log: string[] = [];
      const send = transport({
        async mayLeave(isRead) {
          log.push(isRead ? 'read' : 'change');
          await new Promise((resolve) => setImmediate(resolve));
          log.push(heard());
        },
      });
      const onSending = (): void => void log.push('written');
      await send({ ...attempt(method, httpOn(port)), onSending });
      expect(log).toEqual(['written', method === 'GET' ? 'read' : 'change', '']);
    },
  );

  test('stays where it is when that cannot be', async () => {
    const { port, heard } = await serveRaw((socket) => socket.destroy());
    const send = transport({ mayLeave: () => Promise.reject(new InterruptedError()) });
    await expect(send(attempt('DELETE', httpOn(port)))).rejects.toThrow(InterruptedError);
    expect(heard()).toBe('');
  });
});
