import type { Client } from 'pg';
import { EventregError, SharedStateError } from '../errors.ts';
import type { SpaceAddress } from '../settings/state-address.ts';

/** So long a statement may take, and a connection: then a new one is made. */
const STATEMENT_MS = 5000;

/** The way to the database of a space: one connection, made anew when it is lost. One statement at a time. */
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
    let timer: NodeJS.Timeout | undefined;
    try {
      const client = await (this.#client ??= this.#open());
      const tooLate = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('it does not answer')), STATEMENT_MS);
      });
      const { rows } = await Promise.race([client.query(text, values), tooLate]);
      return rows as Row[];
    } catch (error) {
      throw this.#explain(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await Promise.race([client?.end(), new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
  }

  async #open(): Promise<Client> {
    const { default: pg } = await import('pg');
    const { connection } = this.address;
    const ways = { application_name: 'eventreg', connectionTimeoutMillis: STATEMENT_MS, keepAlive: true };
    const client = new pg.Client({ ...connection, ...ways });
    // What was under way has failed; the next statement makes a new connection.
    client.on('error', () => (this.#client = undefined));
    await client.connect();
    return client;
  }

  #explain(cause: unknown): Error {
    if (cause instanceof EventregError) return cause;
    const { code = '', message } = cause as { code?: string; message: string };
    const lasting = LASTING.find(([codes]) => codes.test(code));
    if (lasting !== undefined) {
      const [, what, hint] = lasting;
      return new SharedStateError(`The shared state at ${this.address.label} ${what}: ${message}.`, {
        hint,
        cause,
      });
    }
    this.#drop();
    return new LostAnswer(`The shared state at ${this.address.label} cannot be reached: ${message}.`, {
      hint: 'Nothing is sent without it, and nothing is lost: run the same command again when the database is back.',
      cause,
    });
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    const destroy = (lost: unknown): void =>
      (lost as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    void client?.then(destroy).catch(() => undefined);
  }
}

/** Nobody knows whether a statement was done: number and epoch of the space tell. */
export class LostAnswer extends SharedStateError {}

/** What asking again does not mend, by SQLSTATE. */
const LASTING: readonly [RegExp, string, string][] = [
  [/^28|^0P/, 'refuses the user', 'Mend user and password in EVENTREG_STATE.'],
  [/^3D/, 'has no such database', 'Mend the name of the database in EVENTREG_STATE.'],
  [/^(?:42P01|3F000)/, 'has no tables of eventreg', 'Make them with `eventreg state init`.'],
  [/^42501/, 'does not allow that', 'The user needs a schema "eventreg" of its own: docs/team.md says how.'],
  [/^42703/, 'has tables of another eventreg', 'Update eventreg on all machines.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/,
    'shows a certificate that is not trusted',
    'Set NODE_EXTRA_CA_CERTS to the file of its authority.',
  ],
];

/** Asks until there is an answer, for a while. `wait` pauses, and throws what ends the waiting. */
export async function askPatiently<T>(
  ask: () => Promise<T>,
  { forMs, wait }: { forMs: number; wait: (ms: number) => Promise<void> },
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
