import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBytesSender } from '../../../src/webhooks/deliveries/send-bytes.ts';
import type { Arrival } from '../../../src/webhooks/deliveries/read-delivery.ts';
import { leadsHere } from '../../../src/webhooks/receive/way-in.ts';
import { MOST_BODY_BYTES, type Receiver, startReceiver } from '../../../src/webhooks/receive/receiver.ts';
import { deliver, until } from '../../commands/webhooks/listen-bench.ts';
import { fakeClock } from '../../support/fake-clock.ts';

async function receive(): Promise<{ receiver: Receiver; url: string; taken: Arrival[]; refused: string[] }> {
  const taken: Arrival[] = [];
  const refused: string[] = [];
  const receiver = await startReceiver({
    port: 0,
    clock: fakeClock(),
    take: (arrival) => {
      taken.push(arrival);
      return Promise.resolve({ status: 200 });
    },
    onRefused: (what) => refused.push(what),
  });
  onTestFinished(() => receiver.close());
  return { receiver, url: `${receiver.url}${receiver.path}`, taken, refused };
}

const open = ({ port }: Receiver): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
  });

/** What comes back of raw bytes, until the connection ends. */
const answerTo = async (receiver: Receiver, text: string): Promise<string> => {
  const socket = await open(receiver);
  let answer = '';
  socket.on('data', (part: Buffer) => (answer += part.toString('latin1')));
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write(text);
  await ended;
  return answer;
};

describe('a receiver takes', () => {
  test('a POST at its path, under the names of this machine and of the way in', async () => {
    const { receiver, url, taken } = await receive();
    receiver.hosts.add('tunnel.example');
    for (const host of [
      '127.0.0.1',
      `localhost:${receiver.port}`,
      '[::1]',
      'tunnel.example',
      'TUNNEL.example:443',
    ]) {
      expect([host, (await deliver(url, 'x', ['host', host])).status]).toEqual([host, 200]);
    }
    expect((await deliver(`${url}?a=b`, 'x')).status).toBe(200);
    // Some services write addresses so.
    expect((await deliver(`${url}/`, 'x')).status).toBe(200);
    expect(taken).toHaveLength(7);
    expect(receiver.path).toMatch(/^\/[0-9a-f]{32}$/);
  });

  test('nothing else, and says what it refuses', async () => {
    const { receiver, url, taken, refused } = await receive();
    await deliver(`${receiver.url}/other`, 'x', ['host', 'localhost']);
    await deliver(url, 'x', ['host', 'evil.example']);
    expect([taken, refused]).toEqual([
      [],
      [
        'No delivery to the address of this listen: POST /other (Host: localhost) was answered with 404.',
        `No delivery to the address of this listen: POST ${receiver.path} (Host: evil.example) was answered with 421.`,
      ],
    ]);
  });

  test('bytes and headers as they are', async () => {
    const { url, taken } = await receive();
    const body = Buffer.from([0xff, 0x00, 0x1b, 0xc3]);
    await deliver(url, body, ['X-A', '1', 'x-a', '\u00e9']);
    expect([Buffer.from(taken[0]?.body ?? []), taken[0]?.headers.slice(0, 4)]).toEqual([
      body,
      ['X-A', '1', 'x-a', '\u00e9'],
    ]);
  });

  test('1 MB and no more, whatever length is declared', async () => {
    const { url, receiver, taken, refused } = await receive();
    expect((await deliver(url, Buffer.alloc(MOST_BODY_BYTES))).status).toBe(200);
    expect((await deliver(url, Buffer.alloc(MOST_BODY_BYTES + 1))).status).toBe(413);
    const head = `POST ${receiver.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
    expect(await answerTo(receiver, `${head}Content-Length: 1073741824\r\n\r\nabc`)).toMatch(
      /^HTTP\/1.1 413/,
    );
    const size = (MOST_BODY_BYTES + 1).toString(16);
    const chunk = 'x'.repeat(MOST_BODY_BYTES + 1);
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${size}\r\n${chunk}\r\n`;
    expect(await answerTo(receiver, chunked)).toMatch(/^HTTP\/1.1 413/);
    expect(taken).toHaveLength(1);
    const told = expect.stringContaining('to the address of this listen is larger than 1 MB') as string;
    expect(refused).toEqual([told, told, told]);
  });
});

describe('a receiver refuses', () => {
  test.each([
    ['another name', ['host', 'rebound.example'], 'POST', 421],
    ['a name that looks like one', ['host', '127.0.0.1.rebound.example'], 'POST', 421],
    ['a name that is none', ['host', 'a b'], 'POST', 421],
    ['GET', [], 'GET', 405],
    ['OPTIONS', [], 'OPTIONS', 405],
  ])('%s', async (_, headers, method, status) => {
    const { url, taken } = await receive();
    expect([(await deliver(url, '', headers, method)).status, taken]).toEqual([status, []]);
  });

  test('10,000 headers, and what is no HTTP', async () => {
    const { receiver, url, taken, refused } = await receive();
    const headers = 'a: b\r\n'.repeat(10_000);
    const head = `POST ${receiver.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
    expect(await answerTo(receiver, `${head}${headers}\r\n`)).toMatch(/^HTTP\/1.1 431/);
    expect(await answerTo(receiver, '\u0016\u0003\u0001\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
    expect(refused.map((text) => /with (\d+)/.exec(text)?.[1])).toEqual(['431', '400']);
    expect([(await deliver(url, 'x')).status, taken.length]).toEqual([200, 1]);
  });

  test.each([
    ['that is declared', 'Content-Length: 1073741824\r\n\r\n'],
    ['that comes in chunks', 'Transfer-Encoding: chunked\r\n\r\n40000000\r\n'],
  ])('a GB %s, without taking more of it in than it keeps', async (_, head) => {
    const { receiver, url, taken } = await receive();
    const socket = await open(receiver);
    let answer = '';
    socket.on('data', (part: Buffer) => (answer += part.toString('latin1')));
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    const piece = Buffer.alloc(64 * 1024);
    let pieces = 0;
    const feed = (): void => {
      while (!socket.destroyed && pieces < 16 * 1024) {
        pieces += 1;
        if (!socket.write(piece)) break;
      }
    };
    socket.on('drain', feed);
    socket.write(`POST ${receiver.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}`);
    feed();
    await ended;
    // What the system holds for a connection comes on top of the 1 MB; who goes on sending may not hear the answer.
    expect(['', 'HTTP/1.1 413']).toContain(answer.slice(0, 12));
    expect([pieces < 1024, taken]).toEqual([true, []]);
    expect((await deliver(url, 'x')).status).toBe(200);
  });

  test('nobody because of slow ones: the oldest of them make room', async () => {
    const { receiver, url } = await receive();
    const slow: Socket[] = [];
    for (let nth = 0; nth < 150; nth += 1) {
      const socket = await open(receiver);
      socket.write(`POST ${receiver.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nabc`);
      slow.push(socket.resume());
    }
    expect((await deliver(url, 'x')).status).toBe(200);
    await until(() => slow[0]?.destroyed === true);
    expect(slow.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0);
  });

  test('a port that is taken, in words', async () => {
    const { receiver } = await receive();
    const again = startReceiver({
      port: receiver.port,
      clock: fakeClock(),
      take: () => Promise.reject(new Error()),
    });
    await expect(again).rejects.toThrow(`Port ${receiver.port} of this machine is in use.`);
  });
});

test('an address leads here when it gives the answer that nobody else knows', async () => {
  const { receiver, taken } = await receive();
  const other = await receive();
  const sender = createBytesSender({});
  onTestFinished(() => sender.close());
  expect(await leadsHere(receiver.url, receiver, sender)).toBe(true);
  expect(await leadsHere(`${receiver.url}/`, receiver, sender)).toBe(true);
  expect(await leadsHere(other.receiver.url, receiver, sender)).toBe(false);
  expect(await leadsHere('http://127.0.0.1:9', receiver, sender)).toBe(false);
  expect(taken).toEqual([]);
});
