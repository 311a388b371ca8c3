import { randomBytes, createHash, createHmac } from 'node:crypto';
import { type BigIntStats, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../make-directory.ts';
import {
  applicationOf,
  claimFile,
  type Database,
  damageOf,
  isDamaged,
  openPrepared,
  patiently,
  versionOf,
} from '../../sqlite/private-database.ts';
import { readMemory } from '../../pacing/pacer-memory.ts';
import type { PacerState } from '../../pacing/pacer-state.ts';
import { BUDGET_SCHEMA, RowFile, type SharedRow } from '../../pacing/shared/shared-row.ts';
import { writePrivateFile } from '../../settings/private-file.ts';

const SCHEMA = `CREATE TABLE salt (value BLOB NOT NULL) STRICT; ${BUDGET_SCHEMA}`;

/** Marks an SQLite file as this one, so that no other is ever written to. */
const APPLICATION = 0x65_76_70_63;
const VERSION = 1;

/** Transactions take a fraction of a millisecond: whoever waits this long waits for one that stands still. */
const BUSY_MS = 100;
const KEPT_MS = 30 * 24 * 60 * 60_000;

const SQLITE_CORRUPT = 11;

/**
 * Opens the pacing file of this machine for an account, making it when there is none, readable by its
 * owner only. A damaged one is replaced: it holds nothing that cannot be learnt again. Throws when it is
 * of no use otherwise.
 */
export function openPacingFile(stateDir: string, account: Account, now: number, busyMs = BUSY_MS): RowFile {
  const file = join(stateDir, 'pacing.sqlite');
  makeDirectory(stateDir);
  const db = openReplacing(file, busyMs);
  try {
    forgetUnused(db, now);
    return new RowFile(db, nameAccount(account, readSalt(db)));
  } catch (error) {
    db.close();
    throw error;
  }
}

function openReplacing(file: string, busyMs: number): Database {
  claim(file);
  const found = identify(file);
  try {
    return openDatabase(file, busyMs);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    // Another process may have replaced it at the same moment.
    if (identify(file) === found) {
      for (const part of ['-wal', '-shm', '']) rmSync(`${file}${part}`, { force: true });
    }
    claim(file);
    return openDatabase(file, busyMs);
  }
}

const claim = (file: string): unknown => claimFile(file, () => unusable(`${file} is not a plain file`));

/** Tells a file from one that took its name later: that may get the same number, but not the same birth. */
export function identityOf({ ino, birthtimeNs }: Pick<BigIntStats, 'ino' | 'birthtimeNs'>): string {
  return `${ino} ${birthtimeNs}`;
}

function identify(file: string): string | undefined {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : identityOf(found);
}

function openDatabase(file: string, busyMs: number): Database {
  return openPrepared(file, 0, (db) => {
    patiently(busyMs, () => {
      refuseForeign(db, file);
      db.exec('PRAGMA journal_mode = WAL;');
    });
    db.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;`);
    if (damageOf(db) !== undefined) throw unusable(`${file} is damaged`, SQLITE_CORRUPT);
    makeTables(db, file);
  });
}

/** A file of somebody else's is left as it is. */
function refuseForeign(db: Database, file: string): void {
  const application = applicationOf(db);
  if (application === APPLICATION) return;
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (!isEmpty || application !== 0) throw unusable(`${file} belongs to another program`);
}

/** What an older version kept is not worth bringing over. */
function makeTables(db: Database, file: string): void {
  db.exec('BEGIN IMMEDIATE');
  const version = versionOf(db);
  if (version < VERSION) {
    db.exec('DROP TABLE IF EXISTS salt; DROP TABLE IF EXISTS budget;');
    db.exec(`${SCHEMA} PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${VERSION};`);
    db.prepare('INSERT INTO salt (value) VALUES (?)').run(randomBytes(32));
  }
  db.exec('COMMIT');
  if (version > VERSION) throw unusable(`${file} was written by a newer eventreg`);
}

function forgetUnused(db: Database, now: number): void {
  const isOld = 'abs(last_ms - ahead_ms - ?) > ?';
  // Milliseconds of larger times could not be told apart.
  db.prepare(`DELETE FROM budget WHERE ${isOld} OR abs(ahead_ms) > 1e15`).run(now, KEPT_MS);
}

function readSalt(db: Database): Uint8Array {
  const { value } = (db.prepare('SELECT value FROM salt').get() ?? {}) as { value?: unknown };
  if (!(value instanceof Uint8Array) || value.length === 0) throw unusable('The pacing file has no salt');
  return value;
}

function unusable(message: string, errcode = 0): Error {
  return Object.assign(new Error(message), { code: 'EUNUSABLE', errcode });
}

/** Who spends from a budget: whoever has the token, at one service. */
export interface Account {
  origin: string;
  token: string;
}

/** The token cannot be had from this, nor looked up in a list of hashes. */
function nameAccount({ origin, token }: Account, salt: Uint8Array): string {
  const secret = createHash('sha256').update(token).digest();
  return createHmac('sha256', salt).update(secret).update(origin).digest('hex');
}

/** What one machine tells the others of a budget: a file beside the journal that they share. */
const SHARED = 'pacing.json';

/** Brings in what another machine has learnt since. What cannot be used is learnt again. */
export function recallPacing(row: RowFile, account: Account, folder: string): void {
  try {
    const { salt, name, ...theirs } = JSON.parse(readFileSync(join(folder, SHARED), 'utf8')) as Kept;
    if (name !== nameAccount(account, Buffer.from(salt, 'hex'))) return;
    row.transact(() => {
      const { lastMs = Number.NEGATIVE_INFINITY } = row.read() ?? {};
      if (lastMs < theirs.lastMs) row.write(theirs);
    });
  } catch {
    // Nobody has told of it yet, or not of this one.
  }
}

/** Tells the others what this machine has learnt. */
export function keepPacing(stateDir: string, account: Account, folder: string, now: number): void {
  const row = openPacingFile(stateDir, account, now);
  const known = row.read();
  row.close();
  if (known === undefined) return;
  const salt = randomBytes(32);
  const kept: Kept = { salt: salt.toString('hex'), name: nameAccount(account, salt), ...known };
  writePrivateFile(join(folder, SHARED), JSON.stringify(kept));
}

type Kept = SharedRow & { salt: string; name: string };

/** What is learnt of an account's budget; undefined when nothing is, or nothing can be read. */
export function readPacing(stateDir: string, account: Account, now: number): PacerState | undefined {
  try {
    const file = openPacingFile(stateDir, account, now);
    try {
      return readMemory(JSON.parse(file.read()?.memory ?? 'null'));
    } finally {
      file.close();
    }
  } catch {
    return undefined;
  }
}
