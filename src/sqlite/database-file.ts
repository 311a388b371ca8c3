import { EventregError } from '../errors.ts';
import type { Database, Statement } from './private-database.ts';
import type { Sharing } from './sharing.ts';
import { insertion, type RowCodec, type Value, withoutNulls } from './row-codec.ts';

type Values = Record<string, Value>;

/** Rows that are read at once, where a caller has no reason for another number. */
const PAGE = 500;

const isList = (values: Values | readonly Value[]): values is readonly Value[] => Array.isArray(values);

/** As a statement takes them. Most hold no undefined, and what is written for every request shall not copy them. */
function bound(values: Values | readonly Value[]): readonly (Value | Values)[] {
  if (isList(values)) return values.includes(undefined) ? values.map((value) => value ?? null) : values;
  if (!Object.values(values).includes(undefined)) return [values];
  const copy = { ...values };
  for (const name of Object.keys(copy)) copy[name] ??= null;
  return [copy];
}

/** An open file of this machine's. Every write is durable when its function returns. */
export class DatabaseFile {
  protected readonly db: Database;
  readonly #errorOf: (cause: unknown) => EventregError;
  /** Where what is written goes besides. */
  readonly sharing: Sharing | undefined;
  /** Whether writing waits for the disk. */
  #waits = true;

  /** `errorOf`: the error for what SQLite throws. */
  constructor(db: Database, errorOf: (cause: unknown) => EventregError, sharing?: Sharing) {
    this.db = db;
    this.#errorOf = errorOf;
    this.sharing = sharing;
  }

  close(): void {
    this.db.close();
  }

  /** Runs a statement; any failure of the disk is thrown as an error of this file. */
  run(sql: string, values: Values | readonly Value[] = {}): number {
    return this.#write(() => this.#prepare(sql).run(...bound(values)).changes);
  }

  /**
   * Adds a row with an INTEGER PRIMARY KEY and returns that key. Takes its values in the order of the `?`: for
   * what is written for every request, names and RETURNING would double the time.
   */
  insert(sql: string, values: readonly Value[]): number {
    return this.#write(() => Number(this.#prepare(sql).run(...bound(values)).lastInsertRowid));
  }

  /** Gives the room on the disk back that deleted rows have taken. */
  compact(): void {
    this.guard(() => this.db.exec('VACUUM'));
    this.sharing?.compacted();
  }

  /** Adds a row, see `insertion`; for what is written for every row of a file, `insert` is quicker. */
  add(table: string, row: Readonly<Record<string, unknown>>): void {
    const { sql, values } = insertion(table, row);
    this.run(sql, values);
  }

  /** What a codec makes of the rows of a query, which is given from its FROM on. */
  read<T extends object>(codec: RowCodec<T>, from: string, values: Values = {}): T[] {
    const sql = `SELECT ${codec.columns} ${from}`;
    const rows = this.guard(() => this.#prepare(sql, true).all(...bound(values)) as unknown as unknown[][]);
    return rows.map((cells) => codec.read(cells));
  }

  /** The first of them. */
  readOne<T extends object>(codec: RowCodec<T>, from: string, values: Values = {}): T | undefined {
    return this.read(codec, `${from} LIMIT 1`, values)[0];
  }

  /** How many rows a query finds that is given from its FROM on. */
  count(from: string, values: Values = {}): number {
    return this.get<{ n: number }>(`SELECT count(*) AS n ${from}`, values)?.n ?? 0;
  }

  /** Whether it finds any. */
  has(from: string, values: Values | readonly Value[] = {}): boolean {
    return this.get(`SELECT 1 ${from} LIMIT 1`, values) !== undefined;
  }

  /** The first row; the caller says what its columns are, as of what follows. What is NULL is undefined. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  get<Row extends object>(sql: string, values: Values | readonly Value[] = {}): Row | undefined {
    const row = this.guard(() => this.#prepare(sql).get(...bound(values)) as Row | undefined);
    return row && withoutNulls(row);
  }

  all<Row extends object>(sql: string, values: Values = {}): Row[] {
    const rows = this.guard(() => this.#prepare(sql).all(...bound(values)) as Row[]);
    for (const row of rows) withoutNulls(row);
    return rows;
  }

  /** Rows one by one, as they are; nothing may be written while it runs. */
  iterate<Row>(sql: string, values: Values = {}): Iterable<Row> {
    return this.guard(() => this.#prepare(sql).iterate(...bound(values)) as Iterable<Row>);
  }

  /**
   * Rows a page at a time: the journal may be written between two of them. The query chooses the rows whose `key` is
   * greater than `$after`, in the order of that key, and this adds its limit. A value for `after` says where to begin;
   * without one all numbers that are counted from 0 are after it.
   */
  pages<Row extends object>(sql: string, values: Values, key: keyof Row, size = PAGE): Generator<Row[]> {
    return pagesOf((after) => this.all<Row>(`${sql} LIMIT ${size}`, after), values, key);
  }

  /** As `pages`, of what a codec makes of them. */
  readPages<T extends object>(
    codec: RowCodec<T>,
    from: string,
    values: Values,
    key: keyof T,
    size = PAGE,
  ): Generator<T[]> {
    return pagesOf((after) => this.read(codec, `${from} LIMIT ${size}`, after), values, key);
  }

  /** What a codec makes of all rows, read a page at a time: the journal may be written meanwhile. See `pages`. */
  *readAll<T extends object>(
    codec: RowCodec<T>,
    from: string,
    values: Values,
    key: keyof T,
  ): Generator<T, undefined> {
    for (const page of this.readPages(codec, from, values, key)) yield* page;
  }

  /**
   * All or nothing, in one write; within another, part of that. It is durable, or where it need not wait for that with the
   * next one that is. What is shared waits all the same.
   */
  transaction<T>(work: () => T, waits = true): T {
    if (this.db.isTransaction) return work();
    this.before('BEGIN IMMEDIATE');
    this.#waitForDisk(waits || this.sharing !== undefined);
    this.guard(() => this.db.exec('BEGIN IMMEDIATE'));
    try {
      const result = this.sharing === undefined ? work() : this.#recorded(work, this.sharing);
      this.guard(() => this.db.exec('COMMIT'));
      return result;
    } catch (error) {
      try {
        this.db.exec('ROLLBACK');
      } catch {
        // The failure itself has rolled back already.
      }
      throw error;
    }
  }

  get isWriting(): boolean {
    return this.db.isTransaction;
  }

  #waitForDisk(waits: boolean): void {
    if (this.#waits !== waits)
      this.guard(() => this.db.exec(`PRAGMA synchronous = ${waits ? 'FULL' : 'NORMAL'};`));
    this.#waits = waits;
  }

  #write<T>(work: () => T): T {
    if (this.db.isTransaction) return this.guard(work);
    if (this.sharing === undefined) {
      this.#waitForDisk(true);
      return this.guard(work);
    }
    return this.transaction(() => this.guard(work));
  }

  #recorded<T>(work: () => T, sharing: Sharing): T {
    const session = this.guard(() => this.db.createSession());
    try {
      const result = work();
      const changes = this.guard(() => session.patchset());
      if (changes.length > 0) this.guard(() => sharing.record(changes));
      return result;
    } finally {
      session.close();
    }
  }

  /** `asCells`: its rows are lists of their columns, once and for all. */
  #prepare(sql: string, asCells = false): Statement {
    this.before(sql);
    const statement = this.db.prepare(sql);
    if (asCells) statement.setReturnArrays(true);
    return statement;
  }

  /** Called before a statement is made use of. */
  protected before(_sql: string): void {}

  protected guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof EventregError ? error : this.#errorOf(error);
    }
  }
}

function* pagesOf<Row extends object>(
  read: (values: Values) => Row[],
  values: Values,
  key: keyof Row,
): Generator<Row[]> {
  for (let after: Value = values.after ?? -1; ; ) {
    const page = read({ ...values, after });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last[key] as Value;
  }
}
