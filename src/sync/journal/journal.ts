import { join } from 'node:path';
import { DatabaseFile } from '../../sqlite/database-file.ts';
import { type Locks, RunLocks } from '../../sqlite/run-locks.ts';
import type { Sharing } from '../../sqlite/sharing.ts';
import { LateWrites } from '../../sqlite/late-writes.ts';
import { WriteGroup } from '../../sqlite/write-group.ts';
import type { Database } from '../../sqlite/private-database.ts';
import { journalError, openJournalDatabase, passingDatabase } from './journal-schema.ts';
import { bootId, DEPARTURES, IntentBlocks } from './departures.ts';

const COUNT_ON = 'UPDATE counter SET no = (SELECT no + 1 FROM latest_no) RETURNING no';

/** The SQLite file that keeps every run. Every write is durable when its function returns, but for those of the group. */
export class Journal extends DatabaseFile {
  readonly file: string;
  /** Who works on which run. */
  readonly locks: Locks;
  /** Writes right after one another about rows that a block of intents answers for: a stop of the machine may take them back. */
  readonly group: WriteGroup;
  readonly blocks: IntentBlocks;
  readonly departures: LateWrites;
  /** Its rows are told of and never sent. */
  readonly isPassing: boolean;

  /** `sharing`, `passing`: in place of the file of the directory. */
  constructor(stateDir: string, { sharing, passing }: { sharing?: Sharing; passing?: Database } = {}) {
    const file = join(stateDir, 'journal.sqlite');
    const db = sharing?.db ?? passing ?? openJournalDatabase(stateDir);
    super(db, (cause) => journalError(cause, file), sharing);
    this.file = file;
    this.isPassing = passing !== undefined;
    this.locks = sharing?.locks ?? new RunLocks(stateDir);
    this.departures = new LateWrites(this, { ...DEPARTURES, next: () => this.latestNo + 1 });
    this.group = new WriteGroup((work) => this.together(work, false), sharing && (() => sharing.shipped()));
    this.departures.catchUp();
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
    return this.departures.no ?? this.transaction(() => this.get<{ no: number }>(COUNT_ON)?.no ?? 0);
  }

  /** The number of what was written last. */
  get latestNo(): number {
    return this.get<{ no: number }>('SELECT no FROM latest_no')?.no ?? 0;
  }

  /** As a transaction, under one number, which departures keep themselves. */
  together(work: (no: number) => void, waits = true): void {
    if (this.departures.no !== undefined) return work(this.departures.no);
    this.departures.together((no) => {
      work(no);
      if (this.departures.isEmpty) this.run('UPDATE counter SET no = ?', [no]);
    }, waits);
  }

  protected override before(sql: string): void {
    if (!this.isPassing) this.departures.before(sql);
  }
}
