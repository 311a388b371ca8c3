import { randomUUID } from 'node:crypto';
import { insertion } from '../../sqlite/row-codec.ts';
import { SandboxFile } from './database.ts';
import {
  RecentChanges,
  REGISTRATION,
  type RegistrationInput,
  type SandboxRegistration,
  type StoredRow,
  toRegistration,
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

export class Store {
  readonly file: SandboxFile;
  readonly #recent = new RecentChanges<StoredRow>();
  #lastInstanceId: string;

  constructor(file: string) {
    this.file = new SandboxFile(file);
    this.#lastInstanceId = this.#readInstanceId();
  }

  /** Identity of the data set: read anew each time, because another process may have reset the file. */
  instanceId(): string {
    if (this.file.isOpen) this.#lastInstanceId = this.#readInstanceId();
    return this.#lastInstanceId;
  }

  #readInstanceId(): string {
    return this.file.get<{ value: string }>(`SELECT value FROM meta WHERE name = 'instance_id'`)?.value ?? '';
  }

  /** Creates, or does with a registration that is known what the switches say. */
  save(input: RegistrationInput, switches: Switches, nowMs: number): SaveResult {
    const { upsert, recognise } = switches;
    return this.file.transaction(() => {
      const known = upsert === 'double' ? undefined : findKnown(this.file, input, recognise);
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
      id: newId(this.file, switches.idForm, tag, seq),
      persona: input.persona,
      barcode: input.barcode ?? `QR-${tag}-${seq}`,
      barcodeGenerated: input.barcode === undefined,
      parentBarcode: input.parentBarcode || undefined,
      enableComms: input.enableComms === true,
      fields: keptFields(input.fields, switches.misstored, true),
      createdAt: nowMs,
      updatedAt: nowMs,
    };
    this.#write({ seq, ...registration });
    this.#note(seq, undefined, switches.readLagMs, nowMs);
    return { action: 'created', registration };
  }

  #update(known: StoredRow, input: RegistrationInput, switches: Switches, nowMs: number): SaveResult {
    const newBarcode = (): string => `QR-${this.#tag()}-${known.seq}-${randomUUID().slice(0, 8)}`;
    const changed = updated(toRegistration(known), input, switches, newBarcode);
    if (changed.barcode !== known.barcode && this.hasBarcode(changed.barcode)) return { action: 'refused' };
    const registration = { ...changed, updatedAt: nowMs };
    this.#note(known.seq, known, switches.readLagMs, nowMs);
    this.#write({ seq: known.seq, ...registration });
    return { action: 'updated', registration };
  }

  #write(row: StoredRow): void {
    const { sql, values } = insertion('registrations', row, 'INSERT OR REPLACE');
    this.file.run(sql, values);
  }

  /** Part of the identity of the data set. */
  #tag(): string {
    return this.#readInstanceId().slice(0, 8);
  }

  /** Adds a registration, or puts it in the place of the one with its id, past all rules and switches but the lag. */
  put(registration: SandboxRegistration, { readLagMs }: Pick<Switches, 'readLagMs'>, nowMs: number): void {
    this.file.transaction(() => {
      const { id: $id } = registration;
      const known = this.file.readOne(REGISTRATION, 'FROM registrations WHERE id = $id', { $id });
      const seq = known?.seq ?? this.#nextSeq();
      this.#write({ ...registration, seq });
      this.#note(seq, known, readLagMs, nowMs);
    });
  }

  /** Numbers are never used twice, deleted registrations included. Only right inside a transaction. */
  #nextSeq(): number {
    const sql = `SELECT seq FROM sqlite_sequence WHERE name = 'registrations'`;
    return (this.file.get<{ seq: number }>(sql)?.seq ?? 0) + 1;
  }

  hasBarcode($barcode: string): boolean {
    return this.file.has('FROM registrations WHERE barcode = $barcode', { $barcode });
  }

  count(filter: RegistrationFilter): number {
    const { where, values } = whereOf(filter);
    return this.file.count(`FROM registrations ${where}`, values);
  }

  /** Registrations that pass the filter, oldest first unless told otherwise. */
  list(
    filter: RegistrationFilter,
    limit: number,
    offset: number,
    order: Switches['listOrder'] = 'oldest',
  ): SandboxRegistration[] {
    const { where, values } = whereOf(filter);
    const from = `FROM registrations ${where} ORDER BY seq ${order === 'oldest' ? 'ASC' : 'DESC'}`;
    return this.file
      .read(REGISTRATION, `${from} LIMIT $limit OFFSET $offset`, {
        ...values,
        $limit: limit,
        $offset: offset,
      })
      .map(toRegistration);
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
    const rows = this.file.read(REGISTRATION, 'FROM registrations');
    const shown = this.#recent.rewind(rows, nowMs - readLagMs).filter((row) => passes(row, filter));
    if (listOrder === 'newest') shown.reverse();
    return {
      total: shown.length,
      slice: (limit, offset) => shown.slice(offset, offset + limit).map(toRegistration),
    };
  }

  /** Deletes by the id or, where records show none, by the barcode: what is gone then. What becomes of members is a switch. */
  delete(
    $value: string,
    switches: Pick<Switches, 'idKey' | 'parentDelete' | 'readLagMs'>,
    nowMs: number,
  ): SandboxRegistration[] | 'deleted-before' | 'has-members' | 'unknown' {
    const key = switches.idKey === 'none' ? 'barcode' : 'id';
    return this.file.transaction(() => {
      const rows = this.file.read(REGISTRATION, `FROM registrations WHERE ${key} = $value`, { $value });
      if (rows.length === 0) {
        return this.file.has('FROM deleted WHERE id = $value', { $value }) ? 'deleted-before' : 'unknown';
      }
      const { parentDelete } = switches;
      if (parentDelete === 'refused' && rows.some((row) => this.#members(row).length > 0)) {
        return 'has-members';
      }
      this.file.run('INSERT OR IGNORE INTO deleted VALUES (?)', [$value]);
      return rows.flatMap((row) => this.#remove(row, switches, nowMs)).map(toRegistration);
    });
  }

  #members({ seq: $seq, barcode: $barcode }: StoredRow): StoredRow[] {
    const of = 'FROM registrations WHERE parent_barcode = $barcode AND seq <> $seq';
    return this.file.read(REGISTRATION, of, { $seq, $barcode });
  }

  /** What is gone then. */
  #remove(
    row: StoredRow,
    switches: Pick<Switches, 'parentDelete' | 'readLagMs'>,
    nowMs: number,
  ): StoredRow[] {
    // A circle of parents ends where it began.
    if (this.file.run('DELETE FROM registrations WHERE seq = ?', [row.seq]) === 0) return [];
    this.#note(row.seq, row, switches.readLagMs, nowMs);
    if (switches.parentDelete === 'cascade') {
      return [row, ...this.#members(row).flatMap((member) => this.#remove(member, switches, nowMs))];
    }
    for (const member of switches.parentDelete === 'orphaned' ? this.#members(row) : []) {
      this.#note(member.seq, member, switches.readLagMs, nowMs);
      this.#write({ ...member, parentBarcode: undefined });
    }
    return [row];
  }

  close(): void {
    if (this.file.isOpen) this.file.close();
  }
}

function whereOf(filter: RegistrationFilter): { where: string; values: Record<string, string> } {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const where = pairs.map(([column]) => `${column} = $${column}`).join(' AND ');
  return {
    where: where === '' ? '' : `WHERE ${where}`,
    values: Object.fromEntries(pairs.map(([column, value]) => [`$${column}`, value])),
  };
}

function passes(
  row: StoredRow,
  { persona = row.persona, barcode = row.barcode }: RegistrationFilter,
): boolean {
  return row.persona === persona && row.barcode === barcode;
}
