import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { ColumnMapping } from '../../registration/model/columns.ts';
import { type Registration, hashOf } from '../../registration/model/registration.ts';
import type { Note, Place, Reason, Reject, SourceRow } from '../../registration/model/row.ts';
import { type ReadRowOptions, readRow } from '../../registration/reading/read-row.ts';
import type { Reporter } from '../../report/views/events.ts';
import type { InputRow } from './input-row.ts';
import { Nobodies } from './column-findings.ts';
import type { MaskedRows } from './masked-rows.ts';
import type { PreparedInput } from './prepare.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { emailOf, nameOf } from '../../registration/changes/person.ts';

export interface ReadingOptions {
  rows: Omit<ReadRowOptions, 'repairs'>;
  /** Rejected records may be written once more. */
  keepsCells: boolean;
  /** E-mail domains are looked up. */
  keepsEmails: boolean;
  masks: MaskedRows;
  /** Ends the reading when it aborts. */
  stopping: AbortSignal;
}

/** What the files hold. */
export interface RowsRead {
  rows: readonly InputRow[];
  contacts: Contacts;
  /** Where the example row of a template was left out: more than one place where it was copied. */
  examples: readonly Place[];
}

/** The second reading: every record is read and judged by itself. */
export async function readRows(
  prepared: PreparedInput,
  options: ReadingOptions,
  reporter: Reporter,
): Promise<RowsRead> {
  const reader = new RowReader(options);
  for (const { stored, opened, repairs, leftOut, examples } of prepared.files) {
    const reading = { ...options.rows, repairs };
    reporter.report({ type: 'reading', file: stored.file, rows: reader.rows.length });
    for await (const { rows, rejects } of opened.batches()) {
      options.stopping.throwIfAborted();
      for (const record of inOrder(rows, rejects)) {
        const { place } = record;
        if ('reasons' in record) reader.refuse(record);
        else if (examples.has(place.line)) reader.examples.push(place);
        else if (!leftOut.has(place.line)) {
          const mapping = prepared.mappings.mappingOf(record);
          const notes = reader.add(record, mapping, reading);
          for (const note of notes) reporter.report({ type: 'repaired', place, note });
        }
      }
      reporter.report({ type: 'reading', file: stored.file, rows: reader.rows.length });
    }
    await stored.checkUnchanged();
  }
  return reader;
}

/** Rows, and records that are none, as they stand in the file. */
function inOrder(rows: readonly SourceRow[], rejects: readonly Reject[]): readonly (SourceRow | Reject)[] {
  if (rejects.length === 0) return rows;
  return [...rows, ...rejects].sort((one, other) => one.place.line - other.place.line);
}

/** What is known of a record whatever comes of it. */
type RecordFacts = Pick<InputRow, 'place' | 'notes' | 'source'>;

/** One for all rows: most have nothing there. */
const NONE: readonly never[] = [];

/** Turns records into rows, one after the other. */
class RowReader implements RowsRead {
  readonly rows: InputRow[] = [];
  readonly examples: Place[] = [];
  readonly #options: ReadingOptions;
  readonly #nobodies: Nobodies;
  readonly contacts: Contacts;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#nobodies = new Nobodies(options.rows.event);
    this.contacts = new Contacts(fieldsOf(options.rows.event));
  }

  /** Keeps a record that is none. */
  refuse({ place, reasons }: Reject): void {
    this.#refuse({ place, notes: NONE, source: undefined }, reasons);
  }

  /** Keeps the registrations of a record, or why there are none. Returns what was mended. */
  add(row: SourceRow, mapping: ColumnMapping, reading: ReadRowOptions): readonly Note[] {
    this.#options.masks.add(row, this.rows.length);
    const result = readRow(row, mapping, reading);
    const { notes } = result;
    const record = { place: row.place, notes, source: this.#options.keepsCells ? row : undefined };
    if (!result.ok) {
      this.#refuse(record, result.reasons, result);
      return notes;
    }
    const { registration } = result.read;
    const reason = this.#nobodies.whyNobody(registration, reading.repairs.accept.has('nameless'));
    if (reason !== undefined) {
      this.#refuse(record, [reason], registration);
      return notes;
    }
    this.contacts.add(registration);
    for (const [part, read] of [result.read, ...result.companions].entries()) {
      const emails = this.#options.keepsEmails ? read.emails : NONE;
      const { registration: sent } = read;
      this.#push(record, { part, reasons: NONE, emails, registration: sent, ...barcodesOf(sent) });
    }
    return notes;
  }

  #refuse(
    record: RecordFacts,
    reasons: readonly Reason[],
    { barcode, parentBarcode }: Partial<Pick<InputRow, 'barcode' | 'parentBarcode'>> = {},
  ): void {
    const sent = { key: undefined, barcode, parentBarcode, registration: undefined };
    this.#push(record, { part: 0, reasons, emails: NONE, ...sent });
  }

  #push(record: RecordFacts, row: Omit<InputRow, 'seq' | 'depth' | keyof RecordFacts>): void {
    this.rows.push({ seq: this.rows.length, depth: undefined, ...record, ...row });
  }
}

function barcodesOf(registration: Registration): Pick<InputRow, 'key' | 'barcode' | 'parentBarcode'> {
  const { barcode, parentBarcode } = registration;
  const key = barcode === undefined ? `h:${hashOf(registration)}:1` : `b:${barcode}`;
  return { key, barcode, parentBarcode };
}

/** Different addresses that are counted: one that many have stands among the first. */
const MOST_KNOWN = 10_000;
/** People of one address: fewer are a family. */
const MANY = 3;

/** Counts how many people can be reached, and who shares an address with others. */
class Contacts {
  readonly #fields: FieldsOf;
  readonly #missing = { name: 0, 'e-mail address': 0 };
  /** By address, the names of those who have it. */
  readonly #namesBy = {
    'e-mail address': new Map<string, Set<string>>(),
    'phone number': new Map<string, Set<string>>(),
  };
  #people = 0;

  constructor(fields: FieldsOf) {
    this.#fields = fields;
  }

  /** Called for the registration of each row, without those who come along. */
  add(registration: Registration): void {
    this.#people += 1;
    const email = emailOf(registration, this.#fields)?.toLowerCase();
    if (!this.#hasName(registration)) this.#missing.name += 1;
    if (email === undefined) this.#missing['e-mail address'] += 1;
    this.#noteName('e-mail address', email, registration);
    this.#noteName('phone number', phoneOf(registration, this.#fields), registration);
  }

  #hasName({ persona, fields }: Registration): boolean {
    return this.#fields(persona).some(({ kind, slug }) => kind === 'name' && (fields[slug] ?? '') !== '');
  }

  #noteName(what: 'e-mail address' | 'phone number', address: string | undefined, of: Registration): void {
    const names = this.#namesBy[what];
    if (address === undefined || (names.size >= MOST_KNOWN && !names.has(address))) return;
    const known = names.get(address) ?? new Set();
    names.set(address, known.add(nameOf(of, this.#fields) ?? ''));
  }

  /** Told before anything is sent. */
  tell(reporter: Reporter): void {
    for (const [what, count] of Object.entries(this.#missing)) {
      if (count === 0 || count === this.#people) continue;
      const have = count === 1 ? 'has' : 'have';
      reporter.report({ type: 'warning', text: `${count} of ${this.#people} rows ${have} no ${what}.` });
    }
    for (const [what, names] of Object.entries(this.#namesBy)) {
      const sizes = [...names.values()].map(({ size }) => size);
      const text = sharedText(what, sizes);
      if (text !== undefined) reporter.report({ type: 'note', text });
    }
  }
}

function phoneOf({ persona, fields }: Registration, fieldsOf: FieldsOf): string | undefined {
  const number = fields[fieldsOf(persona).find(({ kind }) => kind === 'phone')?.slug ?? ''];
  return typeof number === 'string' && number !== '' ? number : undefined;
}

/** `counts`: by address, how many people have it. */
function sharedText(what: string, counts: readonly number[]): string | undefined {
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const shared = counts.filter((count) => count > 1);
  const most = shared.reduce((one, other) => Math.max(one, other), 0);
  if (most < MANY && (shared.length === 0 || sum(shared) < sum(counts))) return undefined;
  return `${sum(shared)} of ${sum(counts)} people share their ${what} with somebody else of the list, up to ${most} one and the same. If it is whoever paid, --map says which column is the guests’ own.`;
}
