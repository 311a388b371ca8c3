import { aspectsOf, differs, fieldAspect } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';
import {
  type Difference,
  imageOf,
  type Registration,
  type RegistrationRecord,
} from '../../registration/model/registration.ts';
import { isToTheLetter, saidDigest } from '../decide/base.ts';
import { type AuditFinding, type AuditThere, isUnapplied } from '../decide/judge-audit.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import type { BaseStore } from '../journal/base-store.ts';
import { forgetUpdateRule } from '../journal/learned.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import { changeRow } from '../journal/row-tables.ts';
import type { SendContext } from '../journal/send-context.ts';
import { noteNotHeld, type SeenThere, type SentRow, writeNewProof } from '../journal/sent-rows.ts';
import { isUnlisted, withId } from '../snapshot/read-now.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

/** What writing a finding takes. `seen`: what is written of many alike is kept there. */
export type WriteContext = Pick<SendContext, 'journal' | 'run' | 'clock' | 'target' | 'event'> & {
  bases: BaseStore;
  seen: SeenThere[];
};

/** Writes what the audit found of a row. Call it in a transaction. */
export function writeFinding(context: WriteContext, row: SentRow, finding: AuditFinding): void {
  switch (finding.kind) {
    case 'there':
      writeThere(context, row, finding);
      return;
    case 'doubled':
      contradict(context, row, { state: 'conflict', message: finding.why });
      return;
    case 'missing':
      contradict(context, row, {
        state: 'uncertain',
        message: 'the service said that it took it, but does not list it',
      });
      noteNotHeld(context.journal, context.run, row.seq);
  }
}

/** What was only taken is done now that it is seen. What is not as it was sent is a conflict at the next push. */
function writeThere(context: WriteContext, row: SentRow, finding: AuditThere): void {
  const { record, differences, spelling } = finding;
  const { journal, run, event } = context;
  const told = differences.length === 0 ? undefined : JSON.stringify(differences);
  if (isUnapplied(finding)) {
    const fields = differences.filter(({ kind }) => kind === 'stored').map(({ field }) => field);
    const message = `the service answered that it took the change, and lists the old values: ${fields.join(', ')}`;
    contradict(context, row, { state: 'conflict', message });
    const shown = record.fields && { basedNo: -row.sentNo, listed: imageOf(record) };
    changeRow(journal, run, row.seq, { listedNo: undefined, differences: told, ...shown });
    return;
  }
  const otherwise =
    differences.length + spelling.length > 0 ||
    (row.plan === 'create' && extraFields(row.registration, record).length > 0);
  const after = otherwise ? imageOf(record) : undefined;
  const { seq, state, remoteId, registration } = row;
  const isShown = record.fields !== undefined;
  const isAsSent =
    (remoteId ?? record.id) === record.id && isToTheLetter(registration, record, fieldsOf(event));
  const listed = isShown && !isAsSent ? imageOf(record) : undefined;
  context.seen.push({ seq, state, remoteId, id: record.id, after, listed, differences: told, isShown });
}

/**
 * The finding, with values that were sent before, never seen as sent, and sent again because somebody said so: where
 * the service lists them as it did before, it does not accept them.
 */
export function withRefused(
  { bases, event }: WriteContext,
  { registration, before, isBased }: SentRow,
  finding: AuditFinding,
): AuditFinding {
  if (finding.kind !== 'there' || before === undefined || isBased) return finding;
  if (finding.differences.every(({ kind }) => kind !== 'stored')) return finding;
  const { barcode = finding.record.barcode } = registration;
  const pairs = bases.read({ barcode, id: finding.record.id })?.pairs;
  const refused = aspectsOf(registration, fieldsOf(event)).filter((aspect) => {
    const pair = pairs?.get(aspect.key);
    const isAgain = pair !== undefined && pair.seen === undefined;
    const said = saidDigest(aspect, registration, (text) => bases.digest(text));
    return isAgain && pair.said === said && !differs(aspect, before, finding.record);
  });
  const names = new Set(refused.map(({ field }) => field));
  const differences = finding.differences.map(
    (one): Difference => (one.kind === 'stored' && names.has(one.field) ? { ...one, kind: 'refused' } : one),
  );
  return { ...finding, differences };
}

/** The row is not what the service said it is. What it answered stays known. */
function contradict(context: WriteContext, { seq, plan, status }: SentRow, outcome: RowOutcome): void {
  const { journal, run, clock } = context;
  writeOutcome(journal, run, seq, { ...outcome, status }, clock.now(), 'audited');
  if (plan === 'update' && outcome.state === 'conflict') forgetUpdateRule(context);
}

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

  /** Rows that hold no more than all new ones of their persona got, by what is held against each other of it. */
  #seqsOfNew(of: (extra: string) => string): number[] {
    const counts = new Map<string, number>();
    const count = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
    const nameIn = (persona: string, extra = ''): string => JSON.stringify([persona, of(extra)]);
    for (const { persona, extras } of this.#seen.values())
      for (const name of [nameIn(persona), ...extras.map((extra) => nameIn(persona, extra))]) count(name);
    const areOfAll = ({ persona, extras }: Seen): boolean =>
      extras.every((extra) => counts.get(nameIn(persona, extra)) === counts.get(nameIn(persona)));
    return [...this.#seen].flatMap(([seq, seen]) => (areOfAll(seen) ? seq : []));
  }

  /** Writes what is proven, once all rows were seen, by what was read last. */
  finish(reading: ListReading): void {
    const { total } = reading;
    const { journal, run } = this.#context;
    const before = this.#before;
    const adds = before?.total !== undefined && total !== undefined && total - before.total === this.#counted;
    const fits = before?.how !== 'lookup' || adds;
    // Where all who were there are still there, nobody has got another id: each may get another value of its own.
    const isThere = ({ id = '' }: RegistrationRecord): boolean => withId(reading, id)?.length === 1;
    const areThere = before?.how === 'list' && [...before.listed.all()].every(isThere);
    const seqs = this.#seqsOfNew((extra) => (areThere ? extra.split('=', 1).join('') : extra));
    writeNewProof(journal, run, seqs, fits);
  }
}

/** What a registration holds in fields that were not sent. */
const extraFields = (sent: Registration, { fields = {} }: RegistrationRecord): [string, unknown][] =>
  Object.entries(fields).filter(
    ([slug, value]) => !Object.hasOwn(sent.fields, slug) && plainValue(value) !== undefined,
  );
