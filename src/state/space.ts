import { markOf, seal, TAG_BYTES, tagOf, unseal } from './seal.ts';
import { noSpace, otherKey, otherShape, spaceExists } from './space-errors.ts';
import type { Change, Head, Holder, Position } from './space-types.ts';
import type { StateDatabase } from './state-database.ts';

/** The tables, as any user makes them who has a schema of its own: IF NOT EXISTS takes the right to make one where it is there. */
const TABLES = [
  `DO 'BEGIN IF to_regnamespace(''eventreg'') IS NULL THEN CREATE SCHEMA eventreg; END IF; END'`,
  `CREATE TABLE IF NOT EXISTS eventreg.space (
    name text PRIMARY KEY, shape integer NOT NULL, mark bytea NOT NULL,
    epoch bigint NOT NULL, number bigint NOT NULL, tag bytea NOT NULL, base bigint NOT NULL, base_tag bytea NOT NULL,
    holder bytea, since timestamptz, until timestamptz)`,
  `CREATE TABLE IF NOT EXISTS eventreg.change (
    space text NOT NULL, number bigint NOT NULL, body bytea NOT NULL, PRIMARY KEY (space, number))`,
  `CREATE TABLE IF NOT EXISTS eventreg.part (
    space text NOT NULL, number bigint NOT NULL, part integer NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (space, number, part))`,
];

/** Of so many packed changes it is known that they were: by it a machine sees that a database was restored. */
const KEPT_TAGS = 20_000;
/** A turn lasts so long after its last sign of life, by the clock of the database. */
export const LEASE_MS = 20_000;
const LEASE = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;
const msOf = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::float8`;
const HEAD = `shape, mark, epoch::float8, number::float8, tag, base::float8, base_tag AS "baseTag", holder,
  coalesce(${msOf('since')}, 0) AS since, ${msOf('clock_timestamp()')} AS "nowMs", greatest(0, ${msOf('until - clock_timestamp()')}) AS "leftMs"`;
type Row = Omit<Head, 'holder'> & { shape: number; mark: Buffer; holder: Buffer | null; since: number };

/** A space of a database, and the only SQL about it. Each method asks once. */
export class Space {
  readonly database: StateDatabase;
  readonly name: string;
  /** Where it begins. */
  readonly start: Position;
  readonly #key: Buffer;
  readonly #mark: Buffer;
  readonly #shape: number;

  /** `shape`: the version of the tables that are shared. */
  constructor(database: StateDatabase, key: Buffer, shape: number) {
    this.database = database;
    this.name = database.address.space;
    this.#key = key;
    this.#mark = markOf(key, this.name);
    this.start = { number: 0, tag: tagOf(this.#mark) };
    this.#shape = shape;
  }

  /** Makes the tables, and the space. Throws where it is there. */
  async init(): Promise<void> {
    for (const table of TABLES) await this.database.ask(table);
    const made = await this.database.ask(
      `INSERT INTO eventreg.space (name, shape, mark, epoch, number, tag, base, base_tag)
       VALUES ($1, $2, $3, 0, 0, $4, 0, $4) ON CONFLICT DO NOTHING RETURNING name`,
      [this.name, this.#shape, this.#mark, this.start.tag],
    );
    if (made.length === 0) throw spaceExists(this.name);
  }

  /** Throws a SharedStateError where the space is not there, has another key or another shape. */
  async head(): Promise<Head> {
    const [row] = await this.database.ask<Row>(`SELECT ${HEAD} FROM eventreg.space WHERE name = $1`, [
      this.name,
    ]);
    if (row === undefined) throw noSpace(this.name);
    if (row.shape !== this.#shape) throw otherShape(this.name, row.shape > this.#shape);
    if (!row.mark.equals(this.#mark)) throw otherKey(this.name);
    return this.#headOf(row);
  }

  /**
   * Begins a turn where nobody has one, or, with `ending`, where that one lasts, which ends. Undefined where it does not
   * come to that: `head` tells why.
   */
  async take(holder: Omit<Holder, 'since'>, ending?: number): Promise<Head | undefined> {
    const sealed = seal(this.#key, ['holder', this.name], Buffer.from(JSON.stringify(holder)));
    const [row] = await this.database.ask<Row>(
      `UPDATE eventreg.space SET epoch = epoch + 1, holder = $5, since = clock_timestamp(), until = ${LEASE}
       WHERE name = $1 AND shape = $2 AND mark = $3
         AND (epoch = $4 OR until IS NULL OR until <= clock_timestamp()) RETURNING ${HEAD}`,
      [this.name, this.#shape, this.#mark, ending, sealed],
    );
    return row && this.#headOf(row);
  }

  /** Ends a turn; nothing where it has ended. */
  async giveBack(epoch: number): Promise<void> {
    const set = 'UPDATE eventreg.space SET until = NULL WHERE name = $1 AND epoch = $2';
    await this.database.ask(set, [this.name, epoch]);
  }

  /**
   * Adds changes behind number `from`, and lets the turn last `until` then (in SQL): one statement, all or nothing. False where the
   * space stands elsewhere, or another has the turn.
   */
  async append(epoch: number, from: number, changes: readonly Change[], until = LEASE): Promise<boolean> {
    const last = changes.at(-1);
    const rows = await this.database.ask(
      `WITH turn AS (
         UPDATE eventreg.space SET number = $4, tag = coalesce($5, tag), until = ${until}
         WHERE name = $1 AND epoch = $2 AND number = $3 RETURNING name
       ), added AS (
         INSERT INTO eventreg.change (space, number, body)
         SELECT turn.name, one.number, one.body FROM turn, unnest($6::bigint[], $7::bytea[]) AS one (number, body)
       ) SELECT name FROM turn`,
      [
        this.name,
        epoch,
        from,
        last?.number ?? from,
        last && tagOf(last.body),
        changes.map(({ number }) => number),
        changes.map(({ body }) => body),
      ],
    );
    return rows.length > 0;
  }

  /** Changes behind a number, oldest first, a few at a time. */
  async changesAfter(number: number, most: number): Promise<Change[]> {
    return await this.database.ask<Change>(
      'SELECT number::float8, body FROM eventreg.change WHERE space = $1 AND number > $2 ORDER BY number LIMIT $3',
      [this.name, number, most],
    );
  }

  /** Whether a position is one that the space has come by; undefined where that is too long ago. */
  async cameBy({ number, tag }: Position, head: Head): Promise<boolean | undefined> {
    if (number > head.number) return false;
    if (number === head.number) return tag.equals(head.tag);
    const [there] = await this.changesAfter(number - 1, 1);
    const own =
      number === head.base ? head.baseTag : there?.number === number ? tagOf(there.body) : undefined;
    return own && tag.equals(own);
  }

  /** One part of the snapshot at a number; undefined where there is none. */
  async part(number: number, part: number): Promise<Buffer | undefined> {
    const select = 'SELECT body FROM eventreg.part WHERE space = $1 AND number = $2 AND part = $3';
    const [row] = await this.database.ask<{ body: Buffer }>(select, [this.name, number, part]);
    return row?.body;
  }

  async putPart(number: number, part: number, body: Buffer): Promise<void> {
    await this.database.ask(
      `INSERT INTO eventreg.part (space, number, part, body) VALUES ($1, $2, $3, $4)
       ON CONFLICT (space, number, part) DO UPDATE SET body = excluded.body`,
      [this.name, number, part, body],
    );
  }

  /**
   * Lets the space begin with the snapshot at a position: of what was before tags stay, but where the snapshot goes another way
   * (`isParted`). `from`: where the space stands now. False where it stands elsewhere, or another has the turn.
   */
  async begin(epoch: number, from: number, at: Position, isParted: boolean): Promise<boolean> {
    const rows = await this.database.ask(
      `WITH turn AS (
         UPDATE eventreg.space SET number = $4, tag = $5, base = $4, base_tag = $5, until = ${LEASE}
         WHERE name = $1 AND epoch = $2 AND number = $3 RETURNING name
       ), old AS (
         DELETE FROM eventreg.change USING turn WHERE space = turn.name AND change.number <= $4 - ${KEPT_TAGS}
       ), packed AS (
         UPDATE eventreg.change SET body = CASE WHEN $6 THEN $5 ELSE substr(body, length(body) - ${TAG_BYTES - 1}) END
         FROM turn WHERE space = turn.name AND change.number > $4 - ${KEPT_TAGS} AND ($6 OR length(body) > ${TAG_BYTES})
       ), parts AS (
         DELETE FROM eventreg.part USING turn WHERE space = turn.name AND part.number <> $4
       ) SELECT name FROM turn`,
      [this.name, epoch, from, at.number, at.tag, isParted],
    );
    return rows.length > 0;
  }

  #headOf({ holder, since, ...row }: Row): Head {
    const text = holder && unseal(this.#key, ['holder', this.name], holder).toString();
    const known = text === null ? undefined : { ...(JSON.parse(text) as Omit<Holder, 'since'>), since };
    return { ...row, holder: known };
  }
}
