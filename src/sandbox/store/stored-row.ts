import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

export type FieldValue = string | readonly string[];

/** A registration as it is kept, whatever shape the answers have, with its number. */
export const REGISTRATION = rowCodec({
  seq: value<number>(),
  id: value<string>(),
  persona: value<string>(),
  barcode: value<string>(),
  /** True when the request named no barcode and the sandbox made one up. */
  barcodeGenerated: flag(),
  parentBarcode: value<string | undefined>(),
  enableComms: flag(),
  fields: json<Readonly<Record<string, FieldValue>>>(),
  /** Milliseconds since 1970. */
  createdAt: value<number>(),
  updatedAt: value<number>(),
});
export type StoredRow = RowOf<typeof REGISTRATION>;

export type SandboxRegistration = Omit<StoredRow, 'seq'>;

export const toRegistration = ({ seq: _seq, ...registration }: StoredRow): SandboxRegistration =>
  registration;

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
