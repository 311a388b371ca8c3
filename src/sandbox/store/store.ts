import { randomUUID } from 'node:crypto';
import type { Database } from '../../sqlite/private-database.ts';
import { inTransaction, openDatabase } from './database.ts';
import {
  RecentChanges,
  type RegistrationInput,
  type SandboxRegistration,
  type StoredRow,
  toRegistration,
  toRow,
} from './stored-row.ts';
import { findKnown, newId, keptFields, updated } from './recognise.ts';
import type { Switches } from './switches.ts';

/** What a create came to. */
type SaveResult =
  | { action: 'created' | 'updated' | 'ignored'; registration: SandboxRegistration }
  | { action: 'refused' };

/** Undefined: no filter. */
interface RegistrationFilter {
  persona: string | undefined;
  barcode: string | undefined;
}

/** A list as a client sees it. */
interface Listing {
  total: number;
  slice: (limit: number, offset: number) => SandboxRegistration[];
}

/** The data of one sandbox. */
export class Store {
  readonly database: Database;
  readonly #recent = new RecentChanges<StoredRow>();
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

  /** Creates, or does with a registration that is known what the switches say. */
  save(input: RegistrationInput, switches: Switches, nowMs: number): SaveResult {
    const { upsert, recognise } = switches;
    return inTransaction(this.database, () => {
      const known = upsert === 'double' ? undefined : findKnown(this.database, input, recognise);
      if (known === undefined) return this.#create(input, switches, nowMs);
      if (upsert === 'refuse') return { action: 'refused' };
      if (upsert === 'ignore') return { action: 'ignored', registration: toRegistration(known) };
      return this.#update(known, input, switches, nowMs);
    });
  }

  #note(seq: number, before: StoredRow | undefined, readLagMs: number, nowMs: number): void {
    if (readLagMs > 0) this.#recent.note({ atMs: nowMs, seq, before }, readLagMs);
  }

  #create(input: RegistrationInput, switches: Switches, nowMs: number): SaveResult {
    const seq = this.#nextSeq();
    const tag = this.#tag();
    const registration: SandboxRegistration = {
      id: newId(this.database, switches.idForm, tag, seq),
      persona: input.persona,
      barcode: input.barcode ?? `QR-${tag}-${seq}`,
      barcodeGenerated: input.barcode === undefined,
      parentBarcode: input.parentBarcode || undefined,
      enableComms: input.enableComms === true,
      fields: keptFields(input.fields, switches.misstored, true),
      createdAt: nowMs,
      updatedAt: nowMs,
    };
    this.#write(toRow(registration, seq));
    this.#note(seq, undefined, switches.readLagMs, nowMs);
    return { action: 'created', registration };
  }

  #update(known: StoredRow, input: RegistrationInput, switches: Switches, nowMs: number): SaveResult {
    const newBarcode = (): string => `QR-${this.#tag()}-${known.seq}-${randomUUID().slice(0, 8)}`;
    const changed = updated(toRegistration(known), input, switches, newBarcode);
    if (changed.barcode !== known.barcode && this.hasBarcode(changed.barcode)) return { action: 'refused' };
    const registration = { ...changed, updatedAt: nowMs };
    this.#note(known.seq, known, switches.readLagMs, nowMs);
    this.#write(toRow(registration, known.seq));
    return { action: 'updated', registration };
  }

  #write(row: StoredRow): void {
    this.database
      .prepare('INSERT OR REPLACE INTO registrations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(...Object.values(row));
  }

  /** Part of the identity of the data set. */
  #tag(): string {
    return this.#readInstanceId().slice(0, 8);
  }

  /** Adds a registration, or puts it in the place of the one with its id, past all rules and switches but the lag. */
  put(registration: SandboxRegistration, { readLagMs }: Pick<Switches, 'readLagMs'>, nowMs: number): void {
    inTransaction(this.database, () => {
      const known = this.database.prepare('SELECT * FROM registrations WHERE id = ?').get(registration.id) as
        | StoredRow
        | undefined;
      const seq = known?.seq ?? this.#nextSeq();
      this.#write(toRow(registration, seq));
      this.#note(seq, known, readLagMs, nowMs);
    });
  }

  /** Numbers are never used twice, deleted registrations included. Only right inside a transaction. */
  #nextSeq(): number {
    const last = this.database.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'registrations'`).get();
    return ((last as { seq: number } | undefined)?.seq ?? 0) + 1;
  }

  hasBarcode(barcode: string): boolean {
    const row = this.database.prepare('SELECT 1 FROM registrations WHERE barcode = ?').get(barcode);
    return row !== undefined;
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
      .all(...values, limit, offset) as StoredRow[];
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
    const rows = this.database.prepare('SELECT * FROM registrations').all() as StoredRow[];
    const shown = this.#recent.rewind(rows, nowMs - readLagMs).filter((row) => passes(row, filter));
    if (listOrder === 'newest') shown.reverse();
    return {
      total: shown.length,
      slice: (limit, offset) => shown.slice(offset, offset + limit).map(toRegistration),
    };
  }

  /** Deletes by the id or, where records show none, by the barcode: what is gone then. What becomes of members is a switch. */
  delete(
    value: string,
    switches: Pick<Switches, 'idKey' | 'parentDelete' | 'readLagMs'>,
    nowMs: number,
  ): SandboxRegistration[] | 'deleted-before' | 'has-members' | 'unknown' {
    const key = switches.idKey === 'none' ? 'barcode' : 'id';
    return inTransaction(this.database, () => {
      const rows = this.database
        .prepare(`SELECT * FROM registrations WHERE ${key} = ?`)
        .all(value) as StoredRow[];
      if (rows.length === 0) {
        const before = this.database.prepare('SELECT 1 FROM deleted WHERE id = ?').get(value);
        return before === undefined ? 'unknown' : 'deleted-before';
      }
      const { parentDelete } = switches;
      if (parentDelete === 'refused' && rows.some((row) => this.#members(row).length > 0)) {
        return 'has-members';
      }
      this.database.prepare('INSERT OR IGNORE INTO deleted VALUES (?)').run(value);
      return rows.flatMap((row) => this.#remove(row, switches, nowMs)).map(toRegistration);
    });
  }

  #members({ seq, barcode }: StoredRow): StoredRow[] {
    return this.database
      .prepare('SELECT * FROM registrations WHERE parent_barcode = ? AND seq <> ?')
      .all(barcode, seq) as StoredRow[];
  }

  /** What is gone then. */
  #remove(
    row: StoredRow,
    switches: Pick<Switches, 'parentDelete' | 'readLagMs'>,
    nowMs: number,
  ): StoredRow[] {
    const { changes } = this.database.prepare('DELETE FROM registrations WHERE seq = ?').run(row.seq);
    // A circle of parents ends where it began.
    if (changes === 0) return [];
    this.#note(row.seq, row, switches.readLagMs, nowMs);
    if (switches.parentDelete === 'cascade') {
      return [row, ...this.#members(row).flatMap((member) => this.#remove(member, switches, nowMs))];
    }
    for (const member of switches.parentDelete === 'orphaned' ? this.#members(row) : []) {
      this.#note(member.seq, member, switches.readLagMs, nowMs);
      this.#write({ ...member, parent_barcode: null });
    }
    return [row];
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

function passes(
  row: StoredRow,
  { persona = row.persona, barcode = row.barcode }: RegistrationFilter,
): boolean {
  return row.persona === persona && row.barcode === barcode;
}
