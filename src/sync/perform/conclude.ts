import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { placeOr } from '../../registration/model/row.ts';
import { severalFound } from '../decide/plan-decision.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { learn, learnFields } from '../journal/learned.ts';
import { type QueuedRow, writeOutcome } from '../journal/queued-rows.ts';
import { noteNotHeld } from '../journal/sent-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { First } from './firsts.ts';
import { holdBack, stopLike, withholdUpdates } from './hold-back.ts';
import type { Seen, SentRow } from './look-back.ts';

/**
 * Draws the conclusions from what the first of a kind has come to: what is learnt, and what is held back. `isKnown`: what
 * the service makes of such rows at all was known before.
 */
export function conclude(
  context: SendContext,
  { sends, slugs }: First,
  sent: SentRow,
  seen: Seen & { isKnown: boolean },
): void {
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
  } else if (verdict.kind === 'otherwise') stopLike(context, row, verdict.differences);
  else if (verdict.kind === 'doubled') concludeDoubled(context, sent, found);
  else if (!isKnown) concludeUnseen(context, sent, seen);
}

/** What an update has come to of which nothing was seen until nothing can be listed late any more. */
function concludeUnseen(context: SendContext, sent: SentRow, { verdict, found }: Seen): void {
  const { row, outcome } = sent;
  const { remoteId, status } = outcome;
  const place = placeOr(row.place, row.registration.barcode);
  const isAnother = remoteId !== undefined && row.before?.id !== undefined && remoteId !== row.before.id;
  if (verdict.kind === 'not there' ? found.length === 0 : outcome.state === 'uncertain') {
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
    learn(context, 'ignored', [row.registration.barcode, ...verdict.fields].join('\n'));
    withholdUpdates(context, 'ignore', `${fields} of ${place}`);
  }
}

function concludeDoubled(
  context: SendContext,
  { row, outcome: { status, remoteId } }: SentRow,
  found: readonly RegistrationRecord[],
): void {
  const ids = found.length > 1 ? severalFound(found, 'this barcode') : `another one is ${remoteId}`;
  const message = `the service has added a registration instead of changing the one it had: ${ids}; delete the one that is too many, and make the change in the service`;
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
