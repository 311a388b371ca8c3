import type { FieldsOf } from '../registration/field-change.ts';
import type { Registration, RegistrationRecord } from '../registration/registration.ts';
import type { HeldReading } from './held.ts';
import type { Journal } from './journal.ts';
import { emailOf, hasName } from './match-email.ts';
import { type PersonKey, sharedKey } from './near.ts';
import type { Person } from './people.ts';
import { placeOf, type StoredPlace } from './stored-place.ts';

/** A registration that may be taken for the one that a row is about. */
export interface Neighbour {
  key: PersonKey;
  /** Undefined: another row of the files will register it. */
  record: RegistrationRecord | undefined;
  /** It has all the names of the row. */
  sameName: boolean;
  /** The row of the files that stands for it, if one does. */
  owner: { seq: number; place: string } | undefined;
}

/** Rows of the temporary table `person` that stand for no registration yet. */
export const FREE = 'NOT EXISTS (SELECT 1 FROM temp.taken WHERE taken.seq = person.seq)';

/** What else rows may be about, besides the registrations that they stand for: see `People`. */
export class Neighbours {
  readonly #journal: Journal;
  readonly #run: string;
  readonly #fields: FieldsOf;
  readonly #reading: HeldReading;

  constructor(journal: Journal, run: string, fields: FieldsOf, reading: HeldReading) {
    this.#journal = journal;
    this.#run = run;
    this.#fields = fields;
    this.#reading = reading;
  }

  /** The row of the files that stands for a registration. */
  ownerOf(no: number): { seq: number; place: string } | undefined {
    const row = this.#journal.get<StoredPlace & { seq: number }>(
      `SELECT row.seq, file, sheet, line FROM temp.taken JOIN row ON row.run = $run AND row.seq = taken.seq
       WHERE taken.no = $no`,
      { $run: this.#run, $no: no },
    );
    return row && { seq: row.seq, place: placeOf(row) };
  }

  /** How many other rows have the e-mail of a row, and stand for nobody yet. */
  rivalsOf({ seq, registration }: Person): number {
    const row = this.#journal.get<{ n: number }>(
      `SELECT count(*) AS n FROM temp.person WHERE email = $email AND seq <> $seq AND ${FREE}`,
      { $email: emailOf(registration, this.#fields) ?? null, $seq: seq },
    );
    return row?.n ?? 0;
  }

  /** Registrations, and rows before it, that a row which registers somebody new may be taken for. */
  of({ seq, registration }: Person): Neighbour[] {
    const email = emailOf(registration, this.#fields);
    const listed = this.#reading.held
      .like({ email, barcode: registration.barcode })
      .flatMap(({ no, record }) => {
        const key = sharedKey(registration, record, this.#fields);
        if (key === undefined) return [];
        return [
          { key, record, sameName: hasName(registration, record, this.#fields), owner: this.ownerOf(no) },
        ];
      });
    return [...listed, ...this.#twinsOf({ seq, registration })];
  }

  /** The first row of each key that is new, too, and is sent before. */
  #twinsOf({ seq, registration }: Person): Neighbour[] {
    const rows = this.#journal.all<StoredPlace & { seq: number; payload: string }>(
      `SELECT row.seq, file, sheet, line, payload FROM temp.person
         JOIN temp.person AS mine ON mine.seq = $seq AND (person.email = mine.email OR person.folded = mine.folded)
         JOIN row ON row.run = $run AND row.seq = person.seq
       WHERE (person.depth, person.seq) < (mine.depth, mine.seq) AND ${FREE} AND person.state = 'pending'
       ORDER BY person.depth, person.seq LIMIT 20`,
      { $run: this.#run, $seq: seq },
    );
    const firsts = new Map<PersonKey, Neighbour>();
    for (const row of rows) {
      const key = sharedKey(registration, JSON.parse(row.payload) as Registration, this.#fields);
      if (key === undefined || firsts.has(key)) continue;
      firsts.set(key, {
        key,
        record: undefined,
        sameName: false,
        owner: { seq: row.seq, place: placeOf(row) },
      });
    }
    return [...firsts.values()];
  }
}
