import { Lookup } from '../decide/lookup.ts';
import { foldBarcode } from '../decide/near.ts';
import type { PersonRow as Row } from '../journal/run-rows.ts';
import type { Listed } from '../snapshot/listed-records.ts';

/** Whether a row is sent before another one. */
export const inSendingOrder = (one: Row, other: Row): number =>
  one.depth - other.depth || one.seq - other.seq;

/** The rows of the files by what they may be known by, and the registrations that they stand for. */
export class Rows {
  readonly all: readonly Row[];
  readonly #byEmail = new Lookup<string, Row>();
  readonly #byFolded = new Lookup<string, Row>();
  readonly #owners = new Map<Listed, Row>();
  readonly #owned = new Lookup<number, Listed>();

  /** `all` are in their order. */
  constructor(all: readonly Row[]) {
    this.all = all;
    for (const row of all.toSorted(inSendingOrder)) {
      this.#byEmail.add(row.email, row);
      this.#byFolded.add(row.barcode && foldBarcode(row.barcode), row);
    }
  }

  /** In the order in which they are sent, as what follows. */
  withEmail(email: string | undefined): readonly Row[] {
    return this.#byEmail.of(email);
  }

  /** Those with a barcode but for its case. */
  withFolded(barcode: string | undefined): readonly Row[] {
    return this.#byFolded.of(barcode && foldBarcode(barcode));
  }

  /** From now on a row stands for a registration, unless another one does. */
  claim(row: Row, listed: Listed): void {
    if (this.#owners.has(listed)) return;
    this.#owners.set(listed, row);
    this.#owned.add(row.seq, listed);
  }

  ownerOf(listed: Listed): Row | undefined {
    return this.#owners.get(listed);
  }

  /** What a row stands for, in the order of the list: several may have its barcode. */
  ownedBy({ seq }: Pick<Row, 'seq'>): readonly Listed[] {
    return this.#owned.of(seq).toSorted((one, other) => one.no - other.no);
  }

  /** Whether a row stands for no registration yet. */
  readonly isOpen = ({ seq }: Pick<Row, 'seq'>): boolean => this.#owned.of(seq).length === 0;

  /** Whether no row stands for a registration yet. */
  readonly isFree = (listed: Listed): boolean => !this.#owners.has(listed);
}
