import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { EventregError, EXIT } from '../errors.ts';

const VERSION = 3;

/** Reading a very large file holds the journal this long at a time. */
const BUSY_MS = 30_000;
const LOG_PAUSE_MS = 20;
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
  ('row', 'row_queue', '1000000 100000 20000 20000 1'),
  ('row', 'row_depth', '1000000 100000 50000 1'),
  ('row', 'row_barcode', '1000000 100000 1 1'),
  ('row', 'row_parent', '1000000 100000 5 1'),
  ('row', 'row_identity', '1000000 10 1 1'),
  ('row', 'row_remote', '1000000 10 1 1'),
  ('run', 'run_content', '30 30 30 1'),
  ('step', 'step_row', '2000000 200000 2');
ANALYZE sqlite_schema;
`;

/**
 * A run is one push, one delete or one undo. A row is one registration of it, from reading to outcome.
 * `content_key` is set while a run can be resumed: the same rows for the same event find it again.
 * `part` tells the registrations of one record apart: 0 is its own, the others are its companions', each
 * a row of its own right behind it. `notes` is what was mended, `raw` the cells as they stood.
 * `op` is what the row asks for: `send` or `delete`. `payload` is what the file says, `plan` what comparing came
 * to. `verdicts` is what becomes of each value that the service holds otherwise, by field; `ask` is the row
 * without those that are kept or in conflict, where there are any. `before` is the registration as the service
 * listed it before the row was first sent, `latest` before it was sent again, `after` as it lists it since, where
 * that is not what was sent, `answer` as it showed it right after it took the row, where that was not what was
 * sent. `differences` is where the audit found it otherwise than it was to be left, a finding what it found
 * besides, also of registrations that no row stands for.
 *
 * A step is one thing that was done about a row. Its number orders everything that this journal knows,
 * whatever the clock does: `sent_no` is the step of the row's last intent, `held_no` the one at which the
 * service was last known to hold the row as it is, `began_no` the last step before a run. `based_no` is the
 * last `sent_no` of which the bases know.
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
  began_no INTEGER NOT NULL DEFAULT 0
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
  answer TEXT,
  differences TEXT,
  sent_no INTEGER,
  held_no INTEGER,
  checked_at INTEGER,
  based_no INTEGER,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX row_queue ON row (run, state, depth, seq);
CREATE INDEX row_depth ON row (run, depth);
CREATE INDEX row_barcode ON row (run, barcode) WHERE barcode IS NOT NULL;
CREATE INDEX row_parent ON row (run, parent_barcode) WHERE parent_barcode IS NOT NULL;
CREATE INDEX row_identity ON row (row_key) WHERE row_key IS NOT NULL;
CREATE INDEX row_remote ON row (remote_id) WHERE remote_id IS NOT NULL;
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
CREATE INDEX finding_run ON finding (run);
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

/** From one version to the next. */
const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `ALTER TABLE row ADD COLUMN sheet TEXT;
ALTER TABLE row ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
ALTER TABLE row ADD COLUMN notes TEXT;`,
  2: `ALTER TABLE run ADD COLUMN kind TEXT NOT NULL DEFAULT 'push';
ALTER TABLE run ADD COLUMN undoes TEXT;
ALTER TABLE run ADD COLUMN began_no INTEGER NOT NULL DEFAULT 0;
ALTER TABLE row ADD COLUMN op TEXT NOT NULL DEFAULT 'send';
ALTER TABLE row ADD COLUMN plan TEXT;
ALTER TABLE row ADD COLUMN before TEXT;
ALTER TABLE row ADD COLUMN after TEXT;
ALTER TABLE row ADD COLUMN sent_no INTEGER;
ALTER TABLE row ADD COLUMN held_no INTEGER;
ALTER TABLE row ADD COLUMN checked_at INTEGER;
CREATE INDEX IF NOT EXISTS row_remote ON row (remote_id) WHERE remote_id IS NOT NULL;
${STEPS}
CREATE TEMP TABLE sent AS SELECT run, seq, row_number() OVER (ORDER BY sent_at, done_at) AS no
  FROM row WHERE sent_at IS NOT NULL;
CREATE INDEX temp.sent_row ON sent (run, seq);
UPDATE row SET sent_no = (SELECT no FROM sent WHERE sent.run = row.run AND sent.seq = row.seq)
  WHERE sent_at IS NOT NULL;
UPDATE row SET held_no = sent_no WHERE state IN ('done', 'accepted', 'unchanged');
UPDATE run SET began_no = (SELECT count(*) FROM row WHERE row.sent_at <= run.started_at);
INSERT INTO sqlite_sequence (name, seq) SELECT 'step', count(*) FROM sent;
DROP TABLE sent;
${STATISTICS}`,
};

/** Opens the journal of this machine, making it when there is none. Readable by its owner only. */
export function openJournalDatabase(stateDir: string): Database {
  const file = join(stateDir, 'journal.sqlite');
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    makePrivate(file);
    const db = new DatabaseSync(file, { timeout: BUSY_MS });
    useLog(db);
    db.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = FILE;
       PRAGMA cache_size = -${CACHE_KIB};`,
    );
    refuseDamaged(db, file);
    migrate(db, file);
    return db;
  } catch (error) {
    throw error instanceof EventregError ? error : journalError(error, file);
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

/** A journal is never empty while it has a log: what it knew of earlier runs would be gone without a word. */
function refuseEmptied(file: string): void {
  const log = lstatSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return;
  // Another process may have filled it since.
  if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  throw damaged(file, 'it is empty, but its log is not');
}

/** Damage is found before anything relies on what is there, whatever the page, for some 3 ms a megabyte. */
function refuseDamaged(db: Database, file: string): void {
  const { quick_check: finding } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (finding !== 'ok') throw damaged(file, finding.split('\n').at(-1) ?? finding);
}

function migrate(db: Database, file: string): void {
  db.exec('BEGIN IMMEDIATE');
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === 0) db.exec(SCHEMA);
  for (let from = version; from > 0 && from < VERSION; from += 1) db.exec(MIGRATIONS[from] ?? '');
  if (version < VERSION) db.exec(`PRAGMA user_version = ${VERSION};`);
  db.exec('COMMIT');
  if (version > VERSION) {
    throw new EventregError(EXIT.failed, `The journal ${file} was written by a newer eventreg.`, {
      hint: 'Update eventreg, or choose another folder with EVENTREG_STATE_DIR.',
    });
  }
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
