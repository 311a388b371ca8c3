import { fieldAspect } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';
import { type SentRow, writeNewProof } from '../journal/sent-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { isUnlisted } from '../snapshot/answers.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

/** A row that is there. */
interface Seen {
  persona: string;
  /** What its registration holds beyond what was sent. */
  extras: readonly string[];
}

/**
 * Proves of the rows of a run which were read back that they have registered somebody new: absent from the list
 * before, with an id that was not listed then, and holding nothing beyond what was sent and what all new ones got.
 * Where only barcodes were looked up before, the service has to have just so many more registrations since.
 */
export class NewProof {
  readonly #context: SendContext;
  readonly #seen = new Map<number, Seen>();
  readonly #before: ListReading | undefined;
  #counted = 0;

  constructor(context: SendContext, before: ListReading | undefined) {
    this.#context = context;
    this.#before = before;
  }

  /** Takes a row that is there. */
  see(row: SentRow, record: RegistrationRecord): void {
    if (row.plan !== 'create' || record.fields === undefined || !this.#wasUnlisted(row, record)) return;
    this.#seen.set(row.seq, { persona: row.registration.persona, extras: this.#extras(row, record) });
  }

  #wasUnlisted({ proof, sentNo }: SentRow, record: RegistrationRecord): boolean {
    if (proof === 'unlisted') return true;
    const before = this.#before;
    if (proof === 'not-new' || before === undefined || sentNo <= before.step) return false;
    // A kind that is listed by now would have been before.
    if (before.how === 'list') return isUnlisted(before, record);
    if (proof === 'absent') this.#counted += 1;
    return proof === 'absent';
  }

  /** What it holds beyond what was sent. */
  #extras({ registration }: SentRow, record: RegistrationRecord): string[] {
    const own = fieldsOf(this.#context.event)(registration.persona);
    const extras = extraFields(registration, record).map(
      ([slug, value]) => `${slug}=${canonicalValue(fieldAspect(slug, own).rules, value)}`,
    );
    const isMember = registration.parentBarcode === undefined && record.parentBarcode !== undefined;
    return isMember ? [...extras, `:parent_barcode=${record.parentBarcode}`] : extras;
  }

  /** Rows that hold no more than all new ones of their persona got. */
  #seqsOfNew(): number[] {
    const counts = new Map<string, number>();
    const count = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
    const nameIn = (persona: string, extra = ''): string => JSON.stringify([persona, extra]);
    for (const { persona, extras } of this.#seen.values())
      for (const name of [nameIn(persona), ...extras.map((extra) => nameIn(persona, extra))]) count(name);
    const areOfAll = ({ persona, extras }: Seen): boolean =>
      extras.every((extra) => counts.get(nameIn(persona, extra)) === counts.get(nameIn(persona)));
    return [...this.#seen].flatMap(([seq, seen]) => (areOfAll(seen) ? seq : []));
  }

  /** Writes what is proven, once all rows were seen; `total`: how many registrations the service has now. */
  finish(total: number | undefined): void {
    const { journal, run } = this.#context;
    const before = this.#before;
    const adds = before?.total !== undefined && total !== undefined && total - before.total === this.#counted;
    const fits = before?.how !== 'lookup' || adds;
    writeNewProof(journal, run, this.#seqsOfNew(), fits);
  }
}

/** What a registration holds in fields that were not sent. */
export const extraFields = (sent: Registration, { fields = {} }: RegistrationRecord): [string, unknown][] =>
  Object.entries(fields).filter(
    ([slug, value]) => !Object.hasOwn(sent.fields, slug) && plainValue(value) !== undefined,
  );
