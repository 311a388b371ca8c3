import { among, IN_DOUBT } from '../../registration/model/row-states.ts';
import { changesButMessages } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { ListReading } from '../listed/read-listed.ts';
import type { NumberedRecord } from '../listed/listed-records.ts';
import type { HeldTables } from '../journal/held-tables.ts';
import type { Journal } from '../journal/journal.ts';
import { hasName, isAlike } from '../judge/near.ts';
import { Namesakes } from './namesakes.ts';
import { FREE, Neighbours, OWNED, type PeopleContext, PERSON, type Person } from './neighbours.ts';
import { notePeople } from './people-rows.ts';

/** More with one address are no family. */
const LARGEST_FAMILY = 200;
/** Sent before without a full answer: what is there just as it was sent is its own. */
const DOUBTFUL = `person.state ${among(IN_DOUBT)}`;
const CERTAIN = `person.state NOT ${among(IN_DOUBT)}`;

/**
 * Which registrations of a whole list the rows of a run stand for, in temporary tables: by barcode, by the id that
 * the service gave the very same row before, and without either by e-mail and name; without an e-mail by all it says.
 */
export class People {
  readonly #journal: Journal;
  readonly #run: string;
  readonly #fields: FieldsOf;
  readonly #reading: ListReading;
  /** False when registrations are listed without their e-mail addresses, so that none can be found by its own. */
  readonly canTell: boolean;
  readonly neighbours: Neighbours;
  readonly namesakes: Namesakes;
  /** `person`, `alike` and `taken`. */
  readonly tables: HeldTables;

  constructor(
    { journal, run, fields }: PeopleContext,
    reading: ListReading,
    match: 'barcode' | 'email' | 'none',
  ) {
    this.#journal = journal;
    this.#run = run;
    this.#fields = fields;
    this.#reading = reading;
    this.canTell = reading.listed.count === 0 || reading.listed.showsEmails;
    const { tables, alike } = notePeople(journal, run, fields, reading.listed.reading);
    this.tables = tables;
    this.neighbours = new Neighbours({ run, fields, tables, alike }, reading);
    journal.transaction(() => {
      this.#takeByBarcode();
      if (reading.idsShown) this.#takeById();
      for (const email of this.#sharedEmails(DOUBTFUL)) this.#takeAsSent(email);
      for (const email of this.#sharedEmails(CERTAIN)) this.#takeByName(email, match);
    });
    const take = (no: number, seq: number): void => this.#take(no, seq);
    this.namesakes = journal.transaction(() => new Namesakes({ journal, run, fields }, reading, take));
  }

  #takeByBarcode(): void {
    this.tables.journal.run(
      `INSERT OR IGNORE INTO temp.taken SELECT listed.no, person.seq FROM temp.person
         CROSS JOIN temp.listed ON listed.reading = $reading AND listed.barcode = person.barcode`,
      { reading: this.#reading.listed.reading },
    );
  }

  /** What the service gave an id to before. Ids may be used again, so that something of the person has to be there. */
  #takeById(): void {
    const pairs = this.tables.journal.all<{ no: number; seq: number }>(
      `SELECT max(listed.no) AS no, person.seq FROM temp.person
         CROSS JOIN temp.listed ON listed.reading = $reading AND listed.id = person.remote_id
       WHERE person.remote_id IS NOT NULL AND ${FREE} GROUP BY person.seq HAVING count(*) = 1 ORDER BY person.seq`,
      { reading: this.#reading.listed.reading },
    );
    const others: typeof pairs = [];
    for (const { no, seq } of pairs) {
      const [registration, record] = [this.#registrationOf(seq), this.#reading.listed.byNumber(no)];
      if (registration === undefined || record === undefined) continue;
      if (record.fields === undefined || hasName(registration, record, this.#fields)) this.#take(no, seq);
      else if (isAlike(registration, record, this.#fields)) others.push({ no, seq });
    }
    // Where two rows were given one id, it is that of the one whose name it has.
    for (const { no, seq } of others) this.#take(no, seq);
  }

  #take(no: number, seq: number): void {
    this.tables.journal.run('INSERT OR IGNORE INTO temp.taken VALUES (?, ?)', [no, seq]);
  }

  /** Addresses that rows without a barcode share with registrations that nobody stands for yet. */
  #sharedEmails(which: string): string[] {
    return this.tables.journal
      .all<{ email: string }>(
        `SELECT DISTINCT person.email FROM temp.person
           CROSS JOIN temp.listed ON listed.reading = $reading AND listed.email = person.email
         WHERE person.barcode IS NULL AND person.email IS NOT NULL AND ${which} AND ${FREE}
           AND listed.no NOT IN (SELECT no FROM temp.taken)`,
        { reading: this.#reading.listed.reading },
      )
      .map(({ email }) => email);
  }

  #takeAsSent(email: string): void {
    for (const person of this.#seekers(email, DOUBTFUL)) {
      const own = this.#free(email, person.registration).find(
        ({ record }) => this.#openChanges(person, record) === 0,
      );
      if (own !== undefined) this.#take(own.no, person.seq);
    }
  }

  /** The same name first; of a family then the one that is left. */
  #takeByName(email: string, match: 'barcode' | 'email' | 'none'): void {
    const seekers = this.#seekers(email, CERTAIN);
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
      if (best !== undefined) this.#take(best.no, person.seq);
    }
    const left = this.#seekers(email, CERTAIN);
    const [last] = left;
    if (last === undefined || left.length > 1 || match === 'none') return;
    const free = this.#free(email, last.registration);
    const [only] = free;
    const isOneLeft = free.length === 1 && (match === 'email' || this.#rowsWith(email) > 1);
    if (only !== undefined && isOneLeft) this.#take(only.no, last.seq);
  }

  #rowsWith(email: string): number {
    return this.tables.journal.count('FROM temp.person WHERE email = $email', { email });
  }

  /** Rows without a barcode that have no registration yet. */
  #seekers(email: string, which: string): Person[] {
    return this.tables.journal.read(
      PERSON,
      `FROM temp.person JOIN row ON row.run = $run AND row.seq = person.seq
       WHERE person.email = $email AND person.barcode IS NULL AND ${which} AND ${FREE} ORDER BY person.seq`,
      { run: this.#run, email },
    );
  }

  /** Registrations of the persona that have the address, and that nobody stands for. */
  #free(email: string, { persona }: Registration): NumberedRecord[] {
    return this.#reading.listed
      .like({ email, barcode: undefined }, { which: `no NOT IN (${OWNED})`, limit: LARGEST_FAMILY + 1 })
      .filter(({ record }) => (record.persona ?? persona) === persona);
  }

  #openChanges({ registration }: Person, record: RecordImage): number {
    return (changesButMessages(registration, record, this.#fields) ?? []).length;
  }

  #registrationOf(seq: number): Registration | undefined {
    const own = { run: this.#run, seq };
    return this.#journal.readOne(PERSON, 'FROM row WHERE run = $run AND seq = $seq', own)?.registration;
  }

  /** Whether another row has the e-mail of a row, or without one its name, and stands for nobody. */
  hasRivals(row: Person): boolean {
    return this.neighbours.hasRivals(row) || this.namesakes.hasRivals(row);
  }

  /** From now on a row stands for a registration. */
  claim(seq: number, record: RegistrationRecord): void {
    const alike = this.#reading.listed.like({ email: undefined, barcode: record.barcode });
    const found = alike.find((one) => one.record.id === record.id) ?? this.#byId(record.id);
    if (found !== undefined) this.#take(found.no, seq);
  }

  #byId(id: string | undefined): { no: number } | undefined {
    return this.#journal.get<{ no: number }>(
      'SELECT no FROM temp.listed WHERE reading = $reading AND id = $id LIMIT 1',
      { reading: this.#reading.listed.reading, id },
    );
  }

  /** The one registration with an id, if no row stands for it. */
  freeById(id: string): RegistrationRecord | undefined {
    const [record, another] = this.#reading.listed.byId(id);
    const no = this.#byId(id)?.no;
    const isFree = no !== undefined && another === undefined && this.neighbours.ownerOf(no) === undefined;
    return isFree ? record : undefined;
  }

  /** Whether a row stands for a registration with an id. */
  isTaken(id: string | undefined): boolean {
    return this.tables.journal.has(
      `FROM temp.listed WHERE reading = $reading AND id = $id AND no IN (${OWNED})`,
      {
        reading: this.#reading.listed.reading,
        id,
      },
    );
  }

  /** The registration that a row stands for. */
  ownOf(seq: number): RegistrationRecord | undefined {
    if (this.#reading.listed.count === 0) return undefined;
    const row = this.tables.journal.get<{ no: number }>(
      'SELECT no FROM temp.taken WHERE seq = $seq LIMIT 1',
      {
        seq,
      },
    );
    return row && this.#reading.listed.byNumber(row.no);
  }
}
