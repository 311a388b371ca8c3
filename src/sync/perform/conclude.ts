import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { severalFound } from '../decide/plan-decision.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { learn, type UpdateRule } from '../journal/learned.ts';
import { forgetListed, type QueuedRow, writeOutcome } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { First } from './firsts.ts';
import { noteFields, postponeUpdates, stopLike, withholdUpdates } from './hold-back.ts';
import type { Seen, SentRow } from './look-back.ts';

/**
 * Draws the conclusions from what the first of a kind has come to: what is learnt, and what is held back. `isKnown`: what
 * the service makes of such rows at all was known before.
 */
export function conclude(
  context: SendContext,
  first: First,
  { row, outcome }: SentRow,
  { verdict, found, isKnown }: Seen & { isKnown: boolean },
): void {
  const { sends, slugs } = first;
  const { persona } = row.registration;
  const [record] = found;
  const isSeen = verdict.kind === 'as expected' || verdict.kind === 'otherwise';
  if (isSeen && record !== undefined && sends === 'update') noteAround(context, row, record);
  if (verdict.kind === 'as expected') {
    if (sends === 'update') teach(context, 'update');
    noteFields(context, { fact: 'proven', sends, persona, slugs });
    if (outcome.state === 'uncertain')
      settle(context, row, { state: 'done', remoteId: record?.id, message: 'found in the service as sent' });
  } else if (verdict.kind === 'otherwise') stopLike(context, row, verdict.differences);
  else if (verdict.kind === 'doubled') concludeDoubled(context, row, outcome, found);
  else if (!isKnown) concludeUnseen(context, row, outcome, { verdict, found });
}

/** What an update has come to of which nothing was seen until nothing can be listed late any more. */
function concludeUnseen(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
  { verdict, found }: Seen,
): void {
  const place = formatPlace(row.place);
  const { remoteId, status } = outcome;
  const isAnother = remoteId !== undefined && row.before?.id !== undefined && remoteId !== row.before.id;
  if (verdict.kind === 'not there' ? found.length === 0 : outcome.state === 'uncertain') {
    postponeUpdates(context, `${place} got no certain answer`);
  } else if (isAnother) {
    concludeDoubled(context, row, outcome, found);
  } else if (verdict.kind === 'as before' && verdict.fields.length > 0) {
    const fields = verdict.fields.join(', ');
    const message = `the service answered that it took the change, and still lists the old values: ${fields}`;
    settle(context, row, { state: 'conflict', status, message });
    if (row.registration.leavesGroup === true) return noteLeaving(context, 'no');
    teach(context, 'ignore');
    withholdUpdates(context, 'ignore', `${fields} of ${place}`);
  }
}

function concludeDoubled(
  context: SendContext,
  row: QueuedRow,
  { status, remoteId }: RowOutcome,
  found: readonly RegistrationRecord[],
): void {
  const ids = found.length > 1 ? severalFound(found, 'this barcode') : `another one is ${remoteId}`;
  const message = `the service has added a registration instead of changing the one it had: ${ids}`;
  settle(context, row, { state: 'conflict', status, message });
  teach(context, 'double');
  withholdUpdates(context, 'double', `seen with ${formatPlace(row.place)}`);
}

/** What became of messages that were asked for before, and of the group that a row leaves. */
function noteAround(
  context: SendContext,
  { registration, before }: QueuedRow,
  { enableComms, parentBarcode }: RegistrationRecord,
): void {
  const { journal, target, clock } = context;
  if (!registration.enableComms && before?.enableComms === true && enableComms !== undefined)
    learn(journal, target.service, 'messages', enableComms ? 'kept' : 'taken back', clock.now());
  if (registration.leavesGroup === true && before?.parentBarcode !== undefined)
    noteLeaving(context, parentBarcode === undefined ? 'yes' : 'no');
}

function noteLeaving({ journal, target, clock }: SendContext, leaves: 'yes' | 'no'): void {
  learn(journal, target.service, 'leaves', leaves, clock.now());
}

export function teach({ journal, target, clock }: SendContext, rule: UpdateRule): void {
  learn(journal, target.service, 'upsert', rule, clock.now());
}

/** What was seen of the row, where the answer alone would have said otherwise. */
function settle({ journal, run, clock }: SendContext, { seq }: QueuedRow, outcome: RowOutcome): void {
  journal.transaction(() => {
    writeOutcome(journal, run, seq, outcome, clock.now(), 'looked');
    if (outcome.state === 'conflict') forgetListed(journal, run, seq);
  });
}
