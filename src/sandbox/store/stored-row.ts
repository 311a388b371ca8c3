/** A registration as its table has it. */
export type StoredRow = ReturnType<typeof toRow>;

/** The registration that the row holds. */
export function toRegistration(row: StoredRow): SandboxRegistration {
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

/** The row that holds the registration under the number. */
export function toRow(registration: SandboxRegistration, seq: number) {
  return {
    seq,
    id: registration.id,
    persona: registration.persona,
    barcode: registration.barcode,
    barcode_generated: Number(registration.barcodeGenerated),
    parent_barcode: registration.parentBarcode ?? null,
    enable_comms: Number(registration.enableComms),
    fields: JSON.stringify(registration.fields),
    created_at: registration.createdAt,
    updated_at: registration.updatedAt,
  };
}

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
 * A checked request. An empty text or list clears a field, an empty parent takes the registration out of its
 * group; what becomes of the rest on update is for the switches to say.
 */
export interface RegistrationInput extends Pick<SandboxRegistration, 'persona' | 'fields' | 'parentBarcode'> {
  barcode: string | undefined;
  enableComms: boolean | undefined;
}

/** A change of one row: what it was before, undefined when it was not there. */
interface Change<Row> {
  atMs: number;
  seq: number;
  before: Row | undefined;
}

/** Remembers what changed lately, so that lists can show what was there before. In memory: it is young. */
export class RecentChanges<Row extends { seq: number }> {
  #changes: Change<Row>[] = [];

  /** Notes a change, and forgets those that no list of `keepMs` ago can need. */
  note(change: Change<Row>, keepMs: number): void {
    this.#changes = this.#changes.filter(({ atMs }) => atMs > change.atMs - keepMs);
    this.#changes.push(change);
  }

  /** The rows as they were before every change later than `sinceMs`, in the order of their numbers. */
  rewind(rows: readonly Row[], sinceMs: number): Row[] {
    const then = new Map(rows.map((row) => [row.seq, row]));
    for (const { atMs, seq, before } of this.#changes.toReversed()) {
      if (atMs <= sinceMs) continue;
      if (before === undefined) then.delete(seq);
      else then.set(seq, before);
    }
    return [...then.values()].sort((a, b) => a.seq - b.seq);
  }
}
