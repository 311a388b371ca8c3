import { join } from 'node:path';
import { DatabaseFile } from '../../sqlite/database-file.ts';
import type { Payloads } from '../../sqlite/row-codec.ts';
import type { PackedPayloads } from '../ingest/input-row.ts';
import { RunLocks } from '../../sqlite/run-locks.ts';
import { WriteGroup } from '../../sqlite/write-group.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { journalError, openJournalDatabase } from './journal-schema.ts';
import { bootId, IntentBlocks } from './intent-blocks.ts';
import {
  END_OF_DRY_RUN,
  dryRunTables,
  DRY_RUN_DEPTHS,
  DRY_RUN_IDENTITY,
  DRY_RUN_INDEXES,
} from './temporary-tables.ts';

/** The SQLite file that keeps every run. Every write is durable when its function returns, but for those of the group. */
export class Journal extends DatabaseFile {
  readonly file: string;
  /** Who works on which run. */
  readonly locks: RunLocks;
  /** Writes right after one another about rows that a block of intents answers for: a stop of the machine may take them back. */
  readonly group: WriteGroup;
  readonly blocks: IntentBlocks;
  /** Those of a dry run. */
  #packed: PackedPayloads | undefined;

  /** `boot`: tells this start of the machine from others. */
  constructor(stateDir: string, boot = bootId()) {
    const file = join(stateDir, 'journal.sqlite');
    super(openJournalDatabase(stateDir), (cause) => journalError(cause, file));
    this.file = file;
    this.locks = new RunLocks(stateDir);
    this.group = new WriteGroup((work) => this.#withoutWaiting(work));
    this.blocks = new IntentBlocks(this, this.locks, boot);
    this.blocks.settle();
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

  /** Makes what is written durable with the next write that is. */
  #withoutWaiting(work: () => void): void {
    this.guard(() => this.db.exec('PRAGMA synchronous = NORMAL;'));
    try {
      this.transaction(work);
    } finally {
      this.guard(() => this.db.exec('PRAGMA synchronous = FULL;'));
    }
  }

  /**
   * From here on rows and their steps are temporary: those of a dry run, which needs to survive nothing. What is said to
   * be of `main` is the journal's own, as before.
   */
  dryRun(run: string, payloads: PackedPayloads): void {
    this.guard(() => this.db.exec(dryRunTables(run)));
    this.#packed = payloads;
  }

  /** Whether rows are temporary now. */
  get isDryRun(): boolean {
    return this.#packed !== undefined;
  }

  /** A dry run reads only: what it writes is temporary. */
  protected override get begin(): string {
    return this.isDryRun ? 'BEGIN' : super.begin;
  }

  /** All rows of a run are there now. */
  endReading(): void {
    if (!this.isDryRun) return;
    this.guard(() => this.db.exec(DRY_RUN_INDEXES));
    if (this.has('FROM main.row')) this.run(DRY_RUN_IDENTITY);
  }

  /** Rows of the run at hand are looked up by their depth from here on. */
  indexDepths(): void {
    if (this.isDryRun) this.run(DRY_RUN_DEPTHS);
  }

  /** Leaves nothing of what was temporary. */
  endDryRun(): void {
    if (this.isDryRun) this.guard(() => this.db.exec(END_OF_DRY_RUN));
    this.#packed = undefined;
  }

  protected override readonly payloads: Payloads = (seq, payload) =>
    payload === null
      ? (this.#packed?.registrationOf({ seq }) as Registration)
      : (JSON.parse(payload) as Registration);
}
