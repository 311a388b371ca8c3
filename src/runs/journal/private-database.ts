import { chmodSync, closeSync, openSync, type Stats } from 'node:fs';
import { platform } from 'node:os';
import { DatabaseSync } from '@photostructure/sqlite';

export type Database = InstanceType<typeof DatabaseSync>;

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const PAUSE_MS = 20;

/** The code of SQLite, without its details, which are in the upper bits; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Whether another connection stands in the way. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

/** Whether the file is no database, or not as SQLite has written it. */
export const isDamaged = (error: unknown): boolean =>
  sqliteCode(error) === SQLITE_CORRUPT || sqliteCode(error) === SQLITE_NOTADB;

/** Makes an empty file of the owner's own, unless there is one: SQLite would make it open to others. */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Closes a file that is open to others. Windows keeps permissions elsewhere: there it would only unlock what is read-only. */
export function closeToOthers(file: string, { mode }: Pick<Stats, 'mode'>): void {
  if (platform() !== 'win32' && (mode & 0o077) !== 0) chmodSync(file, 0o600);
}

/** Opens a file, and closes it again when `prepare` throws. */
export function openPrepared(file: string, timeout: number, prepare: (db: Database) => void): Database {
  const db = new DatabaseSync(file, { timeout });
  try {
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite does not wait for another process that is turning the log on in a new file, so the waiting is ours. */
export function patiently(forMs: number, work: () => void): void {
  for (let left = forMs / PAUSE_MS; ; left -= 1) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || left <= 0) throw error;
      pause();
    }
  }
}

/** Stands still for some milliseconds. */
export function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

/** What SQLite finds wrong with a file, whatever the page; undefined when it is whole. */
export function damageOf(db: Database): string | undefined {
  const { quick_check: finding } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  return finding === 'ok' ? undefined : finding;
}
