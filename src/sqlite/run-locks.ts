import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../make-directory.ts';
import { isHeldOpen } from '../put-in-place.ts';
import { type Database, isBusy, makePrivateFile, openPrepared } from './private-database.ts';

/** In the directory of state, beside the journal. */
export const LOCKS_FOLDER = 'locks';

/**
 * Which runs are being worked on: each has a file, locked by the operating system for as long as the
 * process lives. A process that was killed holds nothing, and no other can be mistaken for it, whatever
 * its number or the name of the machine. The files are empty; SQLite only does the locking.
 */
export class RunLocks {
  readonly #folder: string;
  readonly #held = new Map<string, Database>();

  constructor(stateDir: string) {
    this.#folder = join(stateDir, LOCKS_FOLDER);
  }

  /** False when another process, or another journal of this one, has the run. Throws when the file cannot be made. */
  take(run: string): boolean {
    if (this.#held.has(run)) return true;
    const handle = lock(this.#makeFile(run));
    if (handle === undefined) return false;
    this.#held.set(run, handle);
    return true;
  }

  /** Whether somebody else works on the run at this moment. */
  isHeld(run: string): boolean {
    if (this.#held.has(run)) return false;
    const handle = lock(this.#makeFile(run));
    handle?.close();
    return handle === undefined;
  }

  /** Whether this journal has the run. */
  isOwn(run: string): boolean {
    return this.#held.has(run);
  }

  release(run: string): void {
    this.#held.get(run)?.close();
    this.#held.delete(run);
  }

  /** Removes the file of a run that is no more; it stays where somebody has it open, which on Windows is in the way. */
  forget(run: string): void {
    this.release(run);
    try {
      rmSync(join(this.#folder, run), { force: true });
    } catch (error) {
      if (!isHeldOpen(error)) throw error;
    }
  }

  close(): void {
    for (const run of this.#held.keys()) this.release(run);
  }

  #makeFile(run: string): string {
    const file = join(this.#folder, run);
    makeDirectory(this.#folder);
    // Never opened again once it is there: closing it would let go of a lock that this process has.
    makePrivateFile(file);
    return file;
  }
}

/** Who works on what. */
export type Locks = Pick<RunLocks, keyof RunLocks>;

/** The open lock, or undefined when it is taken. */
function lock(file: string): Database | undefined {
  try {
    return openPrepared(file, 0, (handle) =>
      handle.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;'),
    );
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}
