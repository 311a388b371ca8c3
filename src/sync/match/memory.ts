import type { KnownBase } from '../journal/base-codec.ts';
import { baseOfRow, type BaseStore } from '../journal/base-store.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import type { PersonRow as Row } from './rows.ts';

/** What is asked of the bases of an event. */
export type Bases = Pick<BaseStore, 'find' | 'read' | 'nameOf' | 'digest' | 'isEmpty'>;

/** What a list shows of its registrations. */
export interface Shown {
  ids: boolean;
  barcodes: boolean;
  emails: boolean;
  /** The list was read, and not only what was asked for by barcode. */
  isList: boolean;
  /** Everything there is was read while it stood still. */
  isWhole: boolean;
}

/** What this machine knows of people from before, whatever became of the runs that registered them. */
export class Memory {
  readonly isEmpty: boolean;
  readonly #bases: Bases;
  readonly #all: () => Iterable<Listed>;
  readonly #shown: Shown;
  #last: { row: Row; base: KnownBase | undefined } | undefined;
  /** Registrations by the digests of their ids and barcodes. */
  #listed: Map<string, Listed> | undefined;

  constructor(bases: Bases, all: () => Iterable<Listed>, shown: Shown) {
    this.isEmpty = bases.isEmpty;
    this.#bases = bases;
    this.#all = all;
    this.#shown = shown;
  }

  digest = (text: string): string => this.#bases.digest(text);

  /** That of the registration that a row stood for when it was last sent or seen. */
  ofRow(row: Row): KnownBase | undefined {
    if (this.isEmpty) return undefined;
    // It is asked for several times in a row.
    if (this.#last?.row !== row) this.#last = { row, base: baseOfRow(this.#bases, row) };
    return this.#last.base;
  }

  ofListed({ record }: Listed): KnownBase | undefined {
    return this.isEmpty ? undefined : this.#bases.read(record);
  }

  /** Those of a name. */
  ofName(name: string | undefined): KnownBase[] {
    return this.isEmpty ? [] : this.#bases.find('name', name);
  }

  hasEmail(base: KnownBase, email: string | undefined): boolean {
    return base.email === (email === undefined ? undefined : this.#bases.nameOf('email', email));
  }

  /** Whether a row with the barcode of a registration stood for it, and not one without. */
  isOfBarcode({ rowKey }: KnownBase, { record: { barcode = '' } }: Listed): boolean {
    return rowKey === this.#bases.nameOf('rowKey', `b:${barcode}`);
  }

  /** The digests of the keys of rows. */
  rowKeys(rows: readonly Row[]): Set<string> {
    return new Set(
      rows.flatMap(({ rowKey }) => (rowKey === undefined ? [] : this.#bases.nameOf('rowKey', rowKey))),
    );
  }

  /** The one registration that a base is of, by its id or barcode. */
  listedOf({ id, barcode }: KnownBase): Listed | undefined {
    this.#listed ??= this.#noteListed();
    return (id === undefined ? undefined : this.#listed.get(id)) ?? this.#listed.get(barcode ?? '');
  }

  /** Whether a registration has the barcode that is known of a base, or none is. */
  hasBarcodeOf({ record: { barcode } }: Listed, base: KnownBase): boolean {
    if (base.barcode === undefined || barcode === undefined) return true;
    return base.barcode === this.#bases.nameOf('barcode', barcode);
  }

  /** Whether the list proves that the registration of a base is not there any more. */
  isGone(
    base: KnownBase,
    email: string | undefined,
    is: { isThere: (email: string) => boolean; isAnother: (listed: Listed, base: KnownBase) => boolean },
  ): boolean {
    const listed = this.listedOf(base);
    if (!this.#shown.isWhole || (listed !== undefined && !is.isAnother(listed, base))) return false;
    const { ids, barcodes, emails } = this.#shown;
    if ((base.id !== undefined && ids) || (base.barcode !== undefined && barcodes)) return true;
    return emails && email !== undefined && !is.isThere(email);
  }

  /** What several registrations show is no name of any. */
  #noteListed(): Map<string, Listed> {
    const found = new Map<string, Listed>();
    const shared = new Set<string>();
    const note = (name: string, listed: Listed): void => {
      if (found.has(name)) shared.add(name);
      found.set(name, listed);
    };
    for (const listed of this.#all()) {
      const { id, barcode } = listed.record;
      if (id !== undefined && this.#shown.ids) note(this.#bases.nameOf('id', id), listed);
      if (barcode !== undefined) note(this.#bases.nameOf('barcode', barcode), listed);
    }
    for (const name of shared) found.delete(name);
    return found;
  }
}
