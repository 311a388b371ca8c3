import { setMaxListeners } from 'node:events';
import type { Client, Connection } from './client.ts';
import { type Figures, figuresOf, shortestMs } from './figures.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { ServerSpec } from './servers.ts';

const CALLERS = 64;
/** A client that takes so many times the shortest time has shown what it is worth. */
const PATIENCE = 3;

/** Pushes rows with one client to one server of its own. `stop` ends it early, with an error. */
export async function measure(
  spec: ServerSpec,
  client: Client,
  rows: number,
  stop: AbortSignal,
): Promise<Figures> {
  stop.throwIfAborted();
  const server = await startServer(spec);
  try {
    return await push(server, spec, client, rows, stop);
  } finally {
    await server.stop();
  }
}

async function push(
  server: ServerProcess,
  spec: ServerSpec,
  client: Client,
  rows: number,
  stop: AbortSignal,
): Promise<Figures> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE * shortestMs(spec, rows, Date.now()));
  const signal = AbortSignal.any([stop, late.signal]);
  // Every request under way listens to it.
  setMaxListeners(0, signal);
  const url = new URL('/registrations', server.origin);
  const connection = client.connect({ url, limit: spec.limit, windowMs: spec.windowMs, signal });
  const startMs = Date.now();
  try {
    await sendAll(connection, rows, signal);
    const endMs = Date.now();
    stop.throwIfAborted();
    return figuresOf(spec, await server.decisions(), { startMs, endMs });
  } finally {
    clearTimeout(timer);
    // After an error in one caller the others have nothing left to do.
    late.abort();
    await connection.close();
  }
}

/** Resolves when all rows are sent, or as many as there was time for. */
async function sendAll(connection: Connection, rows: number, signal: AbortSignal): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < rows && !signal.aborted) {
      next += 1;
      try {
        await connection.send(JSON.stringify({ name: `Guest ${next}`, barcode: `G-${next}` }));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
