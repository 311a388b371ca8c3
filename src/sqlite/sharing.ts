import type { Database } from './private-database.ts';
import type { Locks } from './run-locks.ts';

/** By what a file is a copy of what several machines share. */
export interface Sharing {
  /** The copy, open. */
  db: Database;
  /** Who this is, as others are told. */
  who: string;
  /** Who works on what, also elsewhere. */
  locks: Locks;
  /** How long it takes at least until what was recorded is where others read it; 0 while that is not known. */
  readonly leadMs: number;
  /** Told what a transaction has changed, as `applyChangeset` takes it. What this writes is part of that transaction. */
  record(changes: Uint8Array): void;
  /** What was deleted has been taken out of the file, and shall be nowhere else. */
  compacted(): void;
  /** Resolves when all that was recorded is where others read it; rejects when it never will be. */
  shipped(): Promise<void>;
  /** Resolves when a request may leave; what it throws keeps it back. One that only reads waits for no intent. */
  mayLeave(isRead: boolean): Promise<void>;
}
