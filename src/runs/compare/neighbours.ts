import type { RegistrationRecord } from '../../registration/model/registration.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { ListReading } from '../listed/read-listed.ts';
import type { NumberedRecord } from '../listed/listed-records.ts';
import type { HeldTables } from '../journal/held-tables.ts';
import type { Journal } from '../journal/journal.ts';
import { emailOf, hasName, type PersonKey, sharedKey } from '../judge/near.ts';
import { place, rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';
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

/** Rows of the temporary table `person` that stand for no registration yet. */
export const FREE = 'NOT EXISTS (SELECT 1 FROM temp.taken WHERE taken.seq = person.seq)';

/** Registrations that a row stands for. */
export const OWNED = 'SELECT no FROM temp.taken';
/** So many registrations that are like a row tell enough. */
const MOST = 20;

/** What people are looked for with. */
export interface PeopleContext {
  journal: Journal;
  run: string;
  fields: FieldsOf;
}

/** A row with what it says. */
export const PERSON = rowCodec({ seq: value<number>('row.seq'), registration: said() });
export type Person = RowOf<typeof PERSON>;

const OWNER_COLUMNS = { seq: value<number>('row.seq'), place: place() };
const OWNER = rowCodec(OWNER_COLUMNS);
const TWIN = rowCodec({ ...OWNER_COLUMNS, registration: said() });
const BECOMING = rowCodec({ ...OWNER_COLUMNS, registration: said(), no: value<number>('max(taken.no)') });

/** What else rows may be about, besides the registrations that they stand for: see `People`. */
export class Neighbours {
  readonly #tables: HeldTables;
  readonly #run: string;
  readonly #fields: FieldsOf;
  readonly #reading: ListReading;
  readonly #alike: number;

  /** `alike`: how many rows the temporary table of that name has. */
  constructor(
    { run, fields, tables, alike }: Omit<PeopleContext, 'journal'> & { tables: HeldTables; alike: number },
    reading: ListReading,
  ) {
    this.#alike = alike;
    this.#tables = tables;
    this.#run = run;
    this.#fields = fields;
    this.#reading = reading;
  }

  /** The row of the files that stands for a registration. */
  ownerOf(no: number): { seq: number; place: string } | undefined {
    const row = this.#tables.journal.readOne(
      OWNER,
      'FROM temp.taken JOIN row ON row.run = $run AND row.seq = taken.seq WHERE taken.no = $no',
      { run: this.#run, no },
    );
    return row && { seq: row.seq, place: formatPlace(row.place) };
  }

  /** Whether another row has the e-mail of a row, and stands for nobody yet. */
  hasRivals({ seq, registration }: Person): boolean {
    if (!this.#isAlike(seq)) return false;
    return this.#tables.journal.has(`FROM temp.person WHERE email = $email AND seq <> $seq AND ${FREE}`, {
      email: emailOf(registration, this.#fields),
      seq,
    });
  }

  /** Whether another row, or a registration, has its e-mail, or its barcode but for the case. */
  #isAlike(seq: number): boolean {
    const which = { seq };
    return this.#alike > 0 && this.#tables.journal.has('FROM temp.alike WHERE seq = $seq', which);
  }

  /** Registrations, and rows before it, that a row which registers somebody new may be taken for. */
  of({ seq, registration }: Person): Neighbour[] {
    this.#tables.check();
    const names = { email: emailOf(registration, this.#fields), barcode: registration.barcode };
    const like = (which: string): NumberedRecord[] =>
      this.#reading.listed.like(names, { which, limit: MOST });
    const alike = [...like(`no NOT IN (${OWNED})`), ...like(`no IN (${OWNED})`)].flatMap(({ no, record }) => {
      const key = sharedKey(registration, record, this.#fields);
      if (key === undefined) return [];
      return [
        { key, record, sameName: hasName(registration, record, this.#fields), owner: this.ownerOf(no) },
      ];
    });
    const owners = new Set(alike.flatMap(({ owner }) => owner?.seq ?? []));
    const becoming = this.#becoming({ seq, registration }).filter(({ owner }) => !owners.has(owner.seq));
    return [...alike, ...becoming, ...this.#twinsOf({ seq, registration })];
  }

  /** Registrations that rows of the files stand for and give the e-mail of a row. */
  #becoming({ seq, registration }: Person): (Neighbour & { owner: { seq: number } })[] {
    if (this.#reading.listed.count === 0 || !this.#isAlike(seq)) return [];
    const owners = this.#tables.journal.read(
      BECOMING,
      `FROM temp.person
         CROSS JOIN temp.taken ON taken.seq = person.seq CROSS JOIN row ON row.run = $run AND row.seq = person.seq
       WHERE person.email = $email AND person.seq <> $seq GROUP BY row.seq ORDER BY row.seq LIMIT ${MOST}`,
      { run: this.#run, email: emailOf(registration, this.#fields), seq },
    );
    return owners.flatMap(({ no, ...row }) => {
      const key = sharedKey(registration, row.registration, this.#fields);
      const record = this.#reading.listed.byNumber(no);
      if (key === undefined || record === undefined) return [];
      const owner = { seq: row.seq, place: formatPlace(row.place) };
      return [{ key, record, sameName: false, becomes: true as const, owner }];
    });
  }

  /** The first row of each key that is new, too, and is sent before. */
  #twinsOf({ seq, registration }: Person): Neighbour[] {
    if (!this.#isAlike(seq)) return [];
    const before = (
      column: string,
    ): string => `SELECT * FROM (SELECT person.seq, person.depth FROM temp.person
      JOIN temp.person AS mine ON mine.seq = $seq AND person.${column} = mine.${column}
      WHERE (person.depth, person.seq) < (mine.depth, mine.seq) AND ${FREE} AND person.state = 'pending'
      ORDER BY person.depth, person.seq LIMIT ${MOST})`;
    const rows = this.#tables.journal.read(
      TWIN,
      `FROM (${before('email')} UNION ${before('folded')}) AS twin JOIN row ON row.run = $run AND row.seq = twin.seq
       ORDER BY twin.depth, twin.seq`,
      { run: this.#run, seq },
    );
    const firsts = new Map<PersonKey, Neighbour>();
    for (const row of rows) {
      const key = sharedKey(registration, row.registration, this.#fields);
      if (key === undefined || firsts.has(key)) continue;
      const owner = { seq: row.seq, place: formatPlace(row.place) };
      firsts.set(key, { key, record: undefined, sameName: false, owner });
    }
    return [...firsts.values()];
  }
}
