import { IN_DOUBT, type RowState, THERE } from '../../registration/model/row-states.ts';
import { changesButMessages } from '../../registration/changes/field-change.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Listed } from '../../sync/snapshot/listed-records.ts';
import { firstOf, Lookup } from '../../sync/decide/lookup.ts';
import { emailOf, nameKeyOf } from '../../sync/decide/near.ts';
import { type PeopleContext, type Person, personOf } from './neighbours.ts';
import type { PeopleRows, PersonRow } from './people-rows.ts';

/** So many registrations of one name are looked at for one that is just as a row says, and tell enough. */
const MOST = 20;

/** Those in doubt first, then those that were said to be there: a new row takes what they leave. */
const IN_TURN: readonly ((state: RowState) => boolean)[] = [
  (state) => IN_DOUBT.has(state),
  (state) => THERE.has(state),
  (state) => !IN_DOUBT.has(state) && !THERE.has(state),
];

/**
 * Registrations with the name of a row that has neither barcode nor e-mail. Where nothing else tells whose they are, those
 * that are just as such a row says are its own; of the others only people can tell.
 */
export class Namesakes {
  readonly #context: PeopleContext;
  readonly #people: PeopleRows;
  readonly #keys = new Map<number, string>();
  readonly #rows = new Lookup<string, PersonRow>();
  readonly #listed = new Lookup<string, Listed>();

  /** Call it when all that is known otherwise is taken. */
  constructor(context: PeopleContext, people: PeopleRows, { listed }: ListReading) {
    this.#context = context;
    this.#people = people;
    if (listed.count === 0) return;
    const personas = this.#noteRows();
    if (personas.size > 0) this.#noteListed(listed.numbered(), personas);
    for (const key of [...this.#listed.keys()].toSorted()) this.#takeAsSaid(key);
  }

  /** Returns the personas of the rows that nothing else is known of. */
  #noteRows(): Set<string> {
    const personas = new Set<string>();
    for (const row of this.#people.all) {
      if (row.barcode !== undefined || row.email !== undefined || !this.#people.isFree(row)) continue;
      const { registration } = personOf(this.#context, row.seq);
      const key = nameKeyOf(registration, this.#context.fields);
      if (key === undefined) continue;
      personas.add(registration.persona);
      this.#keys.set(row.seq, key);
      this.#rows.add(key, row);
    }
    return personas;
  }

  #noteListed(all: Iterable<Listed>, personas: ReadonlySet<string>): void {
    for (const listed of all) {
      if (this.#people.isOwned(listed)) continue;
      const { persona: own, fields = {} } = listed.record;
      for (const persona of own === undefined ? personas : [own]) {
        const key = nameKeyOf({ persona, fields }, this.#context.fields);
        if (this.#rows.of(key).length > 0) this.#listed.add(key, listed);
      }
    }
  }

  /** One registration to a row, in the order of both: of equal ones it does not matter which is whose. */
  #takeAsSaid(key: string): void {
    const free = this.#listed.of(key).filter((one) => !this.#people.isOwned(one));
    const near = free.splice(0, MOST);
    for (const isInTurn of IN_TURN) {
      for (const row of this.#rows.of(key)) {
        if (!isInTurn(row.state) || !this.#people.isFree(row)) continue;
        const { registration } = personOf(this.#context, row.seq);
        const at = near.findIndex(({ record }) => this.#isAsSaid(registration, record));
        for (const own of at < 0 ? [] : near.splice(at, 1)) this.#people.take(own, row.seq);
        near.push(...free.splice(0, MOST - near.length));
        if (near.length === 0) return;
      }
    }
  }

  /** An e-mail that the row does not have may be that of another person. */
  #isAsSaid(registration: Registration, record: RegistrationRecord): boolean {
    const { fields } = this.#context;
    const { persona } = registration;
    if (emailOf({ persona, fields: record.fields ?? {} }, fields) !== undefined) return false;
    return changesButMessages(registration, record, fields)?.length === 0;
  }

  /** Those with the name of a row that no row stands for; none of one that has a barcode or an e-mail. */
  of({ seq }: Pick<Person, 'seq'>): RegistrationRecord[] {
    const named = this.#listed.of(this.#keys.get(seq));
    return firstOf(named, MOST, (one) => !this.#people.isOwned(one)).map(({ record }) => record);
  }

  /** Whether another row that has no registration either has the name of a row. */
  hasRivals({ seq }: Pick<Person, 'seq'>): boolean {
    if (this.#listed.size === 0) return false;
    return this.#rows.of(this.#keys.get(seq)).some((row) => row.seq !== seq && this.#people.isFree(row));
  }
}
