import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EventregError, EXIT } from '../../errors.ts';
import { makeDirectory } from '../../make-directory.ts';
import { INDEXES, TABLES, VERSION } from './journal-tables.ts';
import {
  claimFile,
  damageOf,
  type Database,
  busyRemedy,
  isDamaged,
  makeTables,
  openPrepared,
  peek,
  patiently,
  pause,
  sqliteCode,
  versionOf,
} from '../../sqlite/private-database.ts';
import { LOCKS_FOLDER } from '../../sqlite/run-locks.ts';

/** Reading a very large file holds the journal this long at a time. */
const BUSY_MS = 30_000;
/** A new journal is empty for some milliseconds: so often it is looked at again. */
const FILLING_PAUSES = 20;
/** With SQLite's own 2 MB the pages that sending touches are read again from the disk for every row. */
const CACHE_KIB = 16_384;
/** Whatever changes of a page, all of it is written. */
const PAGE_BYTES = 2048;
/** So long a log may become before it is taken into the file: until then what changes again costs no more. */
const LOG_PAGES = 4000;

/** Opens the journal of this machine, making it when there is none. Readable by its owner only. */
export function openJournalDatabase(stateDir: string): Database {
  const file = join(stateDir, 'journal.sqlite');
  try {
    makeDirectory(stateDir);
    if (claimFile(file, () => notPlain(file))?.size === 0) refuseEmptied(file);
    return openPrepared(file, BUSY_MS, (db) => prepare(db, file));
  } catch (error) {
    throw error instanceof EventregError ? error : journalError(error, file);
  }
}

/** The newest runs, read without the checks of a journal that is to be worked with; none where they cannot be read at once. */
export function peekAtRuns(stateDir: string, most: number): { id: string; kind: string; state: string }[] {
  const sql = `SELECT id, kind, state FROM run WHERE state <> 'reading' ORDER BY started_at DESC LIMIT ?`;
  return peek(join(stateDir, 'journal.sqlite'), sql, most);
}

/**
 * In memory as long as it is small and else in a private file without a name: nothing of it outlives the process. Its
 * rows are written, read once in their order, and never looked for.
 */
export function passingDatabase(): Database {
  return openPrepared('', 0, (db) => {
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};`);
    makeTables(db, TABLES, VERSION);
  });
}

function notPlain(file: string): EventregError {
  return new EventregError(EXIT.failed, `The journal ${file} is not a plain file.`, {
    hint: 'Move it away, or choose another folder with EVENTREG_STATE_DIR.',
  });
}

/** Throws what is wrong with it. */
function prepare(db: Database, file: string): void {
  refuseOtherVersion(db, file);
  patiently(BUSY_MS, () => db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL;`));
  emptyLog(db);
  db.exec(
    `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = FILE;
     PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${LOG_PAGES};`,
  );
  refuseDamaged(db, file);
  makeTables(db, TABLES + INDEXES, VERSION);
}

/**
 * Takes what the log holds into the file, while there is room: after a full disk the log would be all that fits on it.
 * Never waits for anybody; what goes wrong shows at the first write.
 */
function emptyLog(db: Database): void {
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE);');
  } catch {
    // The disk may be full still.
  }
}

/**
 * A journal is never empty once it has a log, or runs that were locked: what it knew of them would be gone
 * without a word.
 */
function refuseEmptied(file: string): void {
  const left = leftBeside(file);
  if (left === undefined) return;
  for (let pauses = FILLING_PAUSES; pauses > 0; pauses -= 1) {
    // Another process may just be filling it.
    if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    pause();
  }
  throw damaged(file, `it is empty, but ${left} is there`);
}

/** What shows that the journal held something once. */
function leftBeside(file: string): string | undefined {
  const locks = join(dirname(file), LOCKS_FOLDER);
  if (existsSync(`${file}-wal`)) return 'its log (-wal)';
  return existsSync(locks) && readdirSync(locks).length > 0 ? `a run in ${locks}` : undefined;
}

/** Damage is found before anything relies on what is there, whatever the page, for some 3 ms a megabyte. */
function refuseDamaged(db: Database, file: string): void {
  const damage = damageOf(db);
  if (damage !== undefined) throw damaged(file, damage.split('\n').at(-1) ?? damage);
}

/** Before anything is written to it. */
function refuseOtherVersion(db: Database, file: string): void {
  const version = versionOf(db);
  if (version === VERSION || version === 0) return;
  const which = version > VERSION ? 'a newer' : 'an older';
  const remedy = version > VERSION ? 'Update eventreg, or choose' : 'Move it away, or choose';
  throw new EventregError(
    EXIT.failed,
    `The journal ${file} was written by ${which} eventreg. It is left as it is.`,
    {
      hint: `${remedy} another folder with EVENTREG_STATE_DIR: the next push compares its rows with the service first.`,
    },
  );
}

/** The error for a journal that cannot be opened, read or written. Sending stops at once. */
export function journalError(cause: unknown, file: string): EventregError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (isDamaged(cause)) return damaged(file, reason, cause);
  return new EventregError(EXIT.failed, `The journal ${file} cannot be used: ${reason}.`, {
    hint: `${remedyFor(cause, file)} Nothing is sent without a journal; then run the same command again.`,
    cause,
  });
}

const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;

function remedyFor(cause: unknown, file: string): string {
  const code = sqliteCode(cause);
  if (code === SQLITE_FULL) return 'The disk is full: make room.';
  if (code === SQLITE_READONLY)
    return 'It cannot be written: mend the permissions of the file and its folder, or choose another folder with EVENTREG_STATE_DIR.';
  const usual = 'Make room on the disk, mend its permissions, or choose a folder with EVENTREG_STATE_DIR.';
  return busyRemedy(cause, dirname(file)) ?? usual;
}

function damaged(file: string, reason: string, cause?: unknown): EventregError {
  return new EventregError(EXIT.failed, `The journal ${file} is damaged: ${reason}.`, {
    hint: `Restore it from a backup, or move ${file}, -wal and -shm away: what was sent is then no longer known here, but the next push compares its rows with the service first.`,
    cause,
  });
}
