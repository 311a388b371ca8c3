import { among, SENT, THERE } from '../../registration/model/row-states.ts';
import { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import { type QueuedRow, queuedRow } from '../../sync/journal/queued-rows.ts';
import { knownUpdateRule } from '../send/update-rule.ts';
import { sendOne } from '../send/send-row.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/**
 * Sends rows once more that are pending because the service was seen not to hold them: parents first, one
 * after the other, and none whose parent is not there. `sent` takes those that got through. Throws what
 * stops the run, and a GuardError without a yes for messages to people.
 */
export async function resend(
  context: SendContext,
  confirm: (question: string) => Promise<boolean>,
  { seqs, sent }: { seqs: readonly number[]; sent: Set<number> },
): Promise<void> {
  const rows = pendingRows(context, seqs);
  const messages = rows.filter(({ registration }) => registration.enableComms).length;
  const question = `The service will be asked to send e-mail or text messages to ${plural(messages, 'person', 'people')} (enable_comms). Go on?`;
  if (messages > 0 && !(await confirm(question))) throw new GuardError('confirmation', 'Nothing was sent.');
  for (const row of rows) {
    context.stopping.throwIfAborted();
    if (!hasParent(context, row)) continue;
    const { state } = await sendOne(context, row);
    if (SENT.has(state)) sent.add(row.seq);
  }
}

/** Parents before members. What a service does with an update has to be known: a push finds out, this does not. */
function pendingRows({ journal, run, target, clock }: SendContext, seqs: readonly number[]): QueuedRow[] {
  const updates = knownUpdateRule(journal, target.service, clock.now()) === 'update';
  return journal
    .all<{ seq: number }>(
      `SELECT seq FROM row WHERE run = $run AND state = 'pending' AND seq IN (SELECT value FROM json_each($seqs))
         AND ($updates OR plan IS NOT 'update') ORDER BY depth, seq`,
      { run, seqs: JSON.stringify(seqs), updates: updates ? 1 : 0 },
    )
    .flatMap(({ seq }) => queuedRow(journal, run, seq) ?? []);
}

/** A parent that is no row of the run was there when the run began. */
function hasParent({ journal, run }: SendContext, { registration }: QueuedRow): boolean {
  if (registration.parentBarcode === undefined) return true;
  return !journal.has(
    `FROM row WHERE run = $run AND op = 'send' AND barcode = $parent
       AND state NOT ${among(THERE)}`,
    { run, parent: registration.parentBarcode },
  );
}
