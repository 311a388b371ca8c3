import { among, SENT } from '../../registration/model/row-states.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';
import type { AuditRow } from '../journal/audit-rows.ts';
import { type ListReading, isUnlisted } from '../listed/read-listed.ts';
import { HeldTables } from '../journal/held-tables.ts';
import type { SendContext } from '../journal/send-context.ts';

const TABLES = [
  'CREATE TEMP TABLE IF NOT EXISTS fresh (seq INTEGER PRIMARY KEY, persona TEXT NOT NULL)',
  'CREATE TEMP TABLE IF NOT EXISTS extra (seq INTEGER NOT NULL, persona TEXT NOT NULL, name TEXT NOT NULL)',
  'CREATE INDEX IF NOT EXISTS temp.extra_name ON extra (persona, name)',
  'CREATE INDEX IF NOT EXISTS temp.extra_seq ON extra (seq)',
  'DELETE FROM temp.fresh',
  'DELETE FROM temp.extra',
];

/**
 * Proves of the rows of a run which were read back that they have registered somebody new: absent from the list
 * before, with an id that was not listed then, and holding nothing beyond what was sent and what all new ones got.
 * Where only barcodes were looked up before, the service has to have just so many more registrations since.
 */
export class NewProof {
  readonly #context: SendContext;
  readonly #tables: HeldTables;
  readonly #fields: FieldsOf;
  readonly #before: ListReading | undefined;
  #counted = 0;

  constructor(context: SendContext, before: ListReading | undefined) {
    this.#context = context;
    this.#fields = fieldsOf(context.event);
    this.#before = before;
    this.#tables = new HeldTables(context.journal, 'new rows', TABLES);
  }

  /** Takes a row that is there. */
  see(row: AuditRow, record: RegistrationRecord): void {
    if (row.plan !== 'create' || record.fields === undefined || !this.#wasUnlisted(row, record)) return;
    const { persona } = row.registration;
    this.#tables.journal.run('INSERT OR IGNORE INTO temp.fresh VALUES (?, ?)', [row.seq, persona]);
    for (const name of this.#extras(row, record)) {
      this.#tables.journal.run('INSERT INTO temp.extra VALUES (?, ?, ?)', [row.seq, persona, name]);
    }
  }

  #wasUnlisted({ proof, sentNo }: AuditRow, record: RegistrationRecord): boolean {
    if (proof === 'unlisted') return true;
    const before = this.#before;
    if (proof !== 'absent' || before === undefined || sentNo <= before.step) return false;
    if (before.how === 'lookup') {
      this.#counted += 1;
      return true;
    }
    return isUnlisted(before, record);
  }

  /** What it holds beyond what was sent. */
  #extras({ registration }: AuditRow, record: RegistrationRecord): string[] {
    const own = this.#fields(registration.persona);
    const slugs = Object.keys(record.fields ?? {}).filter(
      (slug) => !Object.hasOwn(registration.fields, slug),
    );
    const extras = slugs.flatMap((slug) => {
      const value = record.fields?.[slug];
      if (plainValue(value) === undefined) return [];
      const rules = own.find((field) => field.slug === slug) ?? {
        kind: 'text',
        choices: [],
        multiple: false,
      };
      return [`${slug}=${canonicalValue(rules, value)}`];
    });
    const isMember = registration.parentBarcode === undefined && record.parentBarcode !== undefined;
    return isMember ? [...extras, `:parent_barcode=${record.parentBarcode}`] : extras;
  }

  /** Writes what is proven, once all rows were seen; `total`: how many registrations the service has now. */
  finish(total: number | undefined): void {
    const { journal, run } = this.#context;
    const before = this.#before;
    const adds = before?.total !== undefined && total !== undefined && total - before.total === this.#counted;
    const fits = before?.how !== 'lookup' || adds;
    journal.transaction(() => {
      this.#tables.journal.run(
        `UPDATE row SET proof = CASE WHEN ($fits OR proof = 'unlisted') AND seq IN (
             SELECT seq FROM temp.fresh WHERE NOT EXISTS (
               SELECT 1 FROM temp.extra WHERE extra.seq = fresh.seq AND (
                 SELECT count(*) FROM temp.extra AS same WHERE same.persona = extra.persona AND same.name = extra.name)
               < (SELECT count(*) FROM temp.fresh AS all_new WHERE all_new.persona = extra.persona)))
           THEN 'new' END
         WHERE run = $run AND op = 'send' AND proof IN ('absent', 'unlisted') AND (proof = 'absent' OR checked_at IS NOT NULL)
           AND state ${among(SENT)}`,
        { run, fits: fits ? 1 : 0 },
      );
    });
  }
}
