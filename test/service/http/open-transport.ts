import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Network } from '../../../src/service/http/http.ts';
import { createUndiciTransport, type UndiciOptions } from '../../../src/service/http/undici-transport.ts';

/** A transport until the test ends. */
export function transport(overrides: Partial<UndiciOptions> = {}): Network {
  const opened = createUndiciTransport({
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    env: {},
    ...overrides,
  });
  onTestFinished(() => opened.close());
  return opened.send;
}

/** Listens on 127.0.0.1 until the test ends; gives the port. */
export async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  };
  server.on('connection', keep);
  server.on('secureConnection', keep);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A port on which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
