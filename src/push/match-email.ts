import type { FieldsOf } from '../registration/field-change.ts';
import type { Registration, RegistrationRecord } from '../registration/registration.ts';
import { canonicalValue } from '../registration/same-value.ts';
import type { HeldReading } from './held.ts';
import type { Journal } from './journal.ts';
import { severalFound } from './plan-row.ts';
import { placeOf, type StoredPlace } from './stored-place.ts';

/** A row without a barcode that looks for its registration. */
export interface Seeker {
  seq: number;
  registration: Registration;
  /** Id that the service gave its registration before, if that is known. */
  remoteId: string | null;
}

/** What the service lists for a row, or why that cannot be told. */
export type EmailMatch =
  | { found: RegistrationRecord[]; why?: undefined }
  | { found?: undefined; why: string };

const PAGE = 500;
/** Places named in a message. */
const NAMED = 3;

/**
 * Finds the registrations of rows without a barcode by the persona's first e-mail field. The addresses
 * of the rows are in a temporary table, so that two rows with the same one are noticed.
 */
export class EmailMatcher {
  readonly #journal: Journal;
  readonly #run: string;
  readonly #fields: FieldsOf;
  readonly #reading: HeldReading;
  /** False when registrations are listed without their e-mail addresses, so that none can be found by its own. */
  readonly canTell: boolean;

  constructor(journal: Journal, run: string, fields: FieldsOf, reading: HeldReading) {
    this.#journal = journal;
    this.#run = run;
    this.#fields = fields;
    this.#reading = reading;
    this.canTell = reading.held.count === 0 || reading.held.showsEmails;
    journal.run(
      `CREATE TEMP TABLE IF NOT EXISTS seeker
         (seq INTEGER PRIMARY KEY, persona TEXT NOT NULL, email TEXT NOT NULL)`,
    );
    journal.run('CREATE INDEX IF NOT EXISTS temp.seeker_email ON seeker (email)');
    journal.run('DELETE FROM temp.seeker');
    this.#collect();
  }

  #collect(): void {
    for (let after = -1; ; ) {
      const page = this.#journal.all<{ seq: number; payload: string }>(
        `SELECT seq, payload FROM row WHERE run = $run AND seq > $after AND op = 'send' AND barcode IS NULL
           AND state <> 'rejected' ORDER BY seq LIMIT ${PAGE}`,
        { $run: this.#run, $after: after },
      );
      const last = page.at(-1);
      if (last === undefined) return;
      this.#journal.transaction(() => {
        for (const { seq, payload } of page) this.#note(seq, JSON.parse(payload) as Registration);
      });
      after = last.seq;
    }
  }

  #note(seq: number, registration: Registration): void {
    const email = emailOf(registration, this.#fields);
    if (email === undefined) return;
    this.#journal.run('INSERT INTO temp.seeker VALUES ($seq, $persona, $email)', {
      $seq: seq,
      $persona: registration.persona,
      $email: email,
    });
  }

  /** What the service lists for a row without a barcode: nothing, one registration, or a reason why not. */
  match({ seq, registration, remoteId }: Seeker): EmailMatch {
    const email = emailOf(registration, this.#fields);
    if (email === undefined) return { why: 'it has neither barcode nor e-mail' };
    const twins = this.#twins(seq, registration.persona, email);
    if (twins !== undefined) return { why: `it has the same e-mail as ${twins}; give barcodes` };
    const found = this.#reading.held.byEmail(registration.persona, email);
    const own = this.#ownOf(found, remoteId);
    const [record] = own;
    if (own.length > 1) return { why: `${severalFound(own, 'this e-mail')}; give barcodes` };
    const taken = record?.barcode === undefined ? undefined : this.#takenBy(seq, record.barcode);
    if (taken !== undefined) return { why: `its e-mail is that of the registration of ${taken}` };
    return { found: own };
  }

  /** The one that is known to be the row's, whoever has its e-mail by now; else those that have it. */
  #ownOf(found: RegistrationRecord[], remoteId: string | null): RegistrationRecord[] {
    if (remoteId === null) return found;
    const known = this.#reading.held.byId(remoteId);
    return known.length === 1 ? known : found;
  }

  /** Other rows of the files with the address. Personas that the service does not show tell nobody apart. */
  #twins(seq: number, persona: string, email: string): string | undefined {
    const rows = this.#journal.all<StoredPlace>(
      `SELECT file, sheet, line FROM temp.seeker CROSS JOIN row ON row.run = $run AND row.seq = seeker.seq
       WHERE seeker.email = $email AND seeker.seq <> $seq AND (seeker.persona = $persona OR NOT $shown)
       ORDER BY +seeker.seq LIMIT ${NAMED + 1}`,
      {
        $run: this.#run,
        $email: email,
        $seq: seq,
        $persona: persona,
        $shown: this.#reading.personasShown ? 1 : 0,
      },
    );
    if (rows.length === 0) return undefined;
    const places = rows.slice(0, NAMED).map(placeOf).join(', ');
    return rows.length > NAMED ? `${places} and others` : places;
  }

  /** Place of another row of the files that stands for the registration with a barcode. */
  #takenBy(seq: number, barcode: string): string | undefined {
    const row = this.#journal.get<StoredPlace>(
      `SELECT file, sheet, line FROM row INDEXED BY row_barcode WHERE run = $run AND barcode = $barcode
         AND seq <> $seq AND op = 'send' AND state <> 'rejected' LIMIT 1`,
      { $run: this.#run, $barcode: barcode, $seq: seq },
    );
    return row && placeOf(row);
  }
}

/** The address in the persona's first e-mail field as it is compared; undefined when there is none. */
export function emailOf({ persona, fields }: Registration, fieldsOf: FieldsOf): string | undefined {
  const field = fieldsOf(persona).find(({ kind }) => kind === 'email');
  if (field === undefined || !Object.hasOwn(fields, field.slug)) return undefined;
  return canonicalValue(field, fields[field.slug]) || undefined;
}
