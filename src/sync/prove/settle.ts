import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import { judgeFound, outcomeOf, type RowOutcome } from '../decide/judge-found.ts';
import { emailOf } from '../../registration/changes/person.ts';
import { type Doubt, doubtsOf, newestOfKinds, type Witness, writeSettled } from '../journal/doubts.ts';
import { type OwnRows, RowsSince } from '../journal/sent-rows.ts';
import { type QueuedRow, readState } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { CHEAP_PAGES, isUnlisted, named, withId } from '../snapshot/read-now.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { lookUntil } from '../snapshot/wait-until.ts';
import { ofTicket, settleNameless, sharersOf } from './find-sent.ts';

export interface SettleOptions {
  /** How a row without a barcode is told from others: not at all, or by its e-mail address. */
  match?: 'barcode' | 'email';
  /** For rows that nothing tells apart all of the list is read, however long it is, as it is to compare them. */
  whole?: boolean;
}

/** An uncertain row, and by what its registration can be told from others; `handle` is undefined where nothing does. */
interface KnownDoubt extends Doubt {
  handle: 'barcode' | 'id' | 'e-mail' | undefined;
}

/**
 * Settles uncertain rows by reading the service: found as sent is done, found otherwise is a conflict.
 * Absent twice, after the time in which a late request may still land, goes back to be sent once more.
 * A row that nothing tells apart from others is done where just one registration can be its own; of the others it notes
 * what is likely, and they stay uncertain. A settle time of 0 means that no request can land late, as in an embedded
 * sandbox: one look is enough. Returns how many rows are not in doubt any more.
 */
export async function settleUncertain(context: SendContext, options: SettleOptions = {}): Promise<number> {
  const doubts = readDoubts(context, options);
  const known = doubts.filter(({ handle }) => handle !== undefined);
  const unseen = known.length > 0 ? await settleKnown(context, known) : new Set();
  const nameless = doubts.filter((doubt) => doubt.handle === undefined || unseen.has(doubt));
  await settleNameless(context, nameless, options);
  const { journal, run } = context;
  return doubts.filter(({ row }) => readState(journal, run, row.seq) !== 'uncertain').length;
}

const readDoubts = ({ journal, run, event }: SendContext, { match }: SettleOptions): KnownDoubt[] =>
  doubtsOf(journal, run).map(({ row, cause }) => {
    const { registration, remoteId } = row;
    if (registration.barcode !== undefined) return { row, cause, handle: 'barcode' };
    // While a request is unanswered, an id from before it says nothing about what it made.
    if (remoteId !== undefined && cause !== 'sent') return { row, cause, handle: 'id' };
    const isTold = match === 'email' && emailOf(registration, fieldsOf(event)) !== undefined;
    return { row, cause, handle: isTold ? 'e-mail' : undefined };
  });

/** Returns those of which the service shows nothing that they are known by. */
async function settleKnown(
  context: SendContext,
  doubts: readonly KnownDoubt[],
): Promise<ReadonlySet<KnownDoubt>> {
  const { journal, run, clock, limits } = context;
  const rows = new RowsSince(journal, run);
  const witnesses = newestOfKinds(journal, run);
  /** Rows that a look has missed. */
  const missed = new Set<number>();
  const unseen = new Set<KnownDoubt>();
  const isOnlyLook = limits.settleMs === 0;
  let open = doubts;
  await lookUntil(context, async (isLast) => {
    const reading = await takeLook(context, open, witnesses);
    open = open.filter((doubt) => {
      const settlement = judge(context, { reading, rows, witnesses }, doubt);
      if (settlement === 'unseen') {
        unseen.add(doubt);
        return false;
      }
      const { outcome, isAbsent = false } = settlement;
      const { seq } = doubt.row;
      const wasMissed = missed.has(seq) || isOnlyLook;
      if (isAbsent) missed.add(seq);
      // Whether nothing can change any more about what was seen.
      const isBelieved = isLast ? wasMissed || !isAbsent : outcome.state === 'done';
      if (!isBelieved) return true;
      writeSettled(journal, { run, seq }, outcome, clock.now());
      return false;
    });
    const lastMs = open.map(({ row }) => row.sentAt ?? 0);
    return { openUntilMs: open.length === 0 ? undefined : Math.max(...lastMs) + limits.settleMs };
  });
  return unseen;
}

/** What a look says of a row. */
interface Settlement {
  outcome: RowOutcome;
  isAbsent?: boolean;
}

/**
 * Reads what the service holds of uncertain rows: the list when rows can be told only by it and it is not
 * long, else whatever takes fewer requests. Throws what reading throws.
 */
async function takeLook(
  context: SendContext,
  doubts: readonly KnownDoubt[],
  witnesses: readonly Witness[],
): Promise<ListReading> {
  const barcodes = doubts.flatMap(({ row }) => row.registration.barcode ?? []);
  // An answer that shows no id names a registration by its barcode.
  const answered = doubts.flatMap(
    ({ row: { before, remoteId } }) => (before && !before.id && remoteId) || [],
  );
  const seen = witnesses.flatMap(({ barcode }) => barcode ?? []);
  const wanted = [...new Set([...barcodes, ...answered, ...seen])];
  const byListOnly = doubts.some(({ row, handle }) => handle !== 'barcode' || row.remoteId !== undefined);
  const pages = byListOnly ? Math.max(CHEAP_PAGES, doubts.length) : 0;
  const reading = await readListed(context, { barcodes: wanted, pages: Math.max(wanted.length, pages) });
  const isHidden = !reading.barcodesShown && barcodes.length > 0;
  if (isHidden) context.reporter.report({ type: 'warning', text: new BarcodesHiddenError().message });
  return reading;
}

/** What one look at the service shows of uncertain rows. */
interface Sight {
  reading: ListReading;
  rows: OwnRows;
  witnesses: readonly Witness[];
}

const UNPROVEN: Settlement = {
  outcome: {
    state: 'uncertain',
    message: 'not listed, but neither is what the service has taken for certain: that proves nothing',
  },
};

/** `unseen`: the service shows too little to tell ever. */
function judge({ event }: SendContext, sight: Sight, doubt: KnownDoubt): Settlement | 'unseen' {
  const { row, cause, handle: by = 'barcode' } = doubt;
  const fields = fieldsOf(event);
  const found = find(sight, doubt, fields);
  if (found === undefined) return sight.reading.moved ? UNPROVEN : 'unseen';
  const verdict = judgeFound({ ...row, found, by, fields });
  const isOwn = row.remoteId !== undefined && !sight.rows.belongsToAnother(row.remoteId, row.seq);
  const isNamed = by === 'barcode' && row.plan !== 'update' && cause === 'sent' && isOwn;
  if (isNamed && found.some(({ barcode }) => barcode !== row.registration.barcode))
    return contradiction('lists it under another barcode');
  // A conflict is tried again, and without a barcode that could double it.
  if (verdict.kind === 'conflict' && by !== 'barcode')
    return { outcome: { state: 'uncertain', message: verdict.why } };
  if (verdict.kind !== 'absent') return { outcome: outcomeOf(verdict) };
  if (!showsKind(sight, doubt)) return cause === 'missing' ? contradiction() : UNPROVEN;
  // Without a barcode, or when its answer named somebody who may be there, it is not sent again: a person decides.
  if (by === 'id' || (isNamed && !isNobody(sight, row, fields))) return contradiction();
  return { outcome: outcomeOf(verdict), isAbsent: true };
}

/** Whether a whole list shows neither the id that the answer to a row named, nor anybody with the e-mail address of the row. */
function isNobody(sight: Sight, row: QueuedRow, fields: ReturnType<typeof fieldsOf>): boolean {
  const sharers = sharersOf({ ...sight, fields }, row);
  const isGone = isUnlisted(sight.reading, { id: row.remoteId, barcode: undefined });
  return isGone && sharers?.by === 'e-mail' && sharers.all.length === 0;
}

/** The registrations listed for a row; undefined where that cannot be said. */
function find(
  { reading, rows }: Sight,
  { row, handle }: KnownDoubt,
  fields: ReturnType<typeof fieldsOf>,
): readonly RegistrationRecord[] | undefined {
  const { remoteId = '' } = row;
  if (handle === 'barcode') return ofTicket(reading, row, fields);
  if (handle === 'id') return withId(reading, remoteId);
  return sharersOf({ reading, rows, fields }, row)?.free;
}

/**
 * Whether the look shows what was last taken of the row's kind, without which it proves of none that it is not there.
 * Where nothing of the kind was ever taken, only what the service has contradicted itself about needs proof.
 */
function showsKind({ reading, witnesses }: Sight, { row: { registration }, cause }: KnownDoubt): boolean {
  const { persona, parentBarcode } = registration;
  const isMember = parentBarcode !== undefined;
  const witness = witnesses.find((one) => one.persona === persona && one.isMember === isMember);
  const seen = witness && named(reading, witness);
  return seen === undefined ? cause !== 'missing' : seen.length > 0;
}

const contradiction = (but = 'does not list it'): Settlement => ({
  outcome: { state: 'uncertain', message: `the service said that it took it, and ${but}` },
});
