import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { foldBarcode, personOf } from '../decide/judge-person.ts';
import type { InputRow } from '../ingest/input-row.ts';
import type { Listed } from '../snapshot/listed-records.ts';

/** A row as far as it tells whom it is about. */
export interface PersonRow {
  readonly seq: number;
  /** How far below the first of its parents it is. */
  readonly depth: number;
  /** What it is known by: its barcode, or what it holds and how many equal rows came before it. */
  readonly rowKey: string;
  readonly persona: string;
  readonly barcode: string | undefined;
  /** As `emailOf` gives it. */
  readonly email: string | undefined;
  /** As `nameKeyOf` gives it. */
  readonly name: string | undefined;
  /** An earlier run has sent just this row, and nobody knows what became of it. */
  readonly inDoubt: boolean;
  readonly registration: Registration;
  /** Where it stands, in words. */
  readonly place: string;
}

/** They are many, and few are named: where one stands is put into words when it is asked for. */
class PlacedRow {
  declare readonly seq: number;
  readonly #row: InputRow;

  constructor(known: Omit<PersonRow, 'place'>, row: InputRow) {
    Object.assign(this, known);
    this.#row = row;
  }

  get place(): string {
    return formatPlace(this.#row.place);
  }
}

/** Rows that can be sent, in their order. */
export function personRows(
  rows: readonly InputRow[],
  how: {
    registrationOf: (row: InputRow) => Registration;
    fields: FieldsOf;
    isInDoubt: (row: InputRow) => boolean;
  },
): PersonRow[] {
  const { registrationOf, fields, isInDoubt } = how;
  return rows.map((row) => {
    const { seq, depth = 0, key: rowKey = '', barcode } = row;
    const registration = registrationOf(row);
    const { persona } = registration;
    const facts = { seq, depth, rowKey, persona, barcode, inDoubt: isInDoubt(row), registration };
    const known = { ...facts, ...personOf(registration, fields) };
    return new PlacedRow(known, row) as PlacedRow & typeof known;
  });
}

/** Whether a row is sent before another one. */
export const inSendingOrder = (one: PersonRow, other: PersonRow): number =>
  one.depth - other.depth || one.seq - other.seq;

/** The rows of the files by what they may be known by, and the registrations that they stand for. */
export class Rows {
  readonly all: readonly PersonRow[];
  readonly #byEmail = new Lookup<string, PersonRow>();
  readonly #byFolded = new Lookup<string, PersonRow>();
  readonly #owners = new Map<Listed, PersonRow>();
  readonly #owned = new Lookup<number, Listed>();

  /** `all` are in their order. */
  constructor(all: readonly PersonRow[]) {
    this.all = all;
    for (const row of all.toSorted(inSendingOrder)) {
      this.#byEmail.add(row.email, row);
      this.#byFolded.add(row.barcode && foldBarcode(row.barcode), row);
    }
  }

  /** In the order in which they are sent, as what follows. */
  withEmail(email: string | undefined): readonly PersonRow[] {
    return this.#byEmail.of(email);
  }

  /** Those with a barcode but for its case. */
  withFolded(barcode: string | undefined): readonly PersonRow[] {
    return this.#byFolded.of(barcode && foldBarcode(barcode));
  }

  /** From now on a row stands for a registration, unless another one does. */
  claim(row: PersonRow, listed: Listed): void {
    if (this.#owners.has(listed)) return;
    this.#owners.set(listed, row);
    this.#owned.add(row.seq, listed);
  }

  ownerOf(listed: Listed): PersonRow | undefined {
    return this.#owners.get(listed);
  }

  /** What a row stands for, in the order of the list: several may have its barcode. */
  ownedBy({ seq }: Pick<PersonRow, 'seq'>): readonly Listed[] {
    return this.#owned.of(seq).toSorted((one, other) => one.no - other.no);
  }

  /** Whether a row stands for no registration yet. */
  readonly isOpen = ({ seq }: Pick<PersonRow, 'seq'>): boolean => this.#owned.of(seq).length === 0;

  /** Whether no row stands for a registration yet. */
  readonly isFree = (listed: Listed): boolean => !this.#owners.has(listed);
}
