import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { changesButMessages } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Listed } from '../../sync/snapshot/listed-records.ts';
import { firstOf } from '../../sync/decide/lookup.ts';
import { hasName, isAlike } from '../../sync/decide/near.ts';
import { Namesakes } from './namesakes.ts';
import { Neighbours, type PeopleContext, type Person, personOf } from './neighbours.ts';
import { PeopleRows, type PersonRow } from './people-rows.ts';

/** More with one address are no family. */
const LARGEST_FAMILY = 200;
/** Sent before without a full answer: what is there just as it was sent is its own. */
const isDoubtful = ({ state }: PersonRow): boolean => IN_DOUBT.has(state);
const isCertain = ({ state }: PersonRow): boolean => !IN_DOUBT.has(state);

type Test = (row: PersonRow) => boolean;

/**
 * Which registrations of a whole list the rows of a run stand for: by barcode, by the id that the service gave the very
 * same row before, and without either by e-mail and name; without an e-mail by all it says.
 */
export class People {
  readonly #context: PeopleContext;
  readonly #fields: FieldsOf;
  readonly #reading: ListReading;
  /** False when registrations are listed without their e-mail addresses, so that none can be found by its own. */
  readonly canTell: boolean;
  readonly neighbours: Neighbours;
  readonly namesakes: Namesakes;
  readonly rows: PeopleRows;

  constructor(context: PeopleContext, reading: ListReading, match: 'barcode' | 'email' | 'none') {
    const { journal, run, fields } = context;
    this.#context = context;
    this.#fields = fields;
    this.#reading = reading;
    this.canTell = reading.listed.count === 0 || reading.listed.showsEmails;
    this.rows = new PeopleRows(journal, run, fields);
    this.neighbours = new Neighbours(context, this.rows, reading);
    this.#takeByBarcode();
    if (reading.idsShown) this.#takeById();
    for (const email of this.#sharedEmails(isDoubtful)) this.#takeAsSent(email);
    for (const email of this.#sharedEmails(isCertain)) this.#takeByName(email, match);
    this.namesakes = new Namesakes(context, this.rows, reading);
  }

  #takeByBarcode(): void {
    for (const { seq, barcode } of this.rows.all) {
      if (barcode === undefined) continue;
      for (const listed of this.#reading.listed.withBarcode(barcode)) this.rows.take(listed, seq);
    }
  }

  /** What the service gave an id to before. Ids may be used again, so that something of the person has to be there. */
  #takeById(): void {
    const others: { listed: Listed; seq: number }[] = [];
    for (const { seq, remoteId } of this.rows.all.filter(this.rows.isFree)) {
      const [listed, another] = this.#reading.listed.withId(remoteId);
      if (listed === undefined || another !== undefined) continue;
      const { registration } = personOf(this.#context, seq);
      const { record } = listed;
      if (record.fields === undefined || hasName(registration, record, this.#fields))
        this.rows.take(listed, seq);
      else if (isAlike(registration, record, this.#fields)) others.push({ listed, seq });
    }
    // Where two rows were given one id, it is that of the one whose name it has.
    for (const { listed, seq } of others) this.rows.take(listed, seq);
  }

  /** Addresses that rows without a barcode share with registrations that nobody stands for yet. */
  #sharedEmails(test: Test): Set<string> {
    const { listed } = this.#reading;
    const isShared = (email: string): boolean => !listed.withEmail(email).every(this.rows.isOwned);
    const emails = this.rows.all.flatMap((row) =>
      row.email !== undefined && this.#seeks(row, test) && isShared(row.email) ? row.email : [],
    );
    return new Set(emails);
  }

  /** Whether it is a row without a barcode that has no registration yet. */
  #seeks(row: PersonRow, test: Test): boolean {
    return row.barcode === undefined && test(row) && this.rows.isFree(row);
  }

  #takeAsSent(email: string): void {
    for (const person of this.#seekers(email, isDoubtful)) {
      const own = this.#free(email, person.registration).find(
        ({ record }) => this.#openChanges(person, record) === 0,
      );
      if (own !== undefined) this.rows.take(own, person.seq);
    }
  }

  /** The same name first; of a family then the one that is left. */
  #takeByName(email: string, match: 'barcode' | 'email' | 'none'): void {
    const seekers = this.#seekers(email, isCertain);
    if (seekers.length > LARGEST_FAMILY) return;
    for (const person of seekers) {
      const named = this.#free(email, person.registration).filter(({ record }) =>
        hasName(person.registration, record, this.#fields),
      );
      const rivals = seekers.filter(({ seq, registration }) => {
        const [first] = named;
        return seq >= person.seq && first !== undefined && hasName(registration, first.record, this.#fields);
      });
      // More registrations than rows of one name: nothing tells which is whose.
      if (named.length > rivals.length) continue;
      const [best] = named.sort(
        (one, other) => this.#openChanges(person, one.record) - this.#openChanges(person, other.record),
      );
      if (best !== undefined) this.rows.take(best, person.seq);
    }
    const [last, another] = seekers.filter(this.rows.isFree);
    if (last === undefined || another !== undefined || match === 'none') return;
    const free = this.#free(email, last.registration);
    const [only] = free;
    const isOneLeft = free.length === 1 && (match === 'email' || this.rows.withEmail(email).length > 1);
    if (only !== undefined && isOneLeft) this.rows.take(only, last.seq);
  }

  /** In the order of the rows. */
  #seekers(email: string, test: Test): Person[] {
    return this.rows
      .withEmail(email)
      .filter((row) => this.#seeks(row, test))
      .toSorted((one, other) => one.seq - other.seq)
      .map(({ seq }) => personOf(this.#context, seq));
  }

  /** Registrations of the persona that have the address, and that nobody stands for. */
  #free(email: string, { persona }: Registration): Listed[] {
    const { listed } = this.#reading;
    const isFree = (one: Listed): boolean => !this.rows.isOwned(one);
    return firstOf(listed.withEmail(email), LARGEST_FAMILY + 1, isFree).filter(
      ({ record }) => (record.persona ?? persona) === persona,
    );
  }

  #openChanges({ registration }: Person, record: RecordImage): number {
    return (changesButMessages(registration, record, this.#fields) ?? []).length;
  }

  /** Whether another row has the e-mail of a row, or without one its name, and stands for nobody. */
  hasRivals(row: Person): boolean {
    return this.neighbours.hasRivals(row) || this.namesakes.hasRivals(row);
  }

  /** From now on a row stands for a registration. */
  claim(seq: number, { id, barcode }: RegistrationRecord): void {
    const { listed } = this.#reading;
    const found = listed.withFolded(barcode).find(({ record }) => record.id === id) ?? listed.withId(id)[0];
    if (found !== undefined) this.rows.take(found, seq);
  }

  /** The one registration with an id, if no row stands for it. */
  freeById(id: string): RegistrationRecord | undefined {
    const [listed, another] = this.#reading.listed.withId(id);
    const isFree = listed !== undefined && another === undefined && !this.rows.isOwned(listed);
    return isFree ? listed.record : undefined;
  }

  /** Whether a row stands for a registration with an id. */
  isTaken(id: string | undefined): boolean {
    return this.#reading.listed.withId(id).some(this.rows.isOwned);
  }

  /** The registration that a row stands for. */
  ownOf(seq: number): RegistrationRecord | undefined {
    return this.rows.ownedBy(seq)[0]?.record;
  }

  /** The rows that are like nobody: they share neither an e-mail, nor a barcode but for its case, with a row or a registration. */
  get newRows(): number[] {
    return this.rows.all.flatMap((row) => (row.mayBeNew && !this.#isAlike(row) ? row.seq : []));
  }

  #isAlike({ email, barcode }: PersonRow): boolean {
    const { listed } = this.#reading;
    const known = Math.max(listed.withEmail(email).length, listed.withFolded(barcode).length);
    const rows = Math.max(this.rows.withEmail(email).length, this.rows.withFolded(barcode).length);
    return known > 0 || rows > 1;
  }
}
