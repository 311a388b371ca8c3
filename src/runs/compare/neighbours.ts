import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Listed } from '../../sync/snapshot/listed-records.ts';
import { firstOf } from '../../sync/decide/lookup.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { emailOf, hasName, type PersonKey, sharedKey } from '../../sync/decide/near.ts';
import { place, rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';
import { inSendingOrder, type PeopleRows, type PersonRow } from './people-rows.ts';
import { formatPlace } from '../../registration/model/row.ts';

/** A registration that may be taken for the one that a row is about. */
export interface Neighbour {
  key: PersonKey;
  /** Undefined: another row of the files will register it. */
  record: RegistrationRecord | undefined;
  /** It has all the names of the row. */
  sameName: boolean;
  /** It is not like the row yet: its owner makes it so. */
  becomes?: true;
  /** The row of the files that stands for it, if one does. */
  owner: { seq: number; place: string } | undefined;
}

/** So many registrations that are like a row tell enough. */
const MOST = 20;

/** What people are looked for with. */
export interface PeopleContext {
  journal: Journal;
  run: string;
  fields: FieldsOf;
}

const PERSON = rowCodec({ seq: value<number>('row.seq'), registration: said(), place: place() });
/** A row with what it says. */
export type Person = Pick<RowOf<typeof PERSON>, 'seq' | 'registration'>;

/** What a row of the run says, and where it stands. */
export function personOf({ journal, run }: Omit<PeopleContext, 'fields'>, seq: number): RowOf<typeof PERSON> {
  const row = journal.readOne(PERSON, 'FROM row WHERE run = $run AND seq = $seq', { run, seq });
  if (row === undefined) throw new Error(`Run ${run} has no row ${seq}.`);
  return row;
}

/** What else rows may be about, besides the registrations that they stand for: see `People`. */
export class Neighbours {
  readonly #context: PeopleContext;
  readonly #fields: FieldsOf;
  readonly #rows: PeopleRows;
  readonly #reading: ListReading;

  constructor(context: PeopleContext, rows: PeopleRows, reading: ListReading) {
    this.#context = context;
    this.#fields = context.fields;
    this.#rows = rows;
    this.#reading = reading;
  }

  #owner(seq: number): { seq: number; place: string } {
    return { seq, place: formatPlace(personOf(this.#context, seq).place) };
  }

  /** Whether another row has the e-mail of a row, and stands for nobody yet. */
  hasRivals({ seq, registration }: Person): boolean {
    const rows = this.#rows.withEmail(emailOf(registration, this.#fields));
    return rows.some((row) => row.seq !== seq && this.#rows.isFree(row));
  }

  /** Registrations, and rows before it, that a row which registers somebody new may be taken for. */
  of({ seq, registration }: Person): Neighbour[] {
    const alike = [...this.#listed(registration, false), ...this.#listed(registration, true)].flatMap(
      (listed) => {
        const { record } = listed;
        const key = sharedKey(registration, record, this.#fields);
        if (key === undefined) return [];
        const by = this.#rows.ownerOf(listed);
        const owner = by === undefined ? undefined : this.#owner(by);
        return [{ key, record, sameName: hasName(registration, record, this.#fields), owner }];
      },
    );
    const owners = new Set(alike.flatMap(({ owner }) => owner?.seq ?? []));
    const becoming = this.#becoming({ seq, registration }).filter(({ owner }) => !owners.has(owner.seq));
    return [...alike, ...becoming, ...this.#twinsOf({ seq, registration })];
  }

  /** Those with its e-mail address, of whatever persona, or its barcode but for the case; the first of each. */
  #listed(registration: Registration, isOwned: boolean): Listed[] {
    const { listed } = this.#reading;
    const isWanted = (one: Listed): boolean => this.#rows.isOwned(one) === isOwned;
    const alike = [
      ...firstOf(listed.withEmail(emailOf(registration, this.#fields)), MOST, isWanted),
      ...firstOf(listed.withFolded(registration.barcode), MOST, isWanted),
    ];
    return [...new Set(alike)].toSorted((one, other) => one.no - other.no);
  }

  /** Registrations that rows of the files stand for and give the e-mail of a row. */
  #becoming({ seq, registration }: Person): (Neighbour & { owner: { seq: number } })[] {
    if (this.#reading.listed.count === 0) return [];
    const owners = this.#rows
      .withEmail(emailOf(registration, this.#fields))
      .filter((row) => row.seq !== seq && !this.#rows.isFree(row))
      .toSorted((one, other) => one.seq - other.seq);
    return owners.slice(0, MOST).flatMap((row) => {
      const key = sharedKey(registration, personOf(this.#context, row.seq).registration, this.#fields);
      const record = this.#rows.ownedBy(row.seq).at(-1)?.record;
      if (key === undefined || record === undefined) return [];
      return [{ key, record, sameName: false, becomes: true as const, owner: this.#owner(row.seq) }];
    });
  }

  /** The first row of each key that is new, too, and is sent before. */
  #twinsOf({ seq, registration }: Person): Neighbour[] {
    const mine = this.#rows.bySeq(seq);
    if (mine === undefined) return [];
    const isTwin = (row: PersonRow): boolean =>
      inSendingOrder(row, mine) < 0 && row.state === 'pending' && this.#rows.isFree(row);
    const twins = [
      ...firstOf(this.#rows.withEmail(mine.email), MOST, isTwin),
      ...firstOf(this.#rows.withFolded(mine.barcode), MOST, isTwin),
    ];
    const firsts = new Map<PersonKey, Neighbour>();
    for (const row of [...new Set(twins)].toSorted(inSendingOrder)) {
      const key = sharedKey(registration, personOf(this.#context, row.seq).registration, this.#fields);
      if (key === undefined || firsts.has(key)) continue;
      firsts.set(key, { key, record: undefined, sameName: false, owner: this.#owner(row.seq) });
    }
    return [...firsts.values()];
  }
}
