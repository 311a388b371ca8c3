import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { EventregError, EXIT } from '../errors.ts';

const VERSION = 2;

export type Database = InstanceType<typeof DatabaseSync>;

/**
 * A run is one push. A row is one record of its input, from reading to outcome.
 * `content_key` is set while a run can be resumed: the same rows for the same event find it again.
 * `part` tells the registrations of one record apart: 0 is its own, the others are its companions', each
 * a row of its own right behind it. `notes` is what was mended, `raw` the cells as they stood.
 */
const SCHEMA = `
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  service TEXT NOT NULL,
  event TEXT NOT NULL,
  event_name TEXT NOT NULL,
  files TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  content_key TEXT,
  holder TEXT,
  message TEXT
) STRICT;
CREATE UNIQUE INDEX run_content ON run (service, event, content_key) WHERE content_key IS NOT NULL;
CREATE TABLE row (
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  file TEXT NOT NULL,
  sheet TEXT,
  line INTEGER NOT NULL,
  part INTEGER NOT NULL DEFAULT 0,
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
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX row_queue ON row (run, state, depth, seq);
CREATE INDEX row_depth ON row (run, depth);
CREATE INDEX row_barcode ON row (run, barcode) WHERE barcode IS NOT NULL;
CREATE INDEX row_parent ON row (run, parent_barcode) WHERE parent_barcode IS NOT NULL;
CREATE INDEX row_identity ON row (row_key) WHERE row_key IS NOT NULL;
CREATE TABLE email (
  run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  domain TEXT NOT NULL,
  column_name TEXT NOT NULL,
  field TEXT NOT NULL,
  value TEXT NOT NULL
) STRICT;
CREATE INDEX email_domain ON email (run, domain);
`;

/** From one version to the next. */
const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `ALTER TABLE row ADD COLUMN sheet TEXT;
ALTER TABLE row ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
ALTER TABLE row ADD COLUMN notes TEXT;`,
};

/** Opens the journal of this machine, making it when there is none. Readable by its owner only. */
export function openJournalDatabase(stateDir: string): Database {
  const file = join(stateDir, 'journal.sqlite');
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    makePrivate(file);
    const db = new DatabaseSync(file, { timeout: 10_000 });
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = FILE;',
    );
    migrate(db, file);
    return db;
  } catch (error) {
    throw error instanceof EventregError ? error : journalError(error, file);
  }
}

/** The file is made before SQLite opens it, so that it is never open to others; links are not followed. */
function makePrivate(file: string): void {
  const existing = lstatSync(file, { throwIfNoEntry: false });
  if (existing === undefined) {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600));
  } else if (!existing.isFile()) {
    throw new EventregError(EXIT.failed, `The journal ${file} is not a plain file.`, {
      hint: 'Move it away, or choose another folder with EVENTREG_STATE_DIR.',
    });
  } else if ((existing.mode & 0o077) !== 0) {
    chmodSync(file, 0o600);
  }
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
  return new EventregError(EXIT.failed, `The journal ${file} cannot be used: ${reason}.`, {
    hint: 'Make room on the disk, mend the permissions, or choose another folder with EVENTREG_STATE_DIR. Nothing is sent without a journal.',
    cause,
  });
}
