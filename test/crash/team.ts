import { join } from 'node:path';
import { makeKey, parseAddress, parseKey } from '../../src/settings/state-address.ts';
import { Space } from '../../src/state/space.ts';
import { StateDatabase } from '../../src/state/state-database.ts';
import { VERSION } from '../../src/sync/journal/journal-tables.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';

/** A database that machines share; each chain of kills has a space of its own, half of them through a pooler. */
export class Team {
  readonly #cluster: Cluster;
  readonly #urls: readonly string[];
  #spaces = 0;

  private constructor(cluster: Cluster, urls: readonly string[]) {
    this.#cluster = cluster;
    this.#urls = urls;
  }

  static async open(): Promise<Team> {
    const cluster = await startCluster();
    const team = new Team(cluster, [cluster.url(), cluster.pooledUrl() ?? cluster.url()]);
    for (const _ of team.#urls) await (await team.openSpace()).close();
    return team;
  }

  /** A new space. */
  async openSpace(): Promise<SharedSpace> {
    this.#spaces += 1;
    const url = `${this.#urls[this.#spaces % this.#urls.length]}?space=s${this.#spaces}`;
    const key = makeKey();
    const database = new StateDatabase(parseAddress(url));
    await new Space(database, parseKey(key), VERSION).init();
    return new SharedSpace(database, { EVENTREG_STATE: url, EVENTREG_STATE_KEY: key });
  }

  close(): Promise<void> {
    return this.#cluster.stop();
  }
}

/** A space, and machines that know nothing but how to get there. */
export class SharedSpace {
  readonly #database: StateDatabase;
  readonly #env: Readonly<Record<string, string>>;
  #machines = 0;

  constructor(database: StateDatabase, env: Readonly<Record<string, string>>) {
    this.#database = database;
    this.#env = env;
  }

  /** Where its database, or the pooler in front, listens. */
  get port(): number {
    return this.#database.address.connection.port ?? 0;
  }

  /** The environment of a process on a machine that has nothing. `isDead`: the one before it was killed, and its turn is over. */
  async nextMachine(directory: string): Promise<Record<string, string>> {
    await this.endTurn();
    this.#machines += 1;
    return { ...this.#env, EVENTREG_STATE_DIR: join(directory, `machine-${this.#machines}`) };
  }

  /** Nobody has to wait until the turn of a dead process has run out. */
  async endTurn(): Promise<void> {
    await this.#database.ask('UPDATE eventreg.space SET until = NULL WHERE name = $1', [
      this.#database.address.space,
    ]);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
