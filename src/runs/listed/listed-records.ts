import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import { readRecord } from '../../service/contracts/read-records.ts';
import type { Journal } from '../journal/journal.ts';
import { type Column, rowCodec, type RowOf, type Value, value } from '../../sqlite/row-codec.ts';
import { foldBarcode } from '../judge/near.ts';

const TABLES = [
  'CREATE TEMP TABLE IF NOT EXISTS reading (no INTEGER PRIMARY KEY AUTOINCREMENT)',
  `CREATE TEMP TABLE IF NOT EXISTS listed (
     no INTEGER PRIMARY KEY, reading INTEGER NOT NULL,
     id TEXT, barcode TEXT, folded TEXT, parent TEXT, persona TEXT, email TEXT, raw TEXT NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS temp.listed_barcode ON listed (reading, barcode) WHERE barcode IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS temp.listed_folded ON listed (reading, folded) WHERE folded IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS temp.listed_email ON listed (reading, email) WHERE email IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS temp.listed_id ON listed (reading, id) WHERE id IS NOT NULL',
];

const listed: Column<RegistrationRecord> = {
  sql: 'raw',
  width: 1,
  read: (cells, at) => readRecord(JSON.parse(cells[at] as string) as Record<string, unknown>),
};
const RECORD = rowCodec({ no: value<number>(), record: listed });

/** A record with its number in `temp.listed`. */
export type NumberedRecord = RowOf<typeof RECORD>;

/**
 * Registrations as the service lists them, in a temporary table of the journal's connection: on the disk,
 * and gone with the process. Several readings live side by side in `temp.listed`, told apart by `reading`. The
 * column `persona` is set where it is one of the event; `email` is what its first e-mail field holds.
 */
export class ListedRecords {
  /** Number of this reading in `temp.listed`, for joins. */
  readonly reading: number;
  readonly #journal: Journal;
  readonly #fields: FieldsOf;
  readonly #personas: readonly string[];
  #count = 0;

  /** `personas`: slugs of those that records which name none may be of. */
  constructor(journal: Journal, fields: FieldsOf, personas: readonly string[] = []) {
    for (const sql of TABLES) journal.run(sql);
    this.#journal = journal;
    this.#fields = fields;
    this.#personas = personas;
    const row = journal.get<{ no: number }>('INSERT INTO temp.reading DEFAULT VALUES RETURNING no');
    this.reading = row?.no ?? 0;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether any of them shows an e-mail address. */
  get showsEmails(): boolean {
    return this.#journal.has('FROM temp.listed WHERE reading = $reading AND email IS NOT NULL', {
      reading: this.reading,
    });
  }

  /** Takes records as the service client gives them. */
  add(records: readonly RegistrationRecord[]): void {
    this.#journal.transaction(() => {
      for (const record of records) this.#insert(record);
    });
    this.#count += records.length;
  }

  #insert({ id, barcode, parentBarcode, persona, fields, raw }: RegistrationRecord): void {
    const isKnown = persona !== undefined && this.#isPersona(persona);
    this.#journal.run(
      `INSERT INTO temp.listed (reading, id, barcode, folded, parent, persona, email, raw)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        this.reading,
        id,
        barcode,
        barcode && foldBarcode(barcode),
        parentBarcode,
        isKnown ? persona : undefined,
        this.#emailOf(fields ?? {}, isKnown ? [persona] : this.#personas),
        JSON.stringify(raw),
      ],
    );
  }

  #isPersona(slug: string): boolean {
    return this.#personas.includes(slug) || this.#fields(slug).length > 0;
  }

  #emailOf(fields: Readonly<Record<string, unknown>>, personas: readonly string[]): string | undefined {
    for (const persona of personas) {
      const field = this.#fields(persona).find(({ kind }) => kind === 'email');
      if (field === undefined || !Object.hasOwn(fields, field.slug)) continue;
      const email = canonicalValue(field, fields[field.slug]);
      if (email !== '') return email;
    }
    return undefined;
  }

  hasBarcode(barcode: string): boolean {
    if (this.#count === 0) return false;
    return this.#journal.has('FROM temp.listed WHERE reading = $reading AND barcode = $value', {
      reading: this.reading,
      value: barcode,
    });
  }

  byBarcode(barcode: string): RegistrationRecord[] {
    return this.#read('barcode = $value', { value: barcode });
  }

  byId(id: string): RegistrationRecord[] {
    return this.#read('id = $value', { value: id });
  }

  /** Those of a persona, or of none that can be told, by the canonical text of their e-mail address. */
  byEmail(persona: string, email: string): RegistrationRecord[] {
    return this.#read('email = $value AND (persona IS NULL OR persona = $persona)', {
      value: email,
      persona,
    });
  }

  /**
   * Those with an e-mail address, of whatever persona, or a barcode but for its case. `which` chooses among them by
   * the columns of `temp.listed`; the first `limit` of each.
   */
  like(
    { email, barcode }: { email: string | undefined; barcode: string | undefined },
    { which = 'TRUE', limit = -1 }: { which?: string; limit?: number } = {},
  ): NumberedRecord[] {
    const some = (column: string): string => `SELECT no FROM (SELECT no FROM temp.listed
      WHERE reading = $reading AND ${column} = $${column} AND ${which} ORDER BY no LIMIT ${limit})`;
    return this.#numbered(`no IN (${some('email')} UNION ${some('folded')})`, {
      email,
      folded: barcode && foldBarcode(barcode),
    });
  }

  byNumber(no: number): RegistrationRecord | undefined {
    return this.#read('no = $no', { no })[0];
  }

  #read(where: string, values: Record<string, Value>): RegistrationRecord[] {
    return this.#numbered(where, values).map(({ record }) => record);
  }

  #numbered(where: string, values: Record<string, Value>): NumberedRecord[] {
    if (this.#count === 0) return [];
    return this.#journal.read(RECORD, `FROM temp.listed WHERE reading = $reading AND ${where} ORDER BY no`, {
      reading: this.reading,
      ...values,
    });
  }

  /** All, or those of a persona, in the order of the list. The journal may be read and written meanwhile. */
  *all(persona?: string): Generator<RegistrationRecord> {
    const all = this.numbered('($persona IS NULL OR persona = $persona)', { persona });
    for (const { record } of all) yield record;
  }

  /** Those that `which` chooses by the columns of `temp.listed`, as `all` does. */
  numbered(which: string, values: Record<string, Value> = {}): Generator<NumberedRecord> {
    return this.#journal.readAll(
      RECORD,
      `FROM temp.listed WHERE no > $after AND reading = $reading AND ${which} ORDER BY no`,
      { reading: this.reading, ...values },
      'no',
    );
  }

  /** Forgets all records of this reading. */
  clear(): void {
    this.#journal.run('DELETE FROM temp.listed WHERE reading = $reading', { reading: this.reading });
    this.#count = 0;
  }
}
