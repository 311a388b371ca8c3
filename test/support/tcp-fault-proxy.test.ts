import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { messageLength } from './http-bytes.ts';
import { TcpFaultProxy, tcpFaultProxy, type WireFault } from './tcp-fault-proxy.ts';
import * as faults from './tcp-faults.ts';

const BODY = '{"id":"r1","barcode":"A"}';
const HEAD = `HTTP/1.1 201 Created\r\nX-Kept: yes\r\nContent-Length: ${BODY.length}\r\nConnection: keep-alive\r\n\r\n`;
const ANSWER = HEAD + BODY;
const POST_BODY = '{"barcode":"A","fields":{}}';
const POST_HEAD = `POST /api/registration HTTP/1.1\r\nHost: x\r\nContent-Length: ${POST_BODY.length}\r\n\r\n`;
const POST = POST_HEAD + POST_BODY;
const GET = 'GET /api/event HTTP/1.1\r\nHost: x\r\n\r\n';

/** One side of one connection: what came, and how it ended. */
interface Side {
  socket: Socket;
  text: () => string;
  ended: () => 'open' | 'FIN' | 'RST' | 'refused';
  /** Until the other side has ended it. */
  end: () => Promise<void>;
}

function watch(socket: Socket): Side {
  let text = '';
  let ended: ReturnType<Side['ended']> = 'open';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ECONNRESET') ended = 'RST';
    if (code === 'ECONNREFUSED') ended = 'refused';
  });
  socket.on('end', () => (ended = 'FIN'));
  const end = new Promise<void>((resolve) => socket.on('end', resolve).on('close', () => resolve()));
  return { socket, text: () => text, ended: () => ended, end: () => end };
}

interface Setting {
  proxy: TcpFaultProxy;
  /** Connections that arrived at the service. */
  arrived: Side[];
  /** Sends bytes over a new connection. */
  send: (bytes: string) => Promise<Side>;
  /** Until the client has as many characters. */
  received: (side: Side, length: number) => Promise<void>;
  /** A whole exchange over another connection: whatever was to happen meanwhile has happened. */
  passTime: () => Promise<void>;
}

/** A service that answers every whole request alike, the proxy in front of it, and clients made by hand. */
async function setUp(fault: WireFault | undefined): Promise<Setting> {
  const arrived: Side[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const side = watch(socket);
    arrived.push(side);
    let answered = false;
    socket.on('data', () => {
      if (answered || messageLength(Buffer.from(side.text(), 'latin1')) === undefined) return;
      answered = true;
      socket.write(ANSWER);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const { socket } of arrived) socket.destroy();
    server.close();
  });
  const proxy = await tcpFaultProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  proxy.fault = ({ method, nth }) => (method === 'POST' && nth === 0 ? fault : undefined);
  const send: Setting['send'] = async (bytes) => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const side = watch(socket);
    socket.write(bytes);
    return await Promise.resolve(side);
  };
  const received: Setting['received'] = async ({ socket, text }, length) => {
    while (text().length < length) await once(socket, 'data');
  };
  const passTime = async (): Promise<void> => {
    for (let round = 0; round < 3; round += 1) await received(await send(GET), ANSWER.length);
  };
  return { proxy, arrived, send, received, passTime };
}

/** What arrived at the service of requests that were sent with POST. */
const posts = ({ arrived }: Setting): string[] =>
  arrived.map(({ text }) => text()).filter((text) => !text.startsWith('GET'));

describe('a request', () => {
  test('that nobody breaks is passed on, as are those behind it on the same connection', async () => {
    const setting = await setUp(undefined);
    const client = await setting.send(POST + GET);
    await setting.received(client, 2 * ANSWER.length);
    expect(client.text()).toBe(ANSWER + ANSWER);
    expect(setting.arrived.map(({ text }) => text())).toEqual([POST, GET]);
    expect(setting.proxy.requests).toMatchObject([
      { method: 'POST', path: '/api/registration', body: POST_BODY, nth: 0 },
      { method: 'GET', path: '/api/event', body: '', nth: 0 },
    ]);
    expect(setting.proxy.connections).toBe(1);
  });

  test('gets the fault of its method and number, and no other does', async () => {
    const setting = await setUp(undefined);
    setting.proxy.fault = ({ method, nth }) =>
      method === 'POST' && nth === 1 ? faults.cutAnswer(faults.none) : undefined;
    const first = await setting.send(POST);
    await setting.received(first, ANSWER.length);
    const second = await setting.send(POST);
    await second.end();
    const third = await setting.send(POST);
    await setting.received(third, ANSWER.length);
    expect([first, second, third].map(({ text }) => text())).toEqual([ANSWER, '', ANSWER]);
  });

  test('arrives byte by byte', async () => {
    const setting = await setUp(faults.slowRequest);
    let pieces = 0;
    const client = await setting.send(POST);
    while (setting.arrived.length === 0) await new Promise((resolve) => setImmediate(resolve));
    setting.arrived[0]?.socket.on('data', () => (pieces += 1));
    await setting.received(client, ANSWER.length);
    expect(posts(setting)).toEqual([POST]);
    expect(pieces).toBeGreaterThan(POST.length / 2);
  });

  test('is followed by FIN, and answered all the same', async () => {
    const setting = await setUp(faults.halfCloseAfterRequest);
    const client = await setting.send(POST);
    await setting.received(client, ANSWER.length);
    await setting.arrived[0]?.end();
    expect([client.text(), client.ended(), setting.arrived[0]?.ended()]).toEqual([ANSWER, 'open', 'FIN']);
  });

  test('is delivered again late, while its client goes on', async () => {
    const setting = await setUp(faults.deliverAgainLate);
    const client = await setting.send(POST + GET);
    await setting.received(client, 2 * ANSWER.length);
    expect(posts(setting)).toEqual([POST]);
    await setting.proxy.release();
    expect(posts(setting)).toEqual([POST, POST]);
    expect(client.text()).toBe(ANSWER + ANSWER);
  });
});

test('an answer arrives byte by byte', async () => {
  const setting = await setUp(faults.slowAnswer);
  const client = await setting.send(POST);
  let pieces = 0;
  client.socket.on('data', () => (pieces += 1));
  await setting.received(client, ANSWER.length);
  expect(client.text()).toBe(ANSWER);
  expect(pieces).toBeGreaterThan(ANSWER.length / 2);
});

/** What the client has and how its connection ended, what the service has, and both after it is let go, if otherwise. */
type Row = [
  what: string,
  WireFault,
  text: string,
  ReturnType<Side['ended']>,
  posts: string[],
  later?: [string, string[]],
];

const half = (text: string, from = 0): string => text.slice(0, Math.floor((from + text.length) / 2));
const IN_HEAD = half(HEAD.slice(0, -4));
const IN_BODY = half(ANSWER, HEAD.length);
const GARBAGE = faults.GARBAGE.toString('latin1');
const over = (at: number): string => ANSWER.slice(0, at) + GARBAGE + ANSWER.slice(at + GARBAGE.length);
const KEPT = 'HTTP/1.1 201 Created\r\nX-Kept: yes\r\n';
const INTERIM = 'HTTP/1.1 102 Processing\r\n\r\n';
const CHUNK = `d\r\n${BODY.slice(0, 13)}\r\n`;
const instead = (delivered: boolean): WireFault =>
  faults.answerInstead('429 Too Many', '{}', { delivered, headers: ['retry-after: 1'] });
const INSTEAD = 'HTTP/1.1 429 Too Many\r\nretry-after: 1\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}';

const endings = (['close', 'reset'] as const).flatMap((ending): Row[] => {
  const how = ending === 'close' ? 'FIN' : 'RST';
  const cut = (part: faults.Part): WireFault => faults.cutRequest(part, ending);
  const answered = (part: faults.Part): WireFault => faults.cutAnswer(part, ending);
  return [
    [`a request cut before its first byte (${how})`, cut(faults.none), '', how, []],
    [`a request cut in its head (${how})`, cut(faults.inHead), '', how, [half(POST_HEAD.slice(0, -4))]],
    [`a request cut in its body (${how})`, cut(faults.inBody), '', how, [half(POST, POST_HEAD.length)]],
    [`a request cut before its last byte (${how})`, cut(faults.allButOne), '', how, [POST.slice(0, -1)]],
    [`an answer cut before its first byte (${how})`, answered(faults.none), '', how, [POST]],
    [`an answer cut in its head (${how})`, answered(faults.inHead), IN_HEAD, how, [POST]],
    [`an answer cut after its head (${how})`, answered(faults.afterHead), HEAD, how, [POST]],
    [`an answer cut in its body (${how})`, answered(faults.inBody), IN_BODY, how, [POST]],
  ];
});

test.each<Row>([
  ...endings,
  ['a request that stalls', faults.stallRequest, '', 'open', [], [ANSWER, [POST]]],
  ['a request delivered late', faults.deliverLate, '', 'FIN', [], ['', [POST]]],
  ['a request delivered twice', faults.deliverTwice, ANSWER, 'open', [POST, POST]],
  ['an answer that stalls', faults.stallAnswer(faults.none), '', 'open', [POST], [ANSWER, [POST]]],
  [
    'an answer that stalls in its body',
    faults.stallAnswer(faults.inBody),
    IN_BODY,
    'open',
    [POST],
    [ANSWER, [POST]],
  ],
  ['an answer given up', faults.halfCloseBeforeAnswer, '', 'FIN', [POST]],
  ['garbage', faults.garbageAnswer, GARBAGE, 'open', [POST]],
  ['garbage in the head', faults.garbageInAnswer(faults.inHead), over(IN_HEAD.length), 'open', [POST]],
  ['garbage in the body', faults.garbageInAnswer(faults.inBody), over(HEAD.length + 12), 'open', [POST]],
  ['an answer twice', faults.answerTwice, ANSWER + ANSWER, 'open', [POST]],
  ['an interim answer', faults.interimFirst('102 Processing'), INTERIM + ANSWER, 'open', [POST]],
  [
    'interim answers',
    faults.interimWithoutEnd('102 Processing', { everyMs: 1, forMs: 3 }),
    INTERIM.repeat(3) + ANSWER,
    'open',
    [POST],
  ],
  ['a length too long', faults.wrongLength(7), `${KEPT}content-length: 32\r\n\r\n${BODY}`, 'FIN', [POST]],
  ['a length too short', faults.wrongLength(-7), `${KEPT}content-length: 18\r\n\r\n${BODY}`, 'FIN', [POST]],
  [
    'no last chunks',
    faults.truncatedChunks,
    `${KEPT}transfer-encoding: chunked\r\n\r\n${CHUNK}`,
    'FIN',
    [POST],
  ],
  ['no length', faults.closeDelimited, `${KEPT.replace('1.1', '1.0')}\r\n${BODY}`, 'FIN', [POST]],
  [
    'the last answer of a connection',
    faults.answerLast,
    `${KEPT}content-length: 25\r\nconnection: close\r\n\r\n${BODY}`,
    'FIN',
    [POST],
  ],
  ['an answer from in between', instead(true), INSTEAD, 'FIN', [POST]],
  ['an answer from in between alone', instead(false), INSTEAD, 'FIN', []],
])('%s', async (_what, fault, text, ended, arrived, later = [text, arrived]) => {
  const setting = await setUp(fault);
  const client = await setting.send(POST);
  await setting.received(client, text.length);
  if (ended !== 'open') await client.end();
  await setting.passTime();
  expect([client.text(), client.ended(), posts(setting)]).toEqual([text, ended, arrived]);
  // Whoever has a part of a request alone is told as the client is.
  if (arrived.some((request) => request !== POST)) expect(setting.arrived[0]?.ended()).toBe(ended);
  await setting.proxy.release();
  if (ended === 'open') await setting.received(client, later[0].length);
  expect([client.text(), posts(setting)]).toEqual(later);
});

describe('a connection', () => {
  test.each([
    ['close', 'FIN'],
    ['reset', 'RST'],
  ] as const)('is accepted and ended at once (%s)', async (ending, how) => {
    const setting = await setUp(undefined);
    setting.proxy.onAccept = (nth) => (nth === 0 ? ending : undefined);
    const first = await setting.send('');
    await first.end();
    const second = await setting.send(GET);
    await setting.received(second, ANSWER.length);
    expect([first.text(), first.ended(), second.text()]).toEqual(['', how, ANSWER]);
    expect(setting.proxy.requests).toHaveLength(1);
  });

  test('is refused until the proxy listens again, while those that are open go on', async () => {
    const setting = await setUp(undefined);
    const old = await setting.send(GET);
    await setting.received(old, ANSWER.length);
    setting.proxy.refuse();
    const refused = await setting.send(GET);
    await refused.end();
    expect(refused.ended()).toBe('refused');
    old.socket.write(GET);
    await setting.received(old, 2 * ANSWER.length);
    const { url } = setting.proxy;
    await setting.proxy.listen();
    expect(setting.proxy.url).toBe(url);
    const welcome = await setting.send(GET);
    await setting.received(welcome, ANSWER.length);
    expect(welcome.text()).toBe(ANSWER);
  });
});

test('a fault that fails makes itself known when the proxy closes', async () => {
  const setting = await setUp(undefined);
  const proxy = new TcpFaultProxy(setting.proxy.url);
  await proxy.listen();
  proxy.fault = () => async () => await Promise.reject(new Error('broken'));
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(GET);
  await setting.passTime();
  expect(() => proxy.close()).toThrow('A fault of the proxy failed.');
  await once(socket, 'close');
});
