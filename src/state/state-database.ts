import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { EventregError, SharedStateError } from '../errors.ts';
import type { SpaceAddress } from '../settings/state-address.ts';

/** So long a statement may take, and a connection: then a new one is made. */
const STATEMENT_MS = 5000;

/** The way to the database of a space: one connection, made anew when it is lost. Statements do not wait for each other. */
export class StateDatabase {
  readonly address: SpaceAddress;
  #client: Promise<Client> | undefined;

  constructor(address: SpaceAddress) {
    this.address = address;
  }

  /**
   * Asks once. Statements have no names: a pooler may give each to another connection. Throws LostAnswer where nobody
   * knows whether it was done, and a SharedStateError that says what is wrong.
   */
  async ask<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const opening = (this.#client ??= this.#open());
    try {
      const client = await opening;
      return (await client.query<Row>(text, values)).rows;
    } catch (error) {
      throw this.#explain(error, opening);
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    if (client === undefined) return;
    // Nobody waits for its goodbye.
    void client.end();
    streamOf(client).unref();
  }

  async #open(): Promise<Client> {
    const { default: pg } = await import('pg');
    const { connection } = this.address;
    const most = { connectionTimeoutMillis: STATEMENT_MS, query_timeout: STATEMENT_MS };
    const ways = { application_name: 'eventreg', keepAlive: true, pipeline: true, ...most };
    const client = new pg.Client({ ...connection, ...ways });
    // The next statement fails, and the one after it makes a new connection.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  #explain(cause: unknown, opening: Promise<Client>): Error {
    if (cause instanceof EventregError) return cause;
    const { code = '', message } = cause as { code?: string; message: string };
    const where = `The shared state at ${this.address.label}`;
    for (const [codes, what, hint] of LASTING)
      if (codes.test(code)) return new SharedStateError(`${where} ${what}: ${message}.`, { hint, cause });
    const hint =
      'Nothing leaves without it, and nothing is lost: run the same command again when it is back.';
    // It may never answer.
    void opening.then((client) => streamOf(client).destroy()).catch(() => undefined);
    if (this.#client === opening) this.#client = undefined;
    return new LostAnswer(`${where} cannot be reached: ${message}.`, { hint, cause });
  }
}

const streamOf = (client: Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Nobody knows whether a statement was done: number and epoch of the space tell. */
export class LostAnswer extends SharedStateError {}

/** In the place of an answer that was lost: none. */
export function unlessLost(error: unknown): undefined {
  if (!(error instanceof LostAnswer)) throw error;
}

/** What asking again does not mend, by SQLSTATE. */
const LASTING: readonly [RegExp, string, string][] = [
  [/^28|^0P/, 'refuses the user', 'Mend user and password in EVENTREG_STATE.'],
  [/^3D/, 'has no such database', 'Mend the name of the database in EVENTREG_STATE.'],
  [/^(?:42P01|3F000)/, 'has no tables of eventreg', 'Make them with `eventreg state init`.'],
  [/^42501/, 'does not allow that', 'The user needs a schema "eventreg" of its own: docs/team.md says how.'],
  [/^42703/, 'has tables of another eventreg', 'Update eventreg on all machines.'],
  [/CERT|ERR_TLS|UNABLE/, 'has no trusted certificate', 'Name its authority in NODE_EXTRA_CA_CERTS.'],
];

/** Asks until there is an answer, for a while. `wait` pauses, and throws what ends the waiting. */
export async function askPatiently<T>(
  ask: () => Promise<T>,
  forMs: number,
  wait: (ms: number) => Promise<void>,
): Promise<T> {
  let waitedMs = 0;
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2000)) {
    const began = performance.now();
    try {
      return await ask();
    } catch (error) {
      waitedMs += performance.now() - began + pauseMs;
      if (!(error instanceof LostAnswer) || waitedMs > forMs) throw error;
      await wait(pauseMs);
    }
  }
}
