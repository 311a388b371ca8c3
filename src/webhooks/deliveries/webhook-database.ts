import { join } from 'node:path';
import { EventregError, EXIT } from '../../errors.ts';
import { makeDirectory } from '../../make-directory.ts';
import { DatabaseFile } from '../../sqlite/database-file.ts';
import {
  claimFile,
  type Database,
  makeTables,
  openPrepared,
  patiently,
  peek,
  versionOf,
} from '../../sqlite/private-database.ts';

/** Counts the shapes that the file has had. */
const VERSION = 5;
const BUSY_MS = 10_000;

/**
 * A delivery is one call of a webhook, as it came: `headers` is the list of names and values, `digest` that of the
 * body. `again_of` is the last one before it with the same id or the same bytes, `nth` the how manieth it is;
 * `late_after` one that told of something newer. `upto` counts all bytes that came until then: what is kept is bounded
 * by it. An own webhook is one that `listen` makes at a service: its row is there before the request, and until the
 * webhook is gone; `own_shown` has the services whose list has shown one. `why` is of the verdict, `scheme` is what it is by, and `error` says why
 * what it was forwarded to has not answered. `set_webhook` has what create and update of this machine have set, as JSON
 * and without the secret, and whether there is one.
 */
const SCHEMA = `
CREATE TABLE delivery (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  service TEXT NOT NULL,
  listen TEXT NOT NULL,
  headers TEXT NOT NULL,
  body BLOB NOT NULL,
  digest TEXT NOT NULL,
  message_id TEXT,
  type TEXT,
  barcode TEXT,
  occurred INTEGER,
  verdict TEXT NOT NULL,
  why TEXT,
  scheme TEXT,
  nth INTEGER NOT NULL,
  again_of INTEGER,
  late_after INTEGER,
  answer INTEGER,
  error TEXT,
  upto INTEGER NOT NULL
) STRICT;
CREATE INDEX delivery_digest ON delivery (service, digest);
CREATE INDEX delivery_message ON delivery (service, message_id);
CREATE INDEX delivery_barcode ON delivery (service, barcode, occurred);
CREATE INDEX delivery_upto ON delivery (upto);
CREATE TABLE own_webhook (
  listen TEXT PRIMARY KEY,
  service TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  webhook_id TEXT,
  shown_id ANY,
  shown_name TEXT,
  shown_url TEXT,
  is_made INTEGER NOT NULL DEFAULT 0,
  is_listed INTEGER NOT NULL DEFAULT 0,
  is_settled INTEGER NOT NULL DEFAULT 0,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE own_shown (service TEXT PRIMARY KEY) STRICT;
CREATE TABLE set_webhook (
  service TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  body TEXT NOT NULL,
  has_secret INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (service, webhook_id)
) STRICT;
`;

/** What was received on this machine, and which webhooks were made for it. */
export class WebhookDatabase extends DatabaseFile {
  constructor(stateDir: string) {
    const file = webhookFile(stateDir);
    super(open(stateDir, file), (cause) => webhookFileError(cause, file));
  }
}

export const webhookFile = (stateDir: string): string => join(stateDir, 'webhooks.sqlite');

/** The newest deliveries, newest first. */
export const peekAtDeliveries = (stateDir: string, most: number): { no: number; about: string }[] =>
  peek(
    webhookFile(stateDir),
    `SELECT no, coalesce(type, 'delivery') || ', ' || verdict AS about FROM delivery ORDER BY no DESC LIMIT ?`,
    most,
  );

function open(stateDir: string, file: string): Database {
  try {
    makeDirectory(stateDir);
    claimFile(file, () => new Error('it is not a plain file'));
    return openPrepared(file, BUSY_MS, prepare);
  } catch (error) {
    throw webhookFileError(error, file);
  }
}

/** The error for a file of deliveries that cannot be used. */
function webhookFileError(cause: unknown, file: string): EventregError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EventregError(EXIT.failed, `The file of deliveries ${file} cannot be used: ${reason}.`, {
    hint: 'Make room on the disk, mend its permissions, move it away, or choose another folder with EVENTREG_STATE_DIR.',
    cause,
  });
}

function prepare(db: Database): void {
  const version = versionOf(db);
  if (version !== 0 && version !== VERSION) {
    throw new Error(`it was written by ${version > VERSION ? 'a newer' : 'an older'} eventreg`);
  }
  patiently(BUSY_MS, () => db.exec('PRAGMA journal_mode = WAL;'));
  db.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;');
  makeTables(db, SCHEMA, VERSION);
}
