import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { EventregError, EXIT } from '../../errors.ts';
import { makeDirectory } from '../../make-directory.ts';
import { DatabaseFile } from '../../sqlite/database-file.ts';
import {
  applicationOf,
  type Database,
  makePrivateFile,
  openPrepared,
  versionOf,
} from '../../sqlite/private-database.ts';

/** Marks a SQLite file as a sandbox's ("evsb"), so that no other program's file is ever emptied. */
const APPLICATION_ID = 0x65767362;
const SCHEMA_VERSION = 4;
const BUSY_TIMEOUT_MS = 5000;
const IN_MEMORY = ':memory:';

/**
 * Of a delivery, `failed` counts the attempts since it was due first, or again; `due_at` is null when nothing will be done
 * any more.
 */
const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE registrations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  persona TEXT NOT NULL,
  barcode TEXT NOT NULL,
  barcode_generated INTEGER NOT NULL,
  parent_barcode TEXT,
  enable_comms INTEGER NOT NULL,
  fields TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX registrations_by_barcode ON registrations (barcode);
CREATE INDEX registrations_by_any_barcode ON registrations (barcode COLLATE NOCASE);
CREATE INDEX registrations_by_email ON registrations (lower(json_extract(fields, '$.email')));
CREATE INDEX registrations_by_parent ON registrations (parent_barcode);
CREATE INDEX registrations_by_persona ON registrations (persona, seq);
CREATE TABLE deleted (id TEXT PRIMARY KEY) STRICT;
CREATE TABLE webhooks (
  webhook_id INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  webhook_url TEXT NOT NULL,
  triggers TEXT NOT NULL,
  active INTEGER NOT NULL,
  config TEXT NOT NULL,
  signing_secret_encrypted TEXT NOT NULL
) STRICT;
CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL,
  webhook_id INTEGER NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  manner TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  failed INTEGER NOT NULL,
  why TEXT
) STRICT;
CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at, seq) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_next ON deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE attempts (
  delivery INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  took_ms INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  PRIMARY KEY (delivery, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE lanes (webhook_id INTEGER PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
`;

/** What a sandbox keeps. Several processes may hold it open at once. */
export class SandboxFile extends DatabaseFile {
  /** Made when it is missing. Throws an Error with a sentence when the file is not a sandbox's, or is of another version. */
  constructor(file: string) {
    super(
      connect(file, (database) => {
        const version = readIdentity(database);
        if (version !== 0 && version !== SCHEMA_VERSION) {
          throw new Error(`it has layout ${version}, this program knows layout ${SCHEMA_VERSION}; reset it`);
        }
        database.exec('PRAGMA journal_mode = WAL');
        // Another process may make the tables while this one waits for the lock.
        if (version === 0) inTransaction(database, () => readIdentity(database) === 0 && rebuild(database));
      }),
      (cause) => new EventregError(EXIT.failed, reasonOf(cause), { cause }),
    );
  }

  get isOpen(): boolean {
    return this.db.isOpen;
  }
}

/** Empties the file of a sandbox, whatever its version, and gives the data set a new identity. */
export function resetDatabase(file: string): void {
  const database = connect(file, (opened) => {
    readIdentity(opened);
    inTransaction(opened, () => rebuild(opened));
  });
  database.close();
}

function inTransaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function connect(file: string, prepare: (database: Database) => void): Database {
  try {
    // People try the sandbox with real data: nobody else may read it.
    if (file !== IN_MEMORY) {
      makeDirectory(dirname(file));
      makePrivateFile(file);
    }
    return openPrepared(file, BUSY_TIMEOUT_MS, (database) => {
      prepare(database);
      database.exec('PRAGMA synchronous = NORMAL');
    });
  } catch (error) {
    throw new Error(`The sandbox file ${file} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Version of the layout, 0 for an empty file. Throws when the tables are another program's. */
function readIdentity(database: Database): number {
  const application = applicationOf(database);
  if (application === APPLICATION_ID) return versionOf(database);
  if (application !== 0 || listTables(database).length > 0) throw new Error('it belongs to another program');
  return 0;
}

function listTables(database: Database): string[] {
  const rows = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all() as { name: string }[];
  return rows.map((row) => row.name);
}

function rebuild(database: Database): void {
  for (const table of listTables(database)) database.exec(`DROP TABLE "${table}"`);
  database.exec(SCHEMA);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  database.prepare(`INSERT INTO meta VALUES ('instance_id', ?)`).run(randomUUID());
}
