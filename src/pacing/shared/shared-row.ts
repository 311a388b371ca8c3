import type { Database } from '../../sqlite/private-database.ts';
import type { TimeMark } from '../steady-time.ts';

/** What all processes know of one account's budget, and where its steady time stands. */
export interface SharedRow extends TimeMark {
  /** What the pacer's toJSON gave, as JSON; null when it cannot be one. */
  memory: string | null;
  /** Who spends from it, as JSON; null when it cannot be that. */
  sharing: string | null;
}

export const BUDGET_SCHEMA = `
CREATE TABLE budget (
  account TEXT PRIMARY KEY,
  memory TEXT,
  sharing TEXT,
  last_ms REAL NOT NULL,
  ahead_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Nothing that is kept is nearly as long. */
const LONGEST = 1_000_000;

const READ = `SELECT iif(length(memory) <= ${LONGEST}, memory, NULL) AS memory,
  iif(length(sharing) <= ${LONGEST}, sharing, NULL) AS sharing, last_ms AS lastMs, ahead_ms AS aheadMs
  FROM budget WHERE account = ?`;
const WRITE =
  'INSERT OR REPLACE INTO budget (account, memory, sharing, last_ms, ahead_ms) VALUES (?, ?, ?, ?, ?)';

/** One account's row of the pacing file. Throws what SQLite throws. */
export class RowFile {
  readonly #db: Database;
  readonly #account: string;

  constructor(db: Database, account: string) {
    this.#db = db;
    this.#account = account;
  }

  /** Does the work while no other process can do any. */
  transact<T>(work: () => T): T {
    this.#db.prepare('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.#db.prepare('COMMIT').run();
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Undefined when nothing is kept of this account. */
  read(): SharedRow | undefined {
    return this.#db.prepare(READ).get(this.#account) as SharedRow | undefined;
  }

  write({ memory, sharing, lastMs, aheadMs }: SharedRow): void {
    this.#db.prepare(WRITE).run(this.#account, memory, sharing, lastMs, aheadMs);
  }

  close(): void {
    this.#db.close();
  }
}

const SQLITE_BUSY = 5;

/** Somebody else has the file for a moment: it is as good as ever. */
export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === SQLITE_BUSY;
}

/** SQLite says so, or the system, or whoever opened the file; any other error is a mistake of ours. */
export function isOfTheFile(error: unknown): boolean {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return code === 'ERR_SQLITE_ERROR' || code === 'EUNUSABLE' || typeof errno === 'number';
}
