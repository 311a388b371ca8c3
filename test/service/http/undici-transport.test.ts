import http from 'node:http';
import net, { type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { InterruptedError, UsageError } from '../../../src/errors.ts';
import { createCaller, type HttpAttempt, identify } from '../../../src/service/http/http.ts';
import { MAX_ANSWER_BYTES } from '../../../src/service/http/dispatchers.ts';
import { isLasting, mendOf } from '../../../src/service/http/trouble.ts';
import { deadPort, listen, transport } from './open-transport.ts';

/** An HTTP server on 127.0.0.1; gives its origin. */
const serve = async (listener: http.RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(http.createServer(listener))}`;

/** A server of bare connections. */
const serveRaw = async (onSocket: (socket: Socket) => void): Promise<string> =>
  `http://127.0.0.1:${await listen(net.createServer(onSocket))}`;

let attempts = 0;
function attempt(method: HttpAttempt['method'], url: string): HttpAttempt {
  attempts += 1;
  const requestId = `attempt-${attempts}`;
  return { method, url: new URL(url), headers: { 'x-request-id': requestId }, requestId };
}

const get = (url: string): HttpAttempt => attempt('GET', url);
const post = (url: string, body = '{"persona":"visitor"}'): HttpAttempt => ({
  ...attempt('POST', url),
  body,
});

const deadOrigin = async (): Promise<string> => `http://127.0.0.1:${await deadPort()}`;

describe('an answer', () => {
  test('comes with status, headers and body', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(418, { 'X-RateLimit-Limit': '30', 'X-Twice': ['a', 'b'] }).end('grüße');
    });
    const { status, headers, body } = await transport()(get(`${origin}/event?x=1`));
    expect([status, headers['x-ratelimit-limit'], headers['x-twice'], body]).toEqual([
      418,
      '30',
      'a, b',
      'grüße',
    ]);
  });

  test.each([
    ['gzip', gzipSync('{"a":"ü"}')],
    ['br', brotliCompressSync('{"a":"ü"}')],
    ['deflate', deflateSync('{"a":"ü"}')],
    ['identity', Buffer.from('{"a":"ü"}')],
  ])('is decoded from %s although it was not asked for', async (encoding, bytes) => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    });
    expect((await transport()(get(origin))).body).toBe('{"a":"ü"}');
  });

  test('that cannot be decoded is no answer, and the request was sent', async () => {
    const origin = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
    });
    await expect(transport()(post(origin))).rejects.toMatchObject({ name: 'TransportError', sent: true });
  });

  test('that is far larger once it is unpacked is told as such', async () => {
    const bomb = gzipSync(Buffer.alloc(MAX_ANSWER_BYTES + 1));
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    await expect(transport()(get(origin))).rejects.toThrow(
      'the answer is larger than 64 MB once it is unpacked',
    );
  });

  test.each([301, 302, 303, 307, 308])('of %d is handed on: redirects are not followed', async (status) => {
    const paths: (string | undefined)[] = [];
    const origin = await serve((request, response) => {
      request.resume();
      paths.push(request.url);
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    const answer = await transport()(post(`${origin}/registration`));
    expect([answer.status, answer.headers['location'], paths]).toEqual([
      status,
      '/elsewhere',
      ['/registration'],
    ]);
  });
});

describe('the headers', () => {
  async function headersOf(body?: string): Promise<http.IncomingHttpHeaders> {
    let seen: http.IncomingHttpHeaders = {};
    const origin = await serve((request, response) => {
      request.resume();
      seen = request.headers;
      response.end();
    });
    const send = identify(transport(), () => 'id-1');
    const call = createCaller(send, { token: 'secret', userAgent: 'eventreg/1.2.3' });
    await call(body === undefined ? 'GET' : 'POST', new URL(origin), body);
    const { host: _host, connection: _connection, ...rest } = seen;
    return rest;
  }
  const always = {
    accept: 'application/json',
    'accept-encoding': 'application/json',
    authorization: 'Bearer secret',
    'user-agent': 'eventreg/1.2.3',
    'x-request-id': 'id-1',
  };

  test('of a GET are those of the interface', async () => {
    expect(await headersOf()).toEqual(always);
  });

  test('of a POST tell the type and length of its body', async () => {
    expect(await headersOf('{"a":"ü"}')).toEqual({
      ...always,
      'content-type': 'application/json',
      'content-length': '10',
    });
  });
});

describe('a POST without an answer', () => {
  test('was not sent when the host has no address', async () => {
    await expect(transport()(post('http://no-such-host.invalid/'))).rejects.toMatchObject({ sent: false });
  });

  test('was sent when the answer is no HTTP', async () => {
    const origin = await serveRaw((socket) => socket.once('data', () => socket.end('hello\r\n\r\n')));
    await expect(transport()(post(origin))).rejects.toMatchObject({ sent: true });
  });

  test('is told apart from others that go on at the same time', async () => {
    const origin = await serve((request, response) => {
      request.resume();
      if (request.url === '/lost') request.socket.destroy();
      else response.end('fine');
    });
    const dead = await deadOrigin();
    const send = transport();
    const paths = Array.from({ length: 40 }, (_, index) => ['fine', 'lost', 'dead'][index % 3] ?? '');
    const results = await Promise.all(
      paths.map((path) =>
        send(post(path === 'dead' ? dead : `${origin}/${path}`, '{"same":"body"}')).then(
          () => 'fine',
          (error: { sent: boolean }) => (error.sent ? 'lost' : 'dead'),
        ),
      ),
    );
    expect(results).toEqual(paths);
  });

  test('is reported right when it is broken off while many others are under way', async () => {
    const stop = new AbortController();
    let arrived = 0;
    const origin = await serve(() => {
      arrived += 1;
      if (arrived === 10) stop.abort(new InterruptedError());
    });
    const send = transport({ signal: stop.signal });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => send(post(origin))));
    expect(results.map((one) => one.status === 'rejected' && (one.reason as { sent: boolean }).sent)).toEqual(
      Array.from({ length: 10 }, () => true),
    );
  });
});

describe('an answer that never ends', () => {
  const every = (socket: Socket, piece: string): void => {
    const timer = setInterval(() => socket.write(piece), 20);
    socket.once('close', () => clearInterval(timer));
  };
  const dripping = async (onRequest = (): void => undefined): Promise<string> =>
    await serveRaw((socket) =>
      socket.once('data', () => {
        onRequest();
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
        every(socket, ' ');
      }),
    );

  test('is given up while its body drips', async () => {
    // Its head comes long before that, on a busy machine too.
    const lost = transport({ timeoutMs: 1000 })(post(await dripping()));
    await expect(lost).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT', sent: true });
  });

  test('is given up while more interim answers come', async () => {
    const origin = await serveRaw((socket) =>
      socket.once('data', () => every(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')),
    );
    const lost = transport({ timeoutMs: 100 })(post(origin));
    await expect(lost).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT', sent: true });
  });

  test('is broken off with all others', async () => {
    const stop = new AbortController();
    const send = transport({ signal: stop.signal });
    let arrived = 0;
    const origin = await dripping(() => {
      arrived += 1;
      if (arrived === 2) setTimeout(() => stop.abort(new InterruptedError()), 50);
    });
    const lost = [send(post(origin)), send(post(origin))];
    for (const one of await Promise.allSettled(lost)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED', sent: true } });
    }
  });
});

test('an error names what happened in words', async () => {
  const origin = await serve((request) => request.socket.destroy());
  await expect(transport()(get(origin))).rejects.toThrow(
    'the connection was closed before the answer was complete',
  );
  await expect(transport()(get(await deadOrigin()))).rejects.toThrow('nothing listens there');
});

describe('onSending', () => {
  test('runs before anything is sent', async () => {
    const events: string[] = [];
    const origin = await serveRaw((socket) => {
      events.push('connected');
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    });
    const sent = post(origin);
    await transport()({ ...sent, onSending: (id) => void events.push(`sending ${id}`) });
    expect(events).toEqual([`sending ${sent.requestId}`, 'connected']);
  });

  test('nothing is sent before what it returns has resolved', async () => {
    const events: string[] = [];
    const origin = await serveRaw((socket) => {
      events.push('connected');
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    });
    const onSending = async (): Promise<void> => {
      // A connection would be there by then.
      await fetch(origin).catch(() => undefined);
      events.push('resolved');
    };
    await transport()({ ...post(origin), onSending });
    expect(events).toEqual(['connected', 'resolved', 'connected']);
  });

  test('stops the request by throwing, and its error comes through as it is', async () => {
    let connections = 0;
    const origin = await serveRaw(() => (connections += 1));
    const full = new Error('the journal is full');
    const stopped = transport()({
      ...post(origin),
      onSending: () => {
        throw full;
      },
    });
    await expect(stopped).rejects.toBe(full);
    expect(connections).toBe(0);
  });
});

describe('a proxy', () => {
  /** A CONNECT proxy that leads every name to the one origin. */
  async function serveProxy(origin: string, answer = 'HTTP/1.1 200 OK\r\n\r\n') {
    const asked: string[] = [];
    const server = http.createServer((_request, response) => response.writeHead(500).end());
    server.on('connect', (request: http.IncomingMessage, socket: Socket) => {
      asked.push(request.url ?? '');
      socket.on('error', () => undefined);
      if (!answer.includes(' 200 ')) {
        socket.end(answer);
        return;
      }
      const onward = net.connect(Number(new URL(origin).port), '127.0.0.1', () => {
        socket.write(answer);
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      onTestFinished(() => void onward.destroy());
    });
    return { address: `http://127.0.0.1:${await listen(server)}`, asked };
  }
  const hello = () =>
    serve((request, response) => {
      request.resume();
      response.end('hello');
    });

  test.each([
    ['HTTP_PROXY', (address: string) => address],
    ['http_proxy', (address: string) => address],
    ['HTTP_PROXY', (address: string) => address.replace('http://', '')],
  ])('named by %s is used for other machines', async (name, write) => {
    const origin = await hello();
    const proxy = await serveProxy(origin);
    const send = transport({ env: { [name]: write(proxy.address) } });
    expect((await send(post('http://events.example/registration'))).body).toBe('hello');
    expect(proxy.asked).toEqual(['events.example:80']);
  });

  test.each(['127.0.0.1', 'localhost', '127.1.2.3'])('is never used for %s', async (host) => {
    const origin = await hello();
    const proxy = await serveProxy(origin);
    const send = transport({ env: { HTTP_PROXY: proxy.address, HTTPS_PROXY: proxy.address } });
    const url = origin.replace('127.0.0.1', host);
    // 127.1.2.3 is this machine as well, but the server listens on 127.0.0.1 alone.
    await send(post(url)).catch(() => undefined);
    expect(proxy.asked).toEqual([]);
  });

  test.each(['events.invalid', '.invalid', '*', 'other.invalid,events.invalid:80'])(
    'is not used where NO_PROXY is %s',
    async (noProxy) => {
      const origin = await hello();
      const proxy = await serveProxy(origin);
      const send = transport({ env: { HTTP_PROXY: proxy.address, NO_PROXY: noProxy } });
      await expect(send(get('http://events.invalid/'))).rejects.toMatchObject({ name: 'TransportError' });
      expect(proxy.asked).toEqual([]);
    },
  );

  test.each([
    ['407', 'the proxy wants a name and a password (407)', true],
    ['403', 'the proxy lets nobody through to it (403)', true],
    ['502', 'the proxy does not get through to it (502)', false],
  ])('that answers %s means that nothing was sent, and says so', async (status, message, lasts) => {
    const proxy = await serveProxy('', `HTTP/1.1 ${status} Words\r\n\r\n`);
    const send = transport({ env: { HTTP_PROXY: proxy.address } });
    const code = `EPROXY_${status}`;
    await expect(send(post('http://events.example/'))).rejects.toMatchObject({ sent: false, code, message });
    expect([isLasting(code), mendOf(code)]).toEqual([lasts, expect.stringContaining('HTTPS_PROXY')]);
  });

  test('that nobody answers for is named, not the service', async () => {
    const send = transport({ env: { HTTP_PROXY: 'http://127.0.0.1:9' } });
    const code = 'EPROXY_ECONNREFUSED';
    const message = expect.stringMatching(/^the proxy cannot be reached \(.*ECONNREFUSED.*\)$/);
    await expect(send(post('http://events.example/'))).rejects.toMatchObject({ sent: false, code, message });
    expect([isLasting(code), mendOf(code)]).toEqual([false, expect.stringContaining('HTTPS_PROXY')]);
  });

  test('does not hide that a request was sent', async () => {
    const origin = await serve((request) => request.socket.destroy());
    const proxy = await serveProxy(origin);
    const send = transport({ env: { HTTP_PROXY: proxy.address } });
    await expect(send(post('http://events.example/'))).rejects.toMatchObject({ sent: true });
  });

  test('whose address is none is an error that does not repeat it', () => {
    const open = () => transport({ env: { HTTPS_PROXY: 'http://user:hunter2@:bad' } });
    expect(open).toThrow(UsageError);
    expect(open).toThrow(/^HTTPS_PROXY is not/);
  });
});
