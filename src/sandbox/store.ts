import { type Database, inTransaction, openDatabase } from './database.ts';
import { RecentChanges } from './recent-changes.ts';
import type { Switches } from './switches.ts';

/** A registration as it is kept, whatever shape the answers have. */
export interface SandboxRegistration {
  id: string;
  persona: string;
  barcode: string;
  /** True when the request named no barcode and the sandbox made one up. */
  barcodeGenerated: boolean;
  parentBarcode: string | undefined;
  enableComms: boolean;
  fields: Readonly<Record<string, FieldValue>>;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
}

export type FieldValue = string | readonly string[];

/**
 * A checked request. An empty text or list clears a field; what is undefined stays as it is on update, unless a
 * switch says that updates replace.
 */
export interface RegistrationInput {
  persona: string;
  fields: Readonly<Record<string, FieldValue>>;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  enableComms: boolean | undefined;
}

/** What a create came to. */
export type SaveResult =
  | { action: 'created' | 'updated' | 'ignored'; registration: SandboxRegistration }
  | { action: 'refused' };

/** Undefined: no filter. */
export interface RegistrationFilter {
  persona: string | undefined;
  barcode: string | undefined;
}

interface Row {
  seq: number;
  id: string;
  persona: string;
  barcode: string;
  barcode_generated: number;
  parent_barcode: string | null;
  enable_comms: number;
  fields: string;
  created_at: number;
  updated_at: number;
}

/** A list as a client sees it. */
export interface Listing {
  total: number;
  slice: (limit: number, offset: number) => SandboxRegistration[];
}

/** The data of one sandbox. */
export class Store {
  readonly database: Database;
  readonly #recent = new RecentChanges<Row>();
  #lastInstanceId: string;

  constructor(file: string) {
    this.database = openDatabase(file);
    this.#lastInstanceId = this.#readInstanceId();
  }

  /** Identity of the data set: read anew each time, because another process may have reset the file. */
  instanceId(): string {
    if (this.database.isOpen) this.#lastInstanceId = this.#readInstanceId();
    return this.#lastInstanceId;
  }

  #readInstanceId(): string {
    const row = this.database.prepare(`SELECT value FROM meta WHERE name = 'instance_id'`).get();
    return (row as { value: string }).value;
  }

  /** Creates, or does with a known barcode what the switches say. Without a barcode it always creates. */
  save(
    input: RegistrationInput,
    { upsert, fieldsOnUpdate, readLagMs }: Pick<Switches, 'upsert' | 'fieldsOnUpdate' | 'readLagMs'>,
    nowMs: number,
  ): SaveResult {
    return inTransaction(this.database, () => {
      const known = input.barcode === undefined ? undefined : this.#findByBarcode(input.barcode);
      if (known === undefined || upsert === 'double') return this.#create(input, readLagMs, nowMs);
      if (upsert === 'refuse') return { action: 'refused' };
      if (upsert === 'ignore') return { action: 'ignored', registration: toRegistration(known) };
      this.#note(known.seq, known, readLagMs, nowMs);
      return this.#update(known, input, fieldsOnUpdate, nowMs);
    });
  }

  #note(seq: number, before: Row | undefined, readLagMs: number, nowMs: number): void {
    if (readLagMs > 0) this.#recent.note({ atMs: nowMs, seq, before }, readLagMs);
  }

  #create(input: RegistrationInput, readLagMs: number, nowMs: number): SaveResult {
    const seq = this.#nextSeq();
    // Part of the instance id keeps identifiers of an earlier data set from meaning another record.
    const tag = this.#readInstanceId().slice(0, 8);
    const row: Row = {
      seq,
      id: `reg-${tag}-${seq}`,
      persona: input.persona,
      barcode: input.barcode ?? `QR-${tag}-${seq}`,
      barcode_generated: input.barcode === undefined ? 1 : 0,
      parent_barcode: input.parentBarcode ?? null,
      enable_comms: input.enableComms === true ? 1 : 0,
      fields: JSON.stringify(mergeFields({}, input.fields)),
      created_at: nowMs,
      updated_at: nowMs,
    };
    this.database
      .prepare('INSERT INTO registrations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(...Object.values(row));
    this.#note(seq, undefined, readLagMs, nowMs);
    return { action: 'created', registration: toRegistration(row) };
  }

  #update(
    known: Row,
    input: RegistrationInput,
    fieldsOnUpdate: Switches['fieldsOnUpdate'],
    nowMs: number,
  ): SaveResult {
    const merges = fieldsOnUpdate === 'merge';
    const fields = merges ? toRegistration(known).fields : {};
    const row: Row = {
      ...known,
      persona: input.persona,
      parent_barcode: input.parentBarcode ?? (merges ? known.parent_barcode : null),
      enable_comms: input.enableComms === undefined ? known.enable_comms : Number(input.enableComms),
      fields: JSON.stringify(mergeFields(fields, input.fields)),
      updated_at: nowMs,
    };
    this.database
      .prepare(
        `UPDATE registrations SET persona = ?, parent_barcode = ?, enable_comms = ?, fields = ?, updated_at = ?
         WHERE seq = ?`,
      )
      .run(row.persona, row.parent_barcode, row.enable_comms, row.fields, row.updated_at, row.seq);
    return { action: 'updated', registration: toRegistration(row) };
  }

  /** Numbers are never used twice, deleted registrations included. Only right inside a transaction. */
  #nextSeq(): number {
    const last = this.database.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'registrations'`).get();
    return ((last as { seq: number } | undefined)?.seq ?? 0) + 1;
  }

  #findByBarcode(barcode: string): Row | undefined {
    return this.database
      .prepare('SELECT * FROM registrations WHERE barcode = ? ORDER BY seq LIMIT 1')
      .get(barcode) as Row | undefined;
  }

  hasBarcode(barcode: string): boolean {
    return this.#findByBarcode(barcode) !== undefined;
  }

  /** How many registrations pass the filter. */
  count(filter: RegistrationFilter): number {
    const { where, values } = whereOf(filter);
    const row = this.database.prepare(`SELECT count(*) AS total FROM registrations ${where}`).get(...values);
    return (row as { total: number }).total;
  }

  /** Registrations that pass the filter, oldest first unless told otherwise. */
  list(
    filter: RegistrationFilter,
    limit: number,
    offset: number,
    order: Switches['listOrder'] = 'oldest',
  ): SandboxRegistration[] {
    const { where, values } = whereOf(filter);
    const rows = this.database
      .prepare(
        `SELECT * FROM registrations ${where} ORDER BY seq ${order === 'oldest' ? 'ASC' : 'DESC'} LIMIT ? OFFSET ?`,
      )
      .all(...values, limit, offset) as Row[];
    return rows.map(toRegistration);
  }

  /** What a client is shown: in the order of the switch, and as it was before its lag. */
  listing(
    filter: RegistrationFilter,
    { listOrder, readLagMs }: Pick<Switches, 'listOrder' | 'readLagMs'>,
    nowMs: number,
  ): Listing {
    if (readLagMs === 0) {
      return {
        total: this.count(filter),
        slice: (limit, offset) => this.list(filter, limit, offset, listOrder),
      };
    }
    const rows = this.database.prepare('SELECT * FROM registrations').all() as Row[];
    const shown = this.#recent.rewind(rows, nowMs - readLagMs).filter((row) => passes(row, filter));
    if (listOrder === 'newest') shown.reverse();
    return {
      total: shown.length,
      slice: (limit, offset) => shown.slice(offset, offset + limit).map(toRegistration),
    };
  }

  /** Deletes by the id or, where records show none, by the barcode. */
  delete(
    value: string,
    { idKey, readLagMs }: Pick<Switches, 'idKey' | 'readLagMs'>,
    nowMs: number,
  ): 'deleted' | 'deleted-before' | 'unknown' {
    const key = idKey === 'none' ? 'barcode' : 'id';
    return inTransaction(this.database, () => {
      const rows = this.database
        .prepare(`DELETE FROM registrations WHERE ${key} = ? RETURNING *`)
        .all(value) as Row[];
      for (const row of rows) this.#note(row.seq, row, readLagMs, nowMs);
      if (rows.length > 0) {
        this.database.prepare('INSERT OR IGNORE INTO deleted VALUES (?)').run(value);
        return 'deleted';
      }
      const before = this.database.prepare('SELECT 1 FROM deleted WHERE id = ?').get(value);
      return before === undefined ? 'unknown' : 'deleted-before';
    });
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}

function whereOf(filter: RegistrationFilter): { where: string; values: string[] } {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    where: pairs.length === 0 ? '' : `WHERE ${pairs.map(([column]) => `${column} = ?`).join(' AND ')}`,
    values: pairs.map(([, value]) => value),
  };
}

function passes(row: Row, { persona = row.persona, barcode = row.barcode }: RegistrationFilter): boolean {
  return row.persona === persona && row.barcode === barcode;
}

function mergeFields(
  old: Readonly<Record<string, FieldValue>>,
  given: Readonly<Record<string, FieldValue>>,
): Record<string, FieldValue> {
  const merged = { ...old, ...given };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value.length > 0));
}

function toRegistration(row: Row): SandboxRegistration {
  return {
    id: row.id,
    persona: row.persona,
    barcode: row.barcode,
    barcodeGenerated: row.barcode_generated === 1,
    parentBarcode: row.parent_barcode ?? undefined,
    enableComms: row.enable_comms === 1,
    fields: JSON.parse(row.fields) as Record<string, FieldValue>,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
