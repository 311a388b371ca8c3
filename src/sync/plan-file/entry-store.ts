import { DatabaseSync } from '@photostructure/sqlite';
import type { PlanEntry } from '../plan/plan-entries.ts';

type Database = InstanceType<typeof DatabaseSync>;

/**
 * Entries of a plan by key, however many: a database without a name, in memory as long as it is small and
 * else in a private file that is gone with it. Close it.
 */
export class EntryStore {
  readonly #db: Database;
  readonly #add: ReturnType<Database['prepare']>;
  readonly #take: ReturnType<Database['prepare']>;

  constructor() {
    this.#db = new DatabaseSync('');
    this.#db.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
       CREATE TABLE entry (no INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, json TEXT NOT NULL);
       BEGIN;`,
    );
    this.#add = this.#db.prepare('INSERT OR IGNORE INTO entry (key, json) VALUES ($key, $json)');
    this.#take = this.#db.prepare('DELETE FROM entry WHERE key = $key RETURNING json');
  }

  /** Takes an entry as JSON. False for what is none, and when there is one of its key already. */
  add(json: string): boolean {
    const { key } = (parseJson(json) ?? {}) as { key?: unknown };
    return typeof key === 'string' && this.#add.run({ key, json }).changes === 1;
  }

  /** The entry of a key, which is there no more afterwards. */
  take(key: string): PlanEntry | undefined {
    const row = this.#take.get({ key }) as { json: string } | undefined;
    return row && (JSON.parse(row.json) as PlanEntry);
  }

  /** Those that nobody has taken, in the order in which they came. */
  *left(): Generator<PlanEntry> {
    const rows = this.#db.prepare('SELECT json FROM entry ORDER BY no').iterate();
    for (const { json } of rows as Iterable<{ json: string }>) yield JSON.parse(json) as PlanEntry;
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}

/** Undefined for what is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
