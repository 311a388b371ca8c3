import { BARCODE, type FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf, holdsAll } from '../../registration/changes/field-change.ts';
import { emailOf } from '../../registration/changes/person.ts';
import type {
  Difference,
  RecordImage,
  Registration,
  RegistrationRecord,
} from '../../registration/model/registration.ts';
import { SENT } from '../../registration/model/row-states.ts';
import { formatPlace, placeOr } from '../../registration/model/row.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { KEY_WORDS, type Near, type PersonKey } from '../decide/judge-person.ts';
import { BaseStore } from '../journal/base-store.ts';
import { learn, learnFields, learnRecognised, readRecognition } from '../journal/learned.ts';
import { type QueuedRow, queuedRow, writeOutcome } from '../journal/queued-rows.ts';
import { changeRow } from '../journal/row-tables.ts';
import type { SendContext } from '../journal/send-context.ts';
import { noteNotHeld } from '../journal/sent-rows.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { hasShownLike, named, withEmail } from '../snapshot/read-now.ts';
import { readUntil } from '../snapshot/wait-until.ts';
import { fieldsIn, type First, isWitness } from './firsts.ts';
import { holdBack, holdBackAlike, stopLike, withholdUpdates } from './hold-back.ts';
import type { Seen, SentRow } from './look-back.ts';
import { settleHit } from './taken-for.ts';

/** Whether the service took a row that registers somebody for the one who is alike; `no`: both are there. */
type Shown = 'yes' | 'no' | 'unknown';

/**
 * Looks at a row that was sent alone beside somebody alike, and at that one: whether the service takes them for the same
 * person is learnt of what they have in common. What cannot be told keeps the others back.
 */
export async function lookBeside(context: SendContext, near: Near, { row, outcome }: SentRow): Promise<void> {
  const { journal, run, reporter } = context;
  const { key, image, seq } = near;
  // The answer has told that somebody who was there was changed.
  const isKnown = readRecognition(context)[key] === 'yes';
  if (outcome.state === 'conflict' || isKnown) return;
  let shown: Shown = 'unknown';
  if (SENT.has(outcome.state)) {
    reporter.report({ type: 'checking', what: 'by what the service knows people', done: 0, total: 1 });
    const other = seq === undefined ? undefined : queuedRow(journal, run, seq);
    const alike = other === undefined ? image : { ...other.registration, id: other.remoteId };
    shown = await lookAtBoth(context, row, alike ?? unshownAs(context, row, outcome), outcome.remoteId);
  }
  if (shown === 'unknown') postponeBeside(context, key, row);
  else if (shown === 'yes') await settleHit(context, row, outcome, { key, image, seq });
  else learnRecognised(context, key, 'no');
}

/** Keeps rows that share a key with somebody back until it is known what they would do. */
export function postponeBeside(context: SendContext, key: PersonKey, { place }: QueuedRow): void {
  const why = `not sent yet: whether this service knows people by ${KEY_WORDS[key]} is not known, because ${formatPlace(place)} got no certain answer`;
  holdBackAlike(context, key, { why });
}

/** Of somebody who was sent before and whom the list cannot show only the id may be known: that which was answered, or another. */
function unshownAs(
  { journal, target, event }: SendContext,
  { registration }: QueuedRow,
  { remoteId }: RowOutcome,
) {
  const bases = new BaseStore(journal, target, event.endDate);
  const email = emailOf(registration, fieldsOf(event));
  const known = bases.find('email', email).flatMap(({ id }) => id ?? []);
  const isThat = remoteId !== undefined && known.includes(bases.nameOf('id', remoteId));
  return { id: isThat ? remoteId : known[0] };
}

/** Until both are listed, each for itself, or nothing can be listed late any more. */
async function lookAtBoth(
  context: SendContext,
  { registration }: QueuedRow,
  alike: Registration | RecordImage,
  remoteId: string | undefined,
): Promise<Shown> {
  const fields = fieldsOf(context.event);
  const barcodes = [registration.barcode, alike.barcode].filter((barcode) => barcode !== undefined);
  const wish = { barcodes, whole: barcodes.length < 2 };
  const read = async (): Promise<Shown> => {
    const reading = await readListed(context, wish);
    const mine = find(reading, registration, remoteId, fields);
    const theirs = find(reading, alike, 'id' in alike ? alike.id : undefined, fields);
    // Listed as the other one only, with what the row has changed of it.
    if (mine.length === 0) {
      const isMine = theirs.some((record) => holdsAll(registration, record, fields));
      return isMine && !holdsAll(registration, alike, fields) ? 'yes' : 'unknown';
    }
    const others = theirs.filter((record) => !mine.includes(record));
    if (others.length > 0 || mine.length > 1) return 'no';
    const { persona, parentBarcode } = alike;
    const isShown = [reading, context.before ?? reading].some(
      (one) => one.kinds.size > 0 && hasShownLike(one, { persona, parentBarcode }),
    );
    if (theirs.length > 0 || isShown) return 'yes';
    // Only the ids that the service answered with tell then, where it lists them as well.
    const isListed = 'id' in alike && alike.id !== undefined && mine.some(({ id }) => id === remoteId);
    return !isListed ? 'unknown' : alike.id === remoteId ? 'yes' : 'no';
  };
  return await readUntil(context, context.limits.settleMs, read, (shown) => shown === 'no');
}

/** By barcode, by id, or by e-mail and values. */
function find(
  reading: ListReading,
  { barcode, persona = '', ...one }: Registration | RecordImage,
  id: string | undefined,
  fields: FieldsOf,
): readonly RegistrationRecord[] {
  const asked = { ...one, barcode, persona, fields: one.fields ?? {} } as Registration;
  const email = emailOf(asked, fields);
  const alike = email === undefined ? [] : (withEmail(reading, persona, email) ?? []);
  return named(reading, { barcode, id }) ?? alike.filter((record) => holdsAll(asked, record, fields));
}

/**
 * Draws the conclusions from what the first of a kind has come to: what is learnt, and what is held back. `isKnown`: what
 * the service makes of such rows at all was known before.
 */
export function conclude(
  context: SendContext,
  first: First,
  sent: SentRow,
  seen: Seen & { isKnown: boolean },
): void {
  const { sends, slugs } = first;
  const { row, outcome } = sent;
  const { verdict, found, isKnown } = seen;
  const { persona } = row.registration;
  const [record] = found;
  const isSeen = verdict.kind === 'as expected' || verdict.kind === 'otherwise';
  if (isSeen && record !== undefined && sends === 'update') noteAround(context, row, record);
  if (verdict.kind === 'as expected') {
    if (sends === 'update') learn(context, 'upsert', 'update');
    learnFields(context, { fact: 'proven', sends, persona, slugs });
    if (outcome.state === 'uncertain')
      settle(context, row, { state: 'done', remoteId: record?.id, message: 'found in the service as sent' });
  } else if (verdict.kind === 'otherwise') concludeOtherwise(context, first, seen, verdict.differences);
  else if (verdict.kind === 'doubled') concludeDoubled(context, sent, found);
  else if (isWitness(context, first)) {
    const fields = [...fieldsIn(context, first, 'doubted')].join(', ');
    const why = `not sent yet: whether this service stores ${fields} otherwise, or somebody has edited what was sent before, is not known, because ${placeOr(row.place, row.registration.barcode)} got no certain answer`;
    holdBack(context, { sends, persona }, { why });
  } else if (!isKnown) concludeUnseen(context, sent, seen);
}

/**
 * What has come back otherwise is the service's doing where the answer shows it as well, or another row before has: else
 * somebody may have edited it, and the next row that carries it tells.
 */
function concludeOtherwise(
  context: SendContext,
  first: First,
  { answer }: Seen,
  differences: readonly Difference[],
): void {
  const { row, sends, slugs } = first;
  const { persona } = row.registration;
  const known = [...fieldsIn(context, first, 'doubted'), ...fieldsIn(context, first, 'faulty')];
  const told = answer?.kind === 'otherwise' ? answer.differences.map(({ field }) => field) : [];
  const isSure = ({ field }: Difference): boolean =>
    known.includes(field) || told.includes(field) || !slugs.includes(field);
  const sure = differences.filter(isSure);
  if (sure.length > 0) return stopLike(context, row, sure);
  changeRow(context.journal, context.run, row.seq, { differences: JSON.stringify(differences) });
  const open = differences.map(({ field }) => field);
  learnFields(context, { fact: 'doubted', sends, persona, slugs: open });
  const isAsSent = (slug: string): boolean => !open.includes(slug);
  learnFields(context, { fact: 'proven', sends, persona, slugs: slugs.filter(isAsSent) });
}

/** What an update has come to of which nothing was seen until nothing can be listed late any more. */
function concludeUnseen(context: SendContext, sent: SentRow, { verdict, found }: Seen): void {
  const { row, outcome } = sent;
  const { remoteId, status } = outcome;
  const { barcode, persona } = row.registration;
  const place = placeOr(row.place, barcode);
  const isAnother = remoteId !== undefined && row.before?.id !== undefined && remoteId !== row.before.id;
  if (verdict.kind === 'not there' && found.length === 0 && SENT.has(outcome.state)) {
    // Somebody may have deleted it, or given it another barcode.
    learnFields(context, { fact: 'doubted', sends: 'update', persona, slugs: [BARCODE.field] });
  } else if (verdict.kind === 'not there' ? found.length === 0 : outcome.state === 'uncertain') {
    const unknown = 'what this service does with a barcode that it has already is not known';
    const why = `not sent yet: ${unknown}, because ${place} got no certain answer`;
    holdBack(context, { sends: 'update' }, { why });
  } else if (isAnother) {
    concludeDoubled(context, sent, found);
  } else if (verdict.kind === 'as before' && verdict.fields.length > 0) {
    const fields = verdict.fields.join(', ');
    const message = `the service answered that it took the change, and still lists the old values: ${fields}`;
    settle(context, row, { state: 'conflict', status, message });
    if (row.registration.leavesGroup === true) return learn(context, 'leaves', 'no');
    learn(context, 'upsert', 'ignore');
    learnFields(context, { fact: 'ignored', sends: 'update', persona, slugs: verdict.fields });
    withholdUpdates(context, 'ignore', `${fields} of ${place}`);
  }
}

function concludeDoubled(
  context: SendContext,
  { row, outcome: { status, remoteId } }: SentRow,
  found: readonly RegistrationRecord[],
): void {
  const old = row.before?.id;
  const others = old === undefined ? [] : found.flatMap(({ id }) => id ?? []);
  const added = [...others, remoteId].find((id) => id !== old);
  const message = `the service has added a registration${added === undefined ? '' : `, ${added},`} instead of changing ${old ?? 'the one it had'}; delete what was added, and make the change in the service`;
  settle(context, row, { state: 'conflict', status, message });
  learn(context, 'upsert', 'double');
  withholdUpdates(context, 'double', `seen with ${placeOr(row.place, row.registration.barcode)}`);
}

/** What became of messages that were asked for before, and of the group that a row leaves. */
function noteAround(
  context: SendContext,
  { registration, before }: QueuedRow,
  { enableComms, parentBarcode }: RegistrationRecord,
): void {
  if (!registration.enableComms && before?.enableComms === true && enableComms !== undefined)
    learn(context, 'messages', enableComms ? 'kept' : 'taken back');
  if (registration.leavesGroup === true && before?.parentBarcode !== undefined)
    learn(context, 'leaves', parentBarcode === undefined ? 'yes' : 'no');
}

/** What was seen of the row, where the answer alone would have said otherwise. */
export function settle({ journal, run, clock }: SendContext, { seq }: QueuedRow, outcome: RowOutcome): void {
  journal.transaction(() => {
    writeOutcome(journal, run, seq, outcome, clock.now(), 'looked');
    if (outcome.state === 'conflict') noteNotHeld(journal, run, seq);
  });
}
