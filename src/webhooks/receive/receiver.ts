import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { EventregError, EXIT, UsageError } from '../../errors.ts';
import type { Clock } from '../../pacing/clock.ts';
import { isLoopback } from '../../settings/service-url.ts';
import type { Arrival } from '../deliveries/read-delivery.ts';

/** What a delivery is answered with. */
export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

export interface ReceiverOptions {
  /** 0: any that is free. */
  port: number;
  clock: Clock;
  /** Takes a delivery and says what it is answered with. What it throws is answered with 503. */
  take: (arrival: Arrival, gone: AbortSignal) => Promise<Reply>;
  /** Told of what is refused, in a sentence. */
  onRefused?: ((what: string, status: number | string) => void) | undefined;
}

/** Listens on this machine alone. */
export interface Receiver {
  port: number;
  /** Where deliveries are taken, behind whatever address leads here: `/` and 128 random bits. */
  path: string;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The names that it answers to besides those of this machine. */
  hosts: Set<string>;
  /** Answers a POST there with this text: what shows that an address leads here. */
  proof: { path: string; answer: string };
  /** Drops what is under way. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
export const MOST_BODY_BYTES = 1024 * 1024;
const MOST_HEADER_BYTES = 32 * 1024;
/** Node counts the bytes of names and values alone. */
const MOST_HEADERS = 500;
/** Connections whose request has not come in full; four times as many in all. */
const MOST_WAITING = 100;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const IDLE_MS = 5_000;

const randomPath = (): string => `/${randomBytes(16).toString('hex')}`;

/** Throws UsageError when the port is taken. */
export async function startReceiver({ port, clock, take, onRefused }: ReceiverOptions): Promise<Receiver> {
  const path = randomPath();
  const proof = { path: randomPath(), answer: randomBytes(16).toString('hex') };
  const hosts = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, { hosts, paths: [path, proof.path] });
    if (refusal !== undefined) {
      onRefused?.(describeRefused(request, refusal), refusal);
      refuse(request, response, refusal);
      return;
    }
    if (pathOf(request) === proof.path) {
      request.resume();
      reply(response, { status: 200, body: Buffer.from(proof.answer) });
      return;
    }
    const body = await readBody(request);
    if (body === undefined) {
      onRefused?.(describeRefused(request, 413), 413);
      refuse(request, response, 413);
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const arrival = { atMs: clock.now(), headers: request.rawHeaders, body };
    reply(response, await take(arrival, gone.signal).catch(() => ({ status: 503 })));
  };
  const waiting = new Set<Socket>();
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      request.once('end', () => waiting.delete(request.socket));
      response.once('finish', () => request.socket.destroyed || waiting.add(request.socket));
      // Who hangs up has nothing to be answered.
      answer(request, response).catch(() => response.destroy());
    },
  );
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable) return;
    const status = STATUSES[code] ?? (code.startsWith('HPE_') ? '400 Bad Request' : undefined);
    if (status !== undefined)
      onRefused?.(`A request that cannot be read was answered with ${status}.`, status);
    socket.end(`HTTP/1.1 ${status ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
  });
  // The size of all of them is bounded; more than this number would be left out without a word.
  server.maxHeadersCount = 0;
  server.maxConnections = 4 * MOST_WAITING;
  server.on('connection', (socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    // Whoever has kept us waiting longest makes room, so that slow ones shut nobody out.
    const [oldest] = waiting;
    if (waiting.size > MOST_WAITING) oldest?.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port)));
    server.listen(port, HOST, () => resolve());
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    path,
    url: `http://${HOST}:${taken}`,
    hosts,
    proof,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Ours {
  hosts: ReadonlySet<string>;
  paths: readonly string[];
}

/** The status that a request is refused with before it is read; undefined: it is taken. */
function refusalOf(request: IncomingMessage, { hosts, paths }: Ours): number | undefined {
  if (request.rawHeaders.length > 2 * MOST_HEADERS) return 431;
  // Any web page can point a name of its own at this machine.
  const name = hostName(request.headers.host);
  if (name === undefined || !(isLoopback(name) || hosts.has(name))) return 421;
  if (!paths.includes(pathOf(request))) return 404;
  if (request.method !== 'POST') return 405;
  return Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES ? 413 : undefined;
}

/** Some services write addresses with a slash at the end. */
const pathOf = ({ url = '' }: IncomingMessage): string => url.replace(/\?.*$/s, '').replace(/\/$/, '');

const MOST_SHOWN = 60;

/** What Node.js answers to a request that it cannot read, by its error. */
const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function describeRefused({ method, url = '', headers }: IncomingMessage, status: number): string {
  const [path, host] = [url, headers.host ?? 'none'].map((text) => text.slice(0, MOST_SHOWN));
  if (status === 413) {
    return `A delivery to the address of this listen is larger than ${MOST_BODY_BYTES / 1024 / 1024} MB: it was answered with 413, and is not stored.`;
  }
  return `No delivery to the address of this listen: ${method} ${path} (Host: ${host}) was answered with ${status}.`;
}

function hostName(host: string | undefined): string | undefined {
  const address = `http://${host}`;
  return host !== undefined && URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** The whole body; undefined when it is larger than it may be. Rejects when it breaks off. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    request.on('data', (part: Buffer) => {
      length += part.length;
      if (length <= MOST_BODY_BYTES) parts.push(part);
      else {
        parts.length = 0;
        resolve(undefined);
      }
    });
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('it was broken off')));
  });
}

/** The connection ends with the answer: what is still to come is not waited for. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.resume();
  const allow = status === 405 ? { allow: 'POST' } : {};
  reply(response, { status, headers: { connection: 'close', ...allow } });
}

function reply(response: ServerResponse, { status, headers = {}, body = new Uint8Array() }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

function portError(error: NodeJS.ErrnoException, port: number): EventregError {
  if (error.code === 'EADDRINUSE') {
    return new UsageError(`Port ${port} of this machine is in use.`, {
      hint: 'Is another `eventreg webhooks listen` running? Choose another with --port, or 0 for any that is free.',
    });
  }
  return new EventregError(EXIT.failed, `Cannot listen on ${HOST} port ${port}: ${error.message}`, {
    hint: 'Choose another --port, or 0 for any that is free.',
    cause: error,
  });
}
