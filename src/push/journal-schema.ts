import { chmodSync, closeSync, constants, existsSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { EventregError, EXIT } from '../errors.ts';
import { makeDirectory } from '../make-directory.ts';
import { LOCKS_FOLDER } from './run-locks.ts';

/** Counts the shapes that the journal has had. One of another shape is refused, never rewritten. */
const VERSION = 4;

/** Reading a very large file holds the journal this long at a time. */
const BUSY_MS = 30_000;
const LOG_PAUSE_MS = 20;
/** A new journal is empty for some milliseconds. */
const FILLING_MS = 400;
/** With SQLite's own 2 MB the pages that sending touches are read again from the disk for every row. */
const CACHE_KIB = 16_384;

export type Database = InstanceType<typeof DatabaseSync>;

/** Rows that the service has taken, of which the bases do not know yet. */
export const UNBASED = `op = 'send' AND state IN ('done', 'accepted') AND sent_no > coalesce(based_no, 0)`;

const STEPS = `
CREATE TABLE step (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  status INTEGER,
  request_id TEXT,
  detail TEXT
) STRICT;
CREATE INDEX step_row ON step (run, seq);
CREATE TABLE learned (
  service TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (service, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE base (
  service TEXT NOT NULL,
  event TEXT NOT NULL,
  name TEXT NOT NULL,
  pairs TEXT NOT NULL,
  at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (service, name, event)
) STRICT, WITHOUT ROWID;
CREATE TABLE base_key (key BLOB NOT NULL) STRICT;
`;

/**
 * How many rows there are to a value, for a journal of large runs; never measured anew. Without it SQLite
 * takes "of this run" for as telling as "of this run and with this barcode", and walks through a whole run
 * for every row of it.
 */
const STATISTICS = `
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('row', 'row', '1000000 100000 1'),
  ('row', 'row_queue', '1000000 100000 20000 20000 1 1'),
  ('row', 'row_depth', '1000000 100000 50000 1'),
  ('row', 'row_barcode', '1000000 100000 1 1'),
  ('row', 'row_parent', '1000000 100000 5 1'),
  ('row', 'row_identity', '1000000 10 1 1 1'),
  ('row', 'row_remote', '1000000 10 1 1'),
  ('run', 'run_content', '30 30 30 1'),
  ('step', 'step_row', '2000000 200000 2');
ANALYZE sqlite_schema;
`;

/**
 * A run is one execution of a push, a delete or an undo; only an interrupted one is gone on with under its id.
 * `content_key` is set until it is finished: the same rows for the same event find it again. `continued_by` is
 * the run that went on from it with files that were edited since. `counts` is what it came to at its end,
 * `later` what was decided or undone since, each with its time.
 * A row is one registration of a run, from reading to outcome.
 * `part` tells the registrations of one record apart: 0 is its own, the others are its companions', each
 * a row of its own right behind it. `notes` is what was mended, `raw` the cells as they stood.
 * `op` is what the row asks for: `send` or `delete`. `payload` is what the file says, `plan` what comparing came
 * to. `verdicts` is what becomes of each value that the service holds otherwise, by field; `ask` is the row
 * without those that are kept or in conflict, where there are any. `before` is the registration as the service
 * listed it before the row was first sent, `position` where in its list, `latest` before it was sent again, `after` as
 * it lists it since, where that is not what was sent, `answer` as it showed it right after it took the row, where
 * that was not what was sent. `near` is what the service might change instead of registering a new row, and in a
 * conflict whom the row may be about. `proof` is what shows that a row registered somebody new: `absent` before it
 * was sent, and the id of the answer `unlisted` then, and `new` once it was read back. `differences` is where the
 * audit found it otherwise than it was to be left, a finding what it found besides, also of registrations that no row
 * stands for.
 *
 * A step is one thing that was done about a row. Its number orders everything that this journal knows,
 * whatever the clock does: `sent_no` is the step of the row's last intent, `held_no` the one at which the
 * service was last known to hold the row as it is, `inherited_no` the last step at which a run took over what other
 * runs know of its rows; -1 until it did. `based_no` is the last `sent_no` of which the bases know. `left_out` is
 * what the row left out to see what becomes of it, until it is seen to be there.
 *
 * A base is what is known of the values of one registration, apart from runs: what the file said of each, and
 * what the service was then seen to hold, as digests under `base_key`. `at` is when it was last true.
 */
const SCHEMA = `
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL DEFAULT 'push',
  undoes TEXT,
  service TEXT NOT NULL,
  event TEXT NOT NULL,
  event_name TEXT NOT NULL,
  files TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  content_key TEXT,
  holder TEXT,
  message TEXT,
  inherited_no INTEGER NOT NULL DEFAULT -1,
  continued_by TEXT,
  counts TEXT,
  later TEXT
) STRICT;
CREATE UNIQUE INDEX run_content ON run (service, event, content_key) WHERE content_key IS NOT NULL;
CREATE TABLE row (
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  file TEXT NOT NULL,
  sheet TEXT,
  line INTEGER NOT NULL,
  part INTEGER NOT NULL DEFAULT 0,
  op TEXT NOT NULL DEFAULT 'send',
  state TEXT NOT NULL,
  row_key TEXT,
  hash TEXT,
  persona TEXT,
  barcode TEXT,
  parent_barcode TEXT,
  enable_comms INTEGER NOT NULL DEFAULT 0,
  depth INTEGER,
  position INTEGER NOT NULL DEFAULT 0,
  payload TEXT,
  raw TEXT,
  reasons TEXT,
  notes TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER,
  done_at INTEGER,
  status INTEGER,
  remote_id TEXT,
  action TEXT,
  message TEXT,
  plan TEXT,
  ask TEXT,
  verdicts TEXT,
  before TEXT,
  latest TEXT,
  after TEXT,
  near TEXT,
  proof TEXT,
  answer TEXT,
  differences TEXT,
  sent_no INTEGER,
  held_no INTEGER,
  checked_at INTEGER,
  based_no INTEGER,
  left_out TEXT,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX row_queue ON row (run, state, depth, position, seq);
CREATE INDEX row_depth ON row (run, depth);
CREATE INDEX row_barcode ON row (run, barcode) WHERE barcode IS NOT NULL;
CREATE INDEX row_parent ON row (run, parent_barcode) WHERE parent_barcode IS NOT NULL;
CREATE INDEX row_identity ON row (row_key, max(coalesce(sent_no, 0), coalesce(held_no, 0)))
  WHERE row_key IS NOT NULL;
CREATE INDEX row_remote ON row (remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX row_left_out ON row (run) WHERE left_out IS NOT NULL;
CREATE INDEX row_unbased ON row (run) WHERE ${UNBASED};
CREATE TABLE finding (
  no INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  seq INTEGER,
  remote_id TEXT,
  barcode TEXT,
  kind TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;
CREATE INDEX finding_run ON finding (run, seq);
CREATE TABLE email (
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  domain TEXT NOT NULL,
  column_name TEXT NOT NULL,
  field TEXT NOT NULL,
  value TEXT NOT NULL
) STRICT;
CREATE INDEX email_domain ON email (run, domain);
${STEPS}
${STATISTICS}`;

/** Opens the journal of this machine, making it when there is none. Readable by its owner only. */
export function openJournalDatabase(stateDir: string): Database {
  const file = join(stateDir, 'journal.sqlite');
  try {
    makeDirectory(stateDir);
    makePrivate(file);
    const db = new DatabaseSync(file, { timeout: BUSY_MS });
    return prepare(db, file);
  } catch (error) {
    throw error instanceof EventregError ? error : journalError(error, file);
  }
}

/** Closes it when it cannot be used. Throws what is wrong with it. */
function prepare(db: Database, file: string): Database {
  try {
    refuseOtherVersion(db, file);
    useLog(db);
    emptyLog(db);
    db.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = FILE;
       PRAGMA cache_size = -${CACHE_KIB};`,
    );
    refuseDamaged(db, file);
    makeTables(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Turns the write-ahead log on. SQLite does not wait for another process that is doing just that to a new
 * file, so the waiting is ours. Throws what SQLite throws.
 */
function useLog(db: Database): void {
  for (let left = BUSY_MS / LOG_PAUSE_MS; ; left -= 1) {
    try {
      db.exec('PRAGMA journal_mode = WAL;');
      return;
    } catch (error) {
      if (primaryCode(error) !== SQLITE_BUSY || left <= 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_PAUSE_MS);
    }
  }
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

/** The file is made before SQLite opens it, so that it is never open to others; links are not followed. */
function makePrivate(file: string): void {
  const existing = lstatSync(file, { throwIfNoEntry: false });
  if (existing === undefined) {
    makeFile(file);
  } else if (!existing.isFile()) {
    throw new EventregError(EXIT.failed, `The journal ${file} is not a plain file.`, {
      hint: 'Move it away, or choose another folder with EVENTREG_STATE_DIR.',
    });
  } else {
    if ((existing.mode & 0o077) !== 0) chmodSync(file, 0o600);
    if (existing.size === 0) refuseEmptied(file);
  }
}

/** Another process may make it at the same moment; whoever comes second takes what is there. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    makePrivate(file);
  }
}

/**
 * A journal is never empty once it has a log, or runs that were locked: what it knew of them would be gone
 * without a word.
 */
function refuseEmptied(file: string): void {
  const left = leftBeside(file);
  if (left === undefined) return;
  for (let pauses = FILLING_MS / LOG_PAUSE_MS; pauses > 0; pauses -= 1) {
    // Another process may just be filling it.
    if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_PAUSE_MS);
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
  const { quick_check: finding } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (finding !== 'ok') throw damaged(file, finding.split('\n').at(-1) ?? finding);
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

function makeTables(db: Database): void {
  if (versionOf(db) === VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  // Another process may have made them since.
  if (versionOf(db) === 0) db.exec(`${SCHEMA} PRAGMA user_version = ${VERSION};`);
  db.exec('COMMIT');
}

function versionOf(db: Database): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** The error for a journal that cannot be opened, read or written. Sending stops at once. */
export function journalError(cause: unknown, file: string): EventregError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = primaryCode(cause);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) return damaged(file, reason, cause);
  return new EventregError(EXIT.failed, `The journal ${file} cannot be used: ${reason}.`, {
    hint: `${remedyFor(code)} Nothing is sent without a journal; then run the same command again.`,
    cause,
  });
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** SQLite puts the details of a code into its upper bits. */
function primaryCode(cause: unknown): number | undefined {
  const code = (cause as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

function remedyFor(code: number | undefined): string {
  if (code === SQLITE_FULL) return 'The disk is full: make room.';
  if (code === SQLITE_READONLY)
    return 'It cannot be written: mend the permissions of the file and its folder, or choose another folder with EVENTREG_STATE_DIR.';
  if (code === SQLITE_BUSY) return 'Another eventreg is reading a large file: wait for it.';
  return 'Make room on the disk, mend the permissions, or choose another folder with EVENTREG_STATE_DIR.';
}

function damaged(file: string, reason: string, cause?: unknown): EventregError {
  return new EventregError(EXIT.failed, `The journal ${file} is damaged: ${reason}.`, {
    hint: `Restore it from a backup, or move ${file}, -wal and -shm away: what was sent is then no longer known here, but the next push compares its rows with the service first.`,
    cause,
  });
}
