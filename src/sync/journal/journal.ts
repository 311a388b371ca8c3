import { join } from 'node:path';
import { DatabaseFile } from '../../sqlite/database-file.ts';
import { type Locks, RunLocks } from '../../sqlite/run-locks.ts';
import type { Sharing } from '../../sqlite/sharing.ts';
import { WriteGroup } from '../../sqlite/write-group.ts';
import type { Database } from '../../sqlite/private-database.ts';
import { journalError, openJournalDatabase, passingDatabase } from './journal-schema.ts';
import { bootId, IntentBlocks } from './intent-blocks.ts';

/** The SQLite file that keeps every run. Every write is durable when its function returns, but for those of the group. */
export class Journal extends DatabaseFile {
  readonly file: string;
  /** Who works on which run. */
  readonly locks: Locks;
  /** Writes right after one another about rows that a block of intents answers for: a stop of the machine may take them back. */
  readonly group: WriteGroup;
  readonly blocks: IntentBlocks;

  /** Its rows are told of and never sent. */
  readonly isPassing: boolean;

  /** What is written as a group happens at once, under one number. */
  #noOfGroup: number | undefined;

  /** `sharing`, `passing`: in place of the file of the directory. */
  constructor(stateDir: string, { sharing, passing }: { sharing?: Sharing; passing?: Database } = {}) {
    const file = join(stateDir, 'journal.sqlite');
    const db = sharing?.db ?? passing ?? openJournalDatabase(stateDir);
    super(db, (cause) => journalError(cause, file), sharing);
    this.file = file;
    this.isPassing = passing !== undefined;
    this.locks = sharing?.locks ?? new RunLocks(stateDir);
    this.group = new WriteGroup(
      (work) => this.#withoutWaiting(() => this.#atOnce(work)),
      sharing && (() => sharing.shipped()),
    );
    this.blocks = new IntentBlocks(this, this.locks, bootId());
    this.blocks.settle();
  }

  /** One for rows that are told of and never sent: it is gone when it is closed, and with the process. */
  static passing(stateDir: string): Journal {
    return new Journal(stateDir, { passing: passingDatabase() });
  }

  /** Also empties the write-ahead log, where what was deleted would stay; not while others are at work. */
  override close(): void {
    try {
      this.db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE);');
    } catch {
      // A journal that cannot be written has been reported by whoever wrote to it.
    }
    super.close();
    this.locks.close();
  }

  /** The number of what is written now: it orders all that this journal knows, whatever the clock does. */
  nextNo(): number {
    return this.#noOfGroup ?? this.transaction(() => this.#countOn());
  }

  #countOn(): number {
    return this.get<{ no: number }>('UPDATE counter SET no = no + 1 RETURNING no')?.no ?? 0;
  }

  #atOnce(work: () => void): void {
    this.#noOfGroup = this.#countOn();
    try {
      work();
    } finally {
      this.#noOfGroup = undefined;
    }
  }

  /** Makes what is written durable with the next write that is. */
  #withoutWaiting(work: () => void): void {
    if (this.sharing !== undefined) return this.transaction(work);
    this.guard(() => this.db.exec('PRAGMA synchronous = NORMAL;'));
    try {
      this.transaction(work);
    } finally {
      this.guard(() => this.db.exec('PRAGMA synchronous = FULL;'));
    }
  }
}
