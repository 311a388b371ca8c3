import { type FieldsOf, PARENT, PERSONA } from '../../registration/changes/aspect.ts';
import { nameKeyOf } from '../../registration/changes/person.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { UNSAID, wasSeen } from '../decide/base.ts';
import type { KnownBase } from '../journal/base-codec.ts';
import { baseOfRow, type BaseStore } from '../journal/base-store.ts';
import { hasKind, type Listed } from '../snapshot/listed-records.ts';
import type { PersonRow as Row } from './rows.ts';

/** What is asked of the bases of an event. */
export type Bases = Pick<BaseStore, 'find' | 'bareOf' | 'read' | 'nameOf' | 'digest' | 'isEmpty'>;

/** What a list shows of its registrations. */
export interface Shown {
  ids: boolean;
  /** Updates were seen to keep the ids: else one that is gone may be another by now. */
  idsStay: boolean;
  barcodes: boolean;
  emails: boolean;
  values: boolean;
  /** The list was read, and not only what was asked for by barcode. */
  isList: boolean;
  /** Everything there is was read while it stood still. */
  isWhole: boolean;
  /** Of what kinds: see `kindOf`. */
  kinds: ReadonlySet<string>;
}

/** What this machine knows of people from before, whatever became of the runs that registered them. */
export class Memory {
  readonly isEmpty: boolean;
  readonly #bases: Bases;
  readonly #all: () => Iterable<Listed>;
  readonly #shown: Shown;
  readonly #fields: FieldsOf;
  #keys: ReadonlySet<string> | undefined;
  #last: { row: Row; base: KnownBase | undefined } | undefined;
  /** Registrations by the digests of their ids and barcodes. */
  #listed: Map<string, Listed> | undefined;

  constructor(bases: Bases, all: () => Iterable<Listed>, shown: Shown, fields: FieldsOf) {
    this.isEmpty = bases.isEmpty;
    this.#bases = bases;
    this.#all = all;
    this.#shown = shown;
    this.#fields = fields;
  }

  digest = (text: string): string => this.#bases.digest(text);

  /** That of the registration that a row stood for when it was last sent or seen. */
  ofRow(row: Row): KnownBase | undefined {
    if (this.isEmpty) return undefined;
    // It is asked for several times in a row.
    if (this.#last?.row !== row) this.#last = { row, base: baseOfRow(this.#bases, row) };
    return this.#last.base;
  }

  /** By its id or barcode; where the list shows neither of what is known, by the e-mail and name that were said of it. */
  ofListed({ record, email }: Listed, persona = record.persona): KnownBase | undefined {
    if (this.isEmpty) return undefined;
    const known = this.#bases.read(record);
    if (known !== undefined || persona === undefined) return known;
    const name = nameKeyOf({ persona, fields: record.fields ?? {} }, this.#fields);
    return this.of('name', name).find((base) => !this.isKnownByName(base) && this.has(base, 'email', email));
  }

  /** Those of a name, or of an e-mail address. */
  of(key: 'name' | 'email', name: string | undefined): KnownBase[] {
    return this.isEmpty ? [] : this.#bases.find(key, name);
  }

  /** Those without an e-mail of whom some files have spoken. */
  bareOf(files: string): KnownBase[] {
    return this.isEmpty ? [] : this.#bases.bareOf(files);
  }

  /** Whether a base is of a name, or of an e-mail address; of none where it is undefined. */
  has(base: KnownBase, key: 'name' | 'email', name: string | undefined): boolean {
    return base[key] === (name === undefined ? undefined : this.#bases.nameOf(key, name));
  }

  /** Whether a row with the barcode of a registration stood for it, and not one without. */
  isOfBarcode({ rowKey }: KnownBase, { record: { barcode = '' } }: Listed): boolean {
    return rowKey === this.#bases.nameOf('rowKey', `b:${barcode}`);
  }

  /** Whether one of the rows stands for it as it is. */
  isOfRows({ rowKey }: KnownBase, rows: readonly Row[]): boolean {
    this.#keys ??= new Set(rows.map((row) => this.#bases.nameOf('rowKey', row.rowKey)));
    return rowKey !== undefined && this.#keys.has(rowKey);
  }

  /** Whether a persona was said of it. */
  isOfPersona({ pairs }: KnownBase, persona: string): boolean {
    const { said = UNSAID } = pairs.get(PERSONA.key) ?? {};
    return said === UNSAID || said === this.digest(persona);
  }

  /** Whether a registration has another id than a base. */
  hasOtherId({ record: { id } }: Listed, base: KnownBase): boolean {
    return base.id !== undefined && id !== undefined && base.id !== this.#bases.nameOf('id', id);
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

  /**
   * Whether the list shows the registration of a base, or would where it is there: by any of its names or by what it holds.
   * Where nobody has seen it, nor anything of its kind, nothing is shown.
   */
  isVisible(base: KnownBase): boolean {
    const { values, isWhole } = this.#shown;
    if (this.listedOf(base) !== undefined) return true;
    return isWhole && this.isKindShown(base) && (values || this.isKnownByName(base));
  }

  /** Whether a list that is whole shows a registration by the id or barcode that is known of it, whoever it is by now. */
  isKnownByName({ id, barcode }: KnownBase): boolean {
    return (id !== undefined && this.#shown.ids) || (barcode !== undefined && this.#shown.barcodes);
  }

  /** Whether somebody has seen the registration of a base as it was last said, or the list shows others of its kind. */
  isKindShown(base: KnownBase): boolean {
    const { kinds } = this.#shown;
    const { pairs } = base;
    const isPersona = (persona: string): boolean => this.isOfPersona(base, persona);
    const isMoved = [PERSONA, PARENT].some(({ key }) => pairs.has(key) && pairs.get(key)?.seen === undefined);
    return (
      (wasSeen(base) && !isMoved) ||
      kinds.size === 0 ||
      hasKind(kinds, this.#parentOf(base) !== undefined, isPersona)
    );
  }

  /** Whether a row is of the kind that was last said of it. */
  isOfKindSaid(base: KnownBase, { persona, parentBarcode }: Registration): boolean {
    return this.isOfPersona(base, persona) && !this.#parentOf(base) === (parentBarcode === undefined);
  }

  /** Whether a row is of the persona and the group, or of none, that was last said of it. */
  isOfGroup(base: KnownBase, { persona, parentBarcode }: Registration): boolean {
    const parent = this.#parentOf(base);
    return this.isOfPersona(base, persona) && parent === (parentBarcode && this.digest(parentBarcode));
  }

  #parentOf({ pairs }: KnownBase): string | undefined {
    const { said } = pairs.get(PARENT.key) ?? {};
    return said === UNSAID || said === this.digest('') ? undefined : said;
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
