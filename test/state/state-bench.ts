import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Clock } from '../../src/pacing/clock.ts';
import { makeKey, parseAddress, parseKey } from '../../src/settings/state-address.ts';
import { endTurn } from '../../src/commands/state/run-state.ts';
import { type OpenSpace, SpaceOpener } from '../../src/state/open-space.ts';
import { Space } from '../../src/state/space.ts';
import { StateDatabase } from '../../src/state/state-database.ts';
import type { Journal } from '../../src/sync/journal/journal.ts';
import { VERSION } from '../../src/sync/journal/journal-tables.ts';
import { type Cluster, startCluster, whyWithoutPostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

export const WITHOUT = whyWithoutPostgres();
if (WITHOUT !== undefined) process.stderr.write(`${WITHOUT}\n`);

/** A cluster for all tests of a file. */
export function useCluster(): () => Cluster {
  let cluster: Cluster | undefined;
  beforeAll(async () => {
    if (WITHOUT === undefined) cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());
  return () => {
    if (cluster === undefined) throw new Error('There is no cluster.');
    return cluster;
  };
}

export const realClock: Clock = {
  now: () => Date.now(),
  steadyMs: () => performance.now(),
  sleep: async (ms, signal, { ref = true } = {}) => {
    try {
      await sleep(ms, undefined, signal === undefined ? { ref } : { ref, signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/** A machine of a team. */
export class Machine {
  readonly told: string[] = [];
  readonly stopping = new AbortController();
  readonly directory: string;
  clock: Clock = realClock;
  readonly #url: string;
  readonly #key: string;
  readonly #name: string;

  constructor(url: string, key: string, name: string, directory = temporaryDirectory()) {
    this.#url = url;
    this.#key = key;
    this.#name = name;
    this.directory = directory;
  }

  /** The same machine, by another way to the database. */
  by(url: string, key = this.#key): Machine {
    return new Machine(url, key, this.#name, this.directory);
  }

  opener(): SpaceOpener {
    const { signal } = this.stopping;
    const opener = new SpaceOpener({
      address: parseAddress(this.#url),
      key: parseKey(this.#key),
      stateDir: this.directory,
      clock: this.clock,
      stopping: signal,
      aborting: signal,
      self: { user: this.#name, host: `${this.#name}-host`, pid: 1, startedAt: 1 },
      tell: (text) => this.told.push(text),
    });
    onTestFinished(() => opener.close().catch(() => undefined));
    return opener;
  }

  write(does = 'pushes guests.csv', maxWaitMs?: number): Promise<OpenSpace> {
    return this.#open((opener) => opener.openToWrite({ does, maxWaitMs }));
  }

  read(): Promise<OpenSpace> {
    return this.#open((opener) => opener.openToRead());
  }

  async #open(open: (opener: SpaceOpener) => Promise<OpenSpace>): Promise<OpenSpace> {
    const opener = this.opener();
    try {
      return await open(opener);
    } catch (error) {
      await opener.close();
      throw error;
    }
  }

  /** Ends the turn of another. */
  async take(): Promise<void> {
    const opener = this.opener();
    await endTurn(opener, await opener.head());
  }

  /** Writes a word, and ends. */
  async say(word: string): Promise<void> {
    const { journal, end } = await this.write();
    note(journal, word);
    await end();
  }

  /** What all have written. */
  async hear(): Promise<string[]> {
    const { journal, end } = await this.read();
    const words = wordsIn(journal);
    await end();
    return words;
  }
}

/** Machines of a new space. */
export async function openTeam(url: string) {
  const key = makeKey();
  const database = new StateDatabase(parseAddress(url));
  await new Space(database, parseKey(key), VERSION).init();
  await database.close();
  return { key, machine: (name: string): Machine => new Machine(url, key, name) };
}

/** Something that a journal keeps. */
export const note = (journal: Journal, word: string): number =>
  journal.run('INSERT OR REPLACE INTO learned (service, name, value, at) VALUES (?, ?, ?, 1)', [
    'test',
    word,
    word,
  ]);

export const wordsIn = (journal: Journal): string[] =>
  journal
    .all<{ name: string }>(`SELECT name FROM learned WHERE service = 'test' ORDER BY name`)
    .map(({ name }) => name);

/** All rows of all tables that are shared. */
export function tablesOf(journal: Journal): Record<string, unknown[]> {
  const tables = journal.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN ('outbox', 'stand')`,
  );
  return Object.fromEntries(
    tables.map(({ name }) => [name, journal.all(`SELECT * FROM ${name} ORDER BY 1, 2`)]),
  );
}
