import { among, IN_DOUBT, THERE } from '../../registration/model/row-states.ts';
import { changesButMessages } from '../../registration/changes/field-change.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { ListReading } from '../listed/read-listed.ts';
import type { NumberedRecord } from '../listed/listed-records.ts';
import { HeldTables } from '../journal/held-tables.ts';
import { emailOf, nameKeyOf } from '../judge/near.ts';
import { FREE, OWNED, type PeopleContext, PERSON, type Person } from './neighbours.ts';

const TABLES = [
  'CREATE TEMP TABLE IF NOT EXISTS named_row (seq INTEGER PRIMARY KEY, key TEXT NOT NULL)',
  'CREATE INDEX IF NOT EXISTS temp.named_row_key ON named_row (key)',
  'DELETE FROM temp.named_row',
  'CREATE TEMP TABLE IF NOT EXISTS namesake (key TEXT NOT NULL, no INTEGER NOT NULL, PRIMARY KEY (key, no)) WITHOUT ROWID',
  'DELETE FROM temp.namesake',
];
/** So many registrations of one name are looked at for one that is just as a row says, and tell enough. */
const MOST = 20;

/** Those in doubt first, then those that were said to be there: a new row takes what they leave. */
const IN_TURN = [
  `person.state ${among(IN_DOUBT)}`,
  `person.state ${among(THERE)}`,
  `person.state NOT ${among([...IN_DOUBT, ...THERE])}`,
];

/**
 * Registrations with the name of a row that has neither barcode nor e-mail, in temporary tables. Where nothing else
 * tells whose they are, those that are just as such a row says are its own; of the others only people can tell.
 */
export class Namesakes {
  readonly #context: PeopleContext;
  readonly #reading: ListReading;
  readonly #tables: HeldTables;
  readonly #isEmpty: boolean;

  /** `take` notes that a row stands for a registration. Call it when all that is known otherwise is taken. */
  constructor(context: PeopleContext, reading: ListReading, take: (no: number, seq: number) => void) {
    this.#context = context;
    this.#reading = reading;
    this.#tables = new HeldTables(context.journal, 'namesakes', TABLES);
    const personas = reading.listed.count === 0 ? new Set<string>() : this.#noteRows();
    this.#isEmpty = personas.size === 0 || !this.#noteListed(personas);
    if (!this.#isEmpty) for (const name of this.#names()) this.#takeAsSaid(name, take);
  }

  /** Returns the personas of the rows that nothing else is known of. */
  #noteRows(): Set<string> {
    const personas = new Set<string>();
    const rows = this.#rows('person.barcode IS NULL AND person.email IS NULL');
    for (const { seq, registration } of rows) {
      const key = nameKeyOf(registration, this.#context.fields);
      if (key === undefined) continue;
      personas.add(registration.persona);
      this.#tables.journal.run('INSERT INTO temp.named_row VALUES (?, ?)', [seq, key]);
    }
    return personas;
  }

  /** Returns whether there are any. */
  #noteListed(personas: ReadonlySet<string>): boolean {
    let noted = 0;
    for (const { no, record } of this.#reading.listed.numbered(`no NOT IN (${OWNED})`)) {
      for (const persona of record.persona === undefined ? personas : [record.persona]) {
        const key = nameKeyOf({ persona, fields: record.fields ?? {} }, this.#context.fields);
        if (key === undefined) continue;
        noted += this.#tables.journal.run(
          'INSERT INTO temp.namesake SELECT $key, $no WHERE EXISTS (SELECT 1 FROM temp.named_row WHERE key = $key)',
          { key, no },
        );
      }
    }
    return noted > 0;
  }

  *#names(): Generator<string> {
    const pages = this.#tables.pages<{ key: string }>(
      'SELECT DISTINCT key FROM temp.namesake WHERE key > $after ORDER BY key',
      { after: '' },
      'key',
    );
    for (const page of pages) yield* page.map(({ key }) => key);
  }

  /** One registration to a row, in the order of both: of equal ones it does not matter which is whose. */
  #takeAsSaid(key: string, take: (no: number, seq: number) => void): void {
    const free = this.#free(key);
    const near: NumberedRecord[] = [];
    for (const which of IN_TURN) {
      const named = 'person.seq IN (SELECT seq FROM temp.named_row WHERE key = $key)';
      for (const { seq, registration } of this.#rows(`${named} AND ${which}`, { key })) {
        for (let next; near.length < MOST && (next = free.next()).done !== true; ) near.push(next.value);
        const at = near.findIndex(({ record }) => this.#isAsSaid(registration, record));
        for (const { no } of at < 0 ? [] : near.splice(at, 1)) take(no, seq);
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

  /** Rows of the table `person` that have no registration yet. */
  #rows(which: string, values: Readonly<Record<string, string>> = {}): Generator<Person> {
    return this.#tables.journal.readAll(
      PERSON,
      `FROM temp.person CROSS JOIN row ON row.run = $run AND row.seq = person.seq
       WHERE ${which} AND person.seq > $after AND ${FREE} ORDER BY person.seq`,
      { run: this.#context.run, ...values },
      'seq',
    );
  }

  /** Registrations of a name that no row stands for; the first `limit` of them. */
  #free(key: string, limit = -1): Generator<NumberedRecord> {
    const free = `SELECT no FROM temp.namesake WHERE key = $key AND no NOT IN (${OWNED}) ORDER BY no LIMIT ${limit}`;
    return this.#reading.listed.numbered(`no IN (${free})`, { key });
  }

  /** Those with the name of a row; none of one that has a barcode or an e-mail. */
  of({ seq }: Pick<Person, 'seq'>): RegistrationRecord[] {
    const key = this.#keyOfRow(seq);
    if (key === undefined) return [];
    return [...this.#free(key, MOST)].map(({ record }) => record);
  }

  /** Whether another row that has no registration either has the name of a row. */
  hasRivals({ seq }: Pick<Person, 'seq'>): boolean {
    const key = this.#keyOfRow(seq);
    return this.#tables.journal.has(
      `FROM temp.named_row AS person WHERE key = $key AND seq <> $seq AND ${FREE}`,
      { key, seq },
    );
  }

  #keyOfRow(seq: number): string | undefined {
    if (this.#isEmpty) return undefined;
    return this.#tables.journal.get<{ key: string }>('SELECT key FROM temp.named_row WHERE seq = $seq', {
      seq,
    })?.key;
  }
}
