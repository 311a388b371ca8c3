import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, lstatSync, openSync, rmSync, type Stats } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

export type Statement = ReturnType<InstanceType<typeof DatabaseSync>['prepare']>;

/** A connection that keeps what it has prepared: most is asked again and again, and preparing takes longer than asking. */
export class Database extends DatabaseSync {
  readonly #statements = new Map<string, Statement>();

  override prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = super.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

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

/**
 * Sees to it that SQLite opens a plain file that is closed to others; links are not followed. Returns what was there
 * before, undefined when it was made; throws `notPlain` for what is no plain file.
 */
export function claimFile(file: string, notPlain: () => Error): Stats | undefined {
  const existing = lstatSync(file, { throwIfNoEntry: false });
  if (existing === undefined) {
    makePrivateFile(file);
    return undefined;
  }
  if (!existing.isFile()) throw notPlain();
  // Windows keeps permissions elsewhere: there it would only unlock what is read-only.
  if (platform() !== 'win32' && (existing.mode & 0o077) !== 0) chmodSync(file, 0o600);
  return existing;
}

/** Opens a file, and closes it again when `prepare` throws. */
export function openPrepared(file: string, timeout: number, prepare: (db: Database) => void): Database {
  const db = new Database(file, { timeout });
  try {
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What to do where a file of a folder is locked; undefined for any other error. */
export function busyRemedy(error: unknown, folder: string): string | undefined {
  if (!isBusy(error)) return undefined;
  return hasLocks(folder)
    ? 'Another eventreg is reading a large file: wait for it.'
    : 'Files cannot be locked there, as on some network disks: choose a folder on a disk of this machine with EVENTREG_STATE_DIR.';
}

/** Some network disks refuse each lock as if somebody else had it. */
function hasLocks(folder: string): boolean {
  const file = join(folder, `.lock-${randomUUID()}`);
  try {
    openPrepared(file, 0, (db) => db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;')).close();
    return true;
  } catch (error) {
    return !isBusy(error);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Reads the first rows of a file, and changes nothing; none where it is not there, or cannot be read. */
export function peek<Row>(file: string, sql: string, most: number): Row[] {
  try {
    const db = new Database(file, { readOnly: true });
    try {
      return db.prepare(sql).all(most) as Row[];
    } finally {
      db.close();
    }
  } catch {
    return [];
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

/** The version of the tables in a file; 0 while there are none. */
export function versionOf(db: Database): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** The number by which a program marks its files; 0 where none has. */
export function applicationOf(db: Database): number {
  return (db.prepare('PRAGMA application_id').get() as { application_id: number }).application_id;
}

/** Makes the tables in a file that has none. */
export function makeTables(db: Database, schema: string, version: number): void {
  if (versionOf(db) === version) return;
  db.exec('BEGIN IMMEDIATE');
  // Another process may have made them since.
  if (versionOf(db) === 0) db.exec(`${schema} PRAGMA user_version = ${version};`);
  db.exec('COMMIT');
}
