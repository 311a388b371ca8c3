import type { DatabaseSync } from '@photostructure/sqlite';
import type { Member } from './shared-turns.ts';
import type { TimeMark } from '../steady-time.ts';

export type PacingDatabase = InstanceType<typeof DatabaseSync>;

/** What all processes know of one account's budget. */
interface SharedBudgetRow extends TimeMark {
  /** Tickets of one era mean nothing in another. */
  era: string;
  version: number;
  /** Whether the service limits its requests; undefined until it has answered. */
  limited: boolean | undefined;
  /** What the pacer's toJSON gave, as JSON; undefined when it cannot be one. */
  memory: string | undefined;
}

/** Nothing that a pacer keeps is nearly as long. */
const LONGEST_MEMORY = 1_000_000;

const READ_BUDGET = `SELECT era, version, limited, last_ms AS lastMs, ahead_ms AS aheadMs,
  CASE WHEN length(memory) <= ${LONGEST_MEMORY} THEN memory END AS memory FROM budget WHERE account = ?`;
const WRITE_BUDGET = `INSERT OR REPLACE INTO budget (account, era, version, limited, memory, last_ms, ahead_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const READ_MEMBERS = `SELECT id, seen_ms AS seenAtMs, waiting, leave, taken, tickets FROM member WHERE account = ?`;
const WRITE_MEMBER = `INSERT OR REPLACE INTO member (account, id, seen_ms, waiting, leave, taken, tickets)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** One account's rows of the pacing file. Throws what SQLite throws. */
export class SharedRows {
  readonly #db: PacingDatabase;
  readonly #account: string;
  readonly #statements;
  #seenVersion: unknown;

  constructor(db: PacingDatabase, account: string) {
    this.#db = db;
    this.#account = account;
    this.#statements = {
      dataVersion: db.prepare('PRAGMA data_version'),
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      readBudget: db.prepare(READ_BUDGET),
      writeBudget: db.prepare(WRITE_BUDGET),
      readMembers: db.prepare(READ_MEMBERS),
      writeMember: db.prepare(WRITE_MEMBER),
      removeMember: db.prepare('DELETE FROM member WHERE account = ? AND id = ?'),
    };
  }

  /** Whether another process has written since `read` was last called. Costs a few microseconds. */
  isNews(): boolean {
    return this.#dataVersion() !== this.#seenVersion;
  }

  read(): { budget: SharedBudgetRow | undefined; members: Member[] } {
    this.#seenVersion = this.#dataVersion();
    const row = this.#statements.readBudget.get(this.#account);
    const members = this.#statements.readMembers.all(this.#account) as Record<string, unknown>[];
    return {
      budget: row === undefined ? undefined : readBudget(row as Record<string, unknown>),
      members: members.map(readMember),
    };
  }

  writeBudget({ era, version, limited, memory, lastMs, aheadMs }: SharedBudgetRow): void {
    const isLimited = limited === undefined ? null : Number(limited);
    const { writeBudget } = this.#statements;
    writeBudget.run(this.#account, era, version, isLimited, memory ?? null, lastMs, aheadMs);
  }

  writeMember({ id, seenAtMs, waiting, leave, taken, tickets }: Member): void {
    const underWay = JSON.stringify(tickets);
    const { writeMember } = this.#statements;
    writeMember.run(this.#account, id, seenAtMs, Number(waiting), leave, taken, underWay);
  }

  removeMember(id: string): void {
    this.#statements.removeMember.run(this.#account, id);
  }

  /** Does the work while no other process can do any. */
  alone<T>(work: () => T): T {
    this.#statements.begin.run();
    try {
      const result = work();
      this.#statements.commit.run();
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }

  #dataVersion(): unknown {
    return (this.#statements.dataVersion.get() as Record<string, unknown>)['data_version'];
  }
}

function readBudget(row: Record<string, unknown>): SharedBudgetRow {
  const { era, version, limited, memory, lastMs, aheadMs } = row;
  return {
    era: String(era),
    version: plainNumber(version),
    limited: typeof limited === 'number' ? limited !== 0 : undefined,
    memory: typeof memory === 'string' ? memory : undefined,
    lastMs: plainNumber(lastMs),
    aheadMs: plainNumber(aheadMs),
  };
}

function readMember(row: Record<string, unknown>): Member {
  const tickets = parseQuietly(row['tickets']);
  return {
    id: String(row['id']),
    seenAtMs: plainNumber(row['seenAtMs']),
    waiting: row['waiting'] === 1,
    leave: plainNumber(row['leave']),
    taken: plainNumber(row['taken']),
    tickets: Array.isArray(tickets) ? tickets.filter((ticket) => typeof ticket === 'number') : [],
  };
}

/** Beyond this, milliseconds could not be told apart. */
const LARGEST = 1e15;

function plainNumber(value: unknown): number {
  return typeof value === 'number' && Math.abs(value) <= LARGEST ? value : 0;
}

/** JSON, or undefined for anything else. */
export function parseQuietly(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
