import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a port of this machine that can be blocked. */
export interface TcpRelay {
  port: number;
  /** Bytes stay where they are, in both directions. */
  stall(): void;
  /** Only answers stay away: what is asked arrives. */
  loseAnswers(): void;
  /** There is no way any more. */
  refuse(): void;
  /** From now on it leads to another port; its connections are cut. */
  turnTo(port: number): void;
  /** As at the beginning; what was held back is gone, and its connections are cut. */
  resume(): void;
  close(): void;
}

/** Relays to a port, `delayMs` later in each direction. */
export async function startRelay(target: number, delayMs = 0): Promise<TcpRelay> {
  const pairs = new Set<Socket>();
  let leadsTo = target;
  let mode: 'pass' | 'stall' | 'deaf' | 'shut' = 'pass';
  const pipe = (from: Socket, to: Socket, isAnswer: boolean): void => {
    pairs.add(from);
    from.on('data', (bytes) => {
      const pass = (): void => {
        if (mode === 'pass' || (mode === 'deaf' && !isAnswer)) to.write(bytes);
      };
      if (delayMs === 0) pass();
      else setTimeout(pass, delayMs);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      pairs.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    if (mode === 'shut') {
      client.destroy();
      return;
    }
    const upstream = connect(leadsTo, '127.0.0.1');
    pipe(client, upstream, false);
    pipe(upstream, client, true);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => pairs.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => void (mode = 'stall'),
    loseAnswers: () => void (mode = 'deaf'),
    refuse() {
      mode = 'shut';
      cut();
    },
    turnTo(port) {
      leadsTo = port;
      cut();
    },
    resume() {
      mode = 'pass';
      cut();
    },
    close() {
      cut();
      server.close();
    },
  };
}
