import { appendFileSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database, makePrivateFile } from '../sqlite/private-database.ts';
import { openJournalDatabase } from '../sync/journal/journal-schema.ts';
import { type Bound, seal, tagOf, unseal } from './seal.ts';
import { damagedChange } from './space-errors.ts';
import type { Change, Position } from './space-types.ts';

/** What is of the copy and not shared: where it stands, and what is still to be shipped or was shipped lately. */
const LOCAL_TABLES = `
CREATE TABLE IF NOT EXISTS outbox (number INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS stand (
  no INTEGER PRIMARY KEY, number INTEGER NOT NULL, tag BLOB NOT NULL, shipped INTEGER NOT NULL,
  shipped_tag BLOB NOT NULL) STRICT;
`;

/** So many changes are kept, of those of others the tags: a database that fails over, or is restored, lacks the last ones. */
const KEPT = 500;
const PIECE_BYTES = 4 * 2 ** 20;
const NAME = 'journal.sqlite';

/** A copy of a space on this machine. */
export class SpaceCopy {
  readonly folder: string;
  readonly #space: string;
  readonly #key: Buffer;
  /** Another one after `load`. */
  db: Database;

  /** Opens the copy of a folder, an empty one that begins at `start` where there is none. */
  constructor(folder: string, { space, key, start }: { space: string; key: Buffer; start: Position }) {
    this.folder = folder;
    this.#space = space;
    this.#key = key;
    this.db = this.#open(start);
  }

  /** Where it stands with all that was written here. */
  get position(): Position {
    return this.#stand('number', 'tag');
  }

  /** The same without what the space does not have. */
  get shipped(): Position {
    return this.#stand('shipped', 'shipped_tag');
  }

  /** Seals what a transaction has changed, and keeps it for shipping. Call it within that transaction. */
  record(changes: Uint8Array): void {
    const at = this.position;
    const body = seal(this.#key, this.#bound('change', at), changes);
    this.db.prepare('INSERT INTO outbox (number, body) VALUES (?, ?)').run(at.number + 1, body);
    this.db.prepare('UPDATE stand SET number = ?, tag = ?').run(at.number + 1, tagOf(body));
  }

  /** What was written here behind a number, oldest first. */
  outbox(after: number, most: number): Change[] {
    const rows = this.db
      .prepare('SELECT number, body FROM outbox WHERE number > ? ORDER BY number LIMIT ?')
      .all(after, most) as { number: number; body: Uint8Array }[];
    return rows.map(({ number, body }) => ({ number, body: Buffer.from(body) }));
  }

  /** The tag at a number, as far as this copy knows it. */
  tagAt(number: number): Buffer | undefined {
    for (const known of [this.position, this.shipped]) if (known.number === number) return known.tag;
    const [change] = this.outbox(number - 1, 1);
    return change?.number === number ? tagOf(change.body) : undefined;
  }

  /** Whether it has come by a position, as far as it knows. */
  knows({ number, tag }: Position): boolean {
    return this.tagAt(number)?.equals(tag) === true;
  }

  /** Notes that the space has all up to a position. */
  noteShipped({ number, tag }: Position, kept = KEPT): void {
    this.db.prepare('UPDATE stand SET shipped = ?, shipped_tag = ?').run(number, tag);
    this.db.prepare('DELETE FROM outbox WHERE number <= ?').run(number - kept);
  }

  /** Says where it stands from now on, with all that is here. */
  stand({ number, tag }: Position, kept = 0): void {
    this.db.prepare('UPDATE stand SET number = ?, tag = ?').run(number, tag);
    this.noteShipped({ number, tag }, kept);
  }

  /** Takes over changes that go on from where it stands. Throws a SharedStateError where one does not. */
  apply(changes: readonly Change[]): void {
    const db = this.db;
    // What followed from a key is a change of its own.
    db.exec('PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE;');
    const keep = db.prepare('INSERT INTO outbox (number, body) VALUES (?, ?)');
    try {
      let at = this.position;
      for (const { number, body } of changes) {
        const content = this.#unsealed(this.#bound('change', at), body);
        if (content === undefined || !db.applyChangeset(content))
          throw damagedChange(this.#space, at.number + 1);
        at = { number, tag: tagOf(body) };
        keep.run(number, at.tag);
      }
      this.stand(at, KEPT);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    } finally {
      db.exec('PRAGMA foreign_keys = ON;');
    }
  }

  /** Puts another file in the place of all that is here, as `make` makes it; without, nothing. */
  async load(at: Position, make?: (draft: string) => Promise<void>): Promise<void> {
    const [file, draft] = [join(this.folder, NAME), join(this.folder, `${NAME}.draft`)];
    this.db.close();
    remove(draft);
    if (make !== undefined) makePrivateFile(draft);
    await make?.(draft);
    remove(file);
    if (make !== undefined) renameSync(draft, file);
    this.db = this.#open(at);
  }

  /** A file with all that is shared, while `use` works with it. */
  async packed(use: (file: string) => Promise<void>): Promise<void> {
    const file = join(this.folder, `${NAME}.packed`);
    remove(file);
    try {
      makePrivateFile(file);
      this.db.prepare('VACUUM INTO ?').run(file);
      const packed = new Database(file);
      packed.exec('PRAGMA secure_delete = ON; DELETE FROM outbox;');
      packed.close();
      await use(file);
    } finally {
      remove(file);
    }
  }

  /** The parts of a snapshot at a position, numbered: the first byte of each says whether another follows. */
  *parts(file: string, at: Position): Generator<[number, Buffer]> {
    const content = readFileSync(file);
    for (let part = 0, end = 0; end < content.length; part += 1) {
      end = (part + 1) * PIECE_BYTES;
      const more = Buffer.from([Number(end < content.length)]);
      const piece = content.subarray(end - PIECE_BYTES, end);
      yield [part, seal(this.#key, this.#bound('part', at, part), Buffer.concat([more, piece]))];
    }
  }

  /** Writes a part of a snapshot behind those before; whether another follows, undefined where it is damaged. */
  addPart(file: string, at: Position, part: number, sealed: Buffer): boolean | undefined {
    const content = this.#unsealed(this.#bound('part', at, part), sealed);
    if (content !== undefined) appendFileSync(file, content.subarray(1));
    return content && content[0] === 1;
  }

  #stand(number: string, tag: string): Position {
    const sql = `SELECT ${number} AS number, ${tag} AS tag FROM stand`;
    const row = this.db.prepare(sql).get() as { number: number; tag: Uint8Array };
    return { number: row.number, tag: Buffer.from(row.tag) };
  }

  #bound(what: 'change' | 'part', { number, tag }: Position, ...part: number[]): Bound {
    return [what, this.#space, number, tag.toString('hex'), ...part];
  }

  #unsealed(bound: Bound, sealed: Buffer): Buffer | undefined {
    try {
      return unseal(this.#key, bound, sealed);
    } catch {
      return undefined;
    }
  }

  #open({ number, tag }: Position): Database {
    const db = openJournalDatabase(this.folder);
    // What a stop of the machine takes away here is in the space, or has not been told to anybody.
    db.exec(`PRAGMA synchronous = NORMAL; ${LOCAL_TABLES}`);
    db.prepare('INSERT OR IGNORE INTO stand VALUES (1, ?1, ?2, ?1, ?2)').run(number, tag);
    db.prepare('INSERT OR IGNORE INTO outbox (number, body) VALUES (?, ?)').run(number, tag);
    return db;
  }
}

function remove(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
}
