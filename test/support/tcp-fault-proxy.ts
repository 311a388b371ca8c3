import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { parseMessage } from './http-bytes.ts';
import { MessageReader } from './message-reader.ts';

/** A request that arrived whole at the proxy. */
export interface WireRequest {
  method: string;
  /** Path and query. */
  path: string;
  body: string;
  /** All of it, as the client sent it. */
  bytes: Buffer;
  /** How many requests of this method came before it. */
  nth: number;
}

/** What a fault works with: one request, the client's connection, and ways to the service. */
export interface Wire {
  request: WireRequest;
  client: Socket;
  /** A new connection to the service. */
  dial: () => Promise<Socket>;
  /** Sends the request to the service over a connection of its own. Returns the bytes of the answer, as many as came. */
  deliver: () => Promise<Buffer>;
  /** Until the test calls `release`. */
  hold: () => Promise<void>;
  /** Has something done when the test calls `release`, while the client goes on. */
  later: (work: () => Promise<unknown>) => void;
}

/** What becomes of one request, byte by byte. When it ends, the proxy reads on if the client is still there. */
export type WireFault = (wire: Wire) => Promise<void>;

/** Passes a request on, and its answer back. */
export const passOn: WireFault = async ({ client, deliver }) => {
  client.write(await deliver());
};

const HOST = '127.0.0.1';

/**
 * Stands between a client and a service at the level of TCP and breaks what the test says, byte by byte.
 * Every request goes to the service over a connection of its own.
 */
export class TcpFaultProxy {
  /** Requests that arrived whole, in order. */
  readonly requests: WireRequest[] = [];
  /** How many connections were accepted so far. */
  connections = 0;
  /** Undefined: the request and its answer are passed on as they are. */
  fault: (request: WireRequest) => WireFault | undefined = () => undefined;
  /** What happens to a connection before anything is read from it; `nth` counts from 0. */
  onAccept: (nth: number) => 'close' | 'reset' | undefined = () => undefined;
  readonly #target: URL;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  /** Lets go what is held back, and returns when it has been done. */
  #held: (() => Promise<unknown>)[] = [];
  readonly #failures: unknown[] = [];
  #port = 0;

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
  }

  get url(): string {
    return `http://${HOST}:${this.#port}`;
  }

  /** Starts to listen; after `refuse`, at the same address as before. */
  async listen(): Promise<void> {
    this.#server.listen(this.#port, HOST);
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops to listen: whoever connects is refused. Open connections stay. */
  refuse(): void {
    this.#server.close();
  }

  /** Lets go what is held back; returns when it has been done. */
  async release(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    await Promise.all(held.map((letGo) => letGo()));
  }

  /** Throws when a fault failed to do what it should. */
  close(): void {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, 'A fault of the proxy failed.');
  }

  #accept(client: Socket): void {
    this.#clients.add(client.setNoDelay());
    client.on('error', () => undefined);
    client.on('close', () => this.#clients.delete(client));
    const end = this.onAccept(this.connections);
    this.connections += 1;
    if (end === 'close') client.destroy();
    else if (end === 'reset') client.resetAndDestroy();
    else void this.#serve(client).catch((error: unknown) => this.#failures.push(error));
  }

  async #serve(client: Socket): Promise<void> {
    const reader = new MessageReader(client);
    for (let bytes = await reader.next(); bytes !== undefined; bytes = await reader.next()) {
      await this.#exchange(client, bytes);
    }
    client.end();
  }

  async #exchange(client: Socket, bytes: Buffer): Promise<void> {
    const { start, body } = parseMessage(bytes);
    const [method = '', path = ''] = start.split(' ');
    const nth = this.requests.filter((earlier) => earlier.method === method).length;
    const request = { method, path, body: body.toString(), bytes, nth };
    this.requests.push(request);
    await this.#suffer(this.fault(request) ?? passOn, { request, client });
  }

  async #suffer(fault: WireFault, { request, client }: Pick<Wire, 'request' | 'client'>): Promise<void> {
    const dial = (): Promise<Socket> => this.#dial();
    let ended = (): void => undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    const later = (work: () => Promise<unknown>): void => void this.#held.push(work);
    const wire: Wire = {
      request,
      client,
      dial,
      deliver: () => deliver(dial, request.bytes),
      hold: () =>
        new Promise((letGo) => {
          later(() => {
            letGo();
            return end;
          });
        }),
      later,
    };
    await fault(wire).finally(ended);
  }

  async #dial(): Promise<Socket> {
    const socket = connect(Number(this.#target.port), this.#target.hostname).setNoDelay();
    await once(socket, 'connect');
    return socket.on('error', () => undefined);
  }
}

async function deliver(dial: () => Promise<Socket>, bytes: Buffer): Promise<Buffer> {
  const service = await dial();
  const reader = new MessageReader(service);
  service.write(bytes);
  const answer = (await reader.next()) ?? reader.rest;
  service.destroy();
  return answer;
}

/** Starts a proxy in front of a service. It closes with the test, which fails when one of its faults did. */
export async function tcpFaultProxy(target: string): Promise<TcpFaultProxy> {
  const proxy = new TcpFaultProxy(target);
  await proxy.listen();
  onTestFinished(() => proxy.close());
  return proxy;
}
