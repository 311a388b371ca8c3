import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { hashOf, type Registration } from '../../registration/model/registration.ts';
import { EXAMPLE_BARCODE } from '../../registration/model/own-names.ts';
import { type ReadRow, readRow, type ReadRowOptions } from '../../registration/reading/read-row.ts';
import { exampleIn } from '../../registration/rules/example.ts';
import type { ColumnMapping } from '../../registration/model/columns.ts';
import type { Note, Place, Reason, Reject, SourceRow } from '../../registration/model/row.ts';
import type { Reporter } from '../../report/views/events.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { keepCells } from './reject-cells.ts';
import type { MaskedRows } from './masked-rows.ts';
import type { PreparedInput } from './prepare.ts';
import { ContactsRead } from './contacts-read.ts';
import { PeopleRead } from './same-person.ts';
import { RepairTally } from './repair-tally.ts';

interface IngestOptions {
  rows: Omit<ReadRowOptions, 'repairs'>;
  /** Keep the cells of every row, for the rejects file. */
  keepCells: boolean;
  /** Keep the e-mail domains, for the DNS check. */
  keepDomains: boolean;
  masks: MaskedRows;
  /** Ends the reading when it aborts. */
  stopping: AbortSignal;
}

/** What reading told beside the rows themselves. */
export interface IngestResult {
  /** Registrations and rejects. */
  rows: number;
  repairs: RepairTally;
  /** Where the example row of a template was left out: more than one place where it was copied. */
  examples: readonly Place[];
  /** Rows that still have something of that row beside what is theirs, by number. */
  likeExamples: readonly number[];
  people: PeopleRead;
  contacts: ContactsRead;
}

/** Streams the files into the journal: every row is read and judged before any is sent. */
export async function ingest(
  journal: Journal,
  run: string,
  prepared: PreparedInput,
  options: IngestOptions,
  reporter: Reporter,
): Promise<IngestResult> {
  const repairs = new RepairTally();
  const store = new RowStore(journal, run, options);
  for (const { stored, opened, repairs: mending, leftOut, examples, nameless } of prepared.files) {
    const reading = { ...options.rows, repairs: mending };
    reporter.report({ type: 'reading', file: stored.file, rows: store.rows });
    for await (const { rows, rejects } of opened.batches()) {
      options.stopping.throwIfAborted();
      journal.transaction(() => {
        for (const record of inOrder(rows, rejects)) {
          if ('reasons' in record) {
            store.reject(record, [], undefined);
            continue;
          }
          if (leftOut.has(record.place.line)) continue;
          if (examples.has(record.place.line)) {
            store.examples.push(record.place);
            continue;
          }
          const mapping = prepared.mappings.mappingOf(record);
          for (const note of store.add(record, mapping, reading, nameless.lines.has(record.place.line))) {
            repairs.add(record.place, note);
            reporter.report({ type: 'repaired', place: record.place, note });
          }
        }
      });
      reporter.report({ type: 'reading', file: stored.file, rows: store.rows });
    }
    await stored.checkUnchanged();
  }
  const { rows, examples, likeExamples, people, contacts } = store;
  return { rows, repairs, examples, likeExamples, people, contacts };
}

/** Rows, and records that are none, as they stand in the file. */
function inOrder(rows: readonly SourceRow[], rejects: readonly Reject[]): readonly (SourceRow | Reject)[] {
  if (rejects.length === 0) return rows;
  return [...rows, ...rejects].sort((one, other) => one.place.line - other.place.line);
}

const COLUMNS =
  'seq, file, sheet, line, part, row_key, persona, barcode, parent_barcode, depth, enable_comms, raw, notes';
const VALUES = `'pending', ${COLUMNS.replace(/\w+/g, '?')}, ?`;
const INSERT = `INSERT INTO row (state, ${COLUMNS}, hash, payload, run) VALUES (${VALUES}, ?, ?)`;
/** Whoever has a barcode is new until comparing says otherwise: most are, and need not be written again. */
const INSERT_DRY = `INSERT INTO temp.row (state, ${COLUMNS}, plan) VALUES (${VALUES})`;

/** What there is of such a row stands in columns that are not sent: a registration without anything would come of it. */
const NOBODY: Reason = {
  code: 'row-empty',
  problem: 'holds no value that is sent, so that it would register nobody',
  remedy: 'fill it in, take it out, or say what its columns are',
  personal: false,
};

const NAMELESS: Reason = {
  ...NOBODY,
  code: 'row-nameless',
  problem: 'has no name and no e-mail address',
  remedy: 'fill one in, take the row out, or send it so with --set accept=nameless',
};

/** A barcode, or a group to belong to, is somebody: a ticket that has no name yet. */
function isNobody({ fields, barcode, parentBarcode }: Registration): boolean {
  if (barcode !== undefined || parentBarcode !== undefined) return false;
  return Object.values(fields).every((value) => value.length === 0);
}

/** Puts rows into the journal, one after the other. */
class RowStore {
  readonly #journal: Journal;
  readonly #run: string;
  readonly #options: IngestOptions;
  readonly #fields: FieldsOf;
  readonly examples: Place[] = [];
  readonly likeExamples: number[] = [];
  readonly people: PeopleRead;
  readonly contacts: ContactsRead;
  #seq = 0;

  constructor(journal: Journal, run: string, options: IngestOptions) {
    this.#journal = journal;
    this.#run = run;
    this.#options = options;
    this.#fields = fieldsOf(options.rows.event);
    this.people = new PeopleRead(journal, options.rows.event);
    this.contacts = new ContactsRead(options.rows.event);
  }

  /** So many so far. */
  get rows(): number {
    return this.#seq;
  }

  /** Keeps the registrations of a row, or why there are none. Returns what was mended. */
  add(row: SourceRow, mapping: ColumnMapping, reading: ReadRowOptions, isNameless: boolean): readonly Note[] {
    this.#options.masks.add(row, this.#seq);
    const result = readRow(row, mapping, reading);
    const raw = this.#options.keepCells ? keepCells(row) : undefined;
    if (!result.ok) {
      this.reject({ place: row.place, reasons: result.reasons }, result.notes, raw, result);
      return result.notes;
    }
    const { registration } = result.read;
    const reason = isNobody(registration) ? NOBODY : isNameless ? NAMELESS : undefined;
    if (reason !== undefined) {
      this.reject({ place: row.place, reasons: [reason] }, result.notes, raw);
      return result.notes;
    }
    const example = exampleIn(registration, (slug) =>
      this.#fields(registration.persona).find((field) => field.slug === slug),
    );
    if (example === 'as written') {
      this.examples.push(row.place);
      return [];
    }
    if (example === 'in part') this.likeExamples.push(this.#seq);
    const notes = result.notes.length === 0 ? undefined : JSON.stringify(result.notes);
    this.#insert(result.read, { place: row.place, part: 0, notes, raw });
    for (const [at, companion] of result.companions.entries()) {
      this.#insert(companion, { place: row.place, part: at + 1, notes: undefined, raw: undefined });
    }
    return result.notes;
  }

  /**
   * Keeps a row that cannot be sent. Its barcodes are kept where nothing is wrong with them: its members
   * are told that it is rejected, not that it is missing.
   */
  reject(
    { place, reasons }: Reject,
    notes: readonly Note[],
    raw: string | undefined,
    { barcode, parentBarcode }: { barcode?: string | undefined; parentBarcode?: string | undefined } = {},
  ): void {
    if (barcode === EXAMPLE_BARCODE) this.likeExamples.push(this.#seq);
    const [seq, file, sheet, line] = this.#next(place);
    this.#journal.add('row', {
      ...(this.#journal.isDryRun ? {} : { run: this.#run }),
      seq,
      file,
      sheet,
      line,
      state: 'rejected',
      reasons: reasons satisfies readonly Reason[],
      notes: notes.length === 0 ? undefined : notes,
      raw,
      barcode,
      parentBarcode,
      depth: parentBarcode === undefined ? 0 : undefined,
    });
  }

  #insert(
    { registration, emails }: ReadRow,
    {
      place,
      part,
      notes,
      raw,
    }: { place: Place; part: number; notes: string | undefined; raw: string | undefined },
  ): void {
    const seq = this.#seq;
    const { barcode, parentBarcode } = registration;
    const isDry = this.#journal.isDryRun;
    const digest = isDry && barcode !== undefined ? '' : hashOf(registration);
    const text = JSON.stringify(registration);
    this.people.add(seq, registration);
    if (part === 0) this.contacts.add(registration);
    const payload = this.#journal.pack(seq, text);
    this.#journal.run(isDry ? INSERT_DRY : INSERT, [
      ...this.#next(place),
      part,
      barcode === undefined ? `h:${digest}:1` : `b:${barcode}`,
      registration.persona,
      barcode,
      parentBarcode,
      parentBarcode === undefined ? 0 : undefined,
      registration.enableComms ? 1 : 0,
      raw,
      notes,
      ...(isDry ? [barcode && 'create'] : [digest, payload, this.#run]),
    ]);
    if (!this.#options.keepDomains) return;
    for (const { domain, column, field, value } of emails) {
      this.#journal.run(
        `INSERT INTO email (run, seq, domain, column_name, field, value) VALUES ($run, $seq, $domain, $column, $field, $value)`,
        { run: this.#run, seq, domain, column, field, value },
      );
    }
  }

  /** Number, file, sheet and line of the next row. */
  #next({ file, sheet, line }: Place) {
    const at = [this.#seq, file, sheet, line] as const;
    this.#seq += 1;
    return at;
  }
}
