import { GuardError } from '../../errors.ts';
import { OPEN, UNFINISHED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { plural } from '../../report/words/number.ts';
import { checkMaxDelete, type Allowance } from '../decide/delete-guard.ts';
import { addHolders } from '../delete/hold.ts';
import { removeAll } from '../delete/remove-all.ts';
import { interrupted, keepIn, runRemoval, type RemovalContext } from '../delete/removal-run.ts';
import { flawsOf, type RemovalSummary } from '../delete/removal-summary.ts';
import { heldBy, noteLater, otherHolder, takeRun } from '../journal/runs.ts';
import { countRun } from '../journal/count-run.ts';
import { deletions } from '../journal/delete-rows.ts';
import { countIn, releaseHeldBack } from '../journal/queued-rows.ts';
import type { Run } from '../journal/run.ts';
import type { SendContext } from '../journal/send-context.ts';
import { performAll } from '../perform/perform.ts';
import { proveRun } from '../prove/prove-run.ts';
import { settleUncertain } from '../prove/settle.ts';
import { readListed, type ListReading } from '../snapshot/read-listed.ts';
import { wishFor } from '../snapshot/read-now.ts';
import { describeCounts } from '../tell/run-words.ts';
import { planUndo, sendWithoutRefused } from './undo-plan.ts';

/**
 * Deletes what a run has created and brings back what it has changed or deleted, as far as it is still as the
 * run has left it. Throws what refuses it; what stops it later is in the summary.
 */
export async function runUndo(
  { undone, maxDelete, dryRun }: { undone: Run; maxDelete: Allowance; dryRun: boolean },
  context: RemovalContext,
): Promise<RemovalSummary> {
  const { journal, clock } = context;
  const { id } = undone;
  refuseForeign(undone, context);
  if (!takeRun(journal, id)) throw heldBy(`Run ${id} is being worked on`, otherHolder(journal, undone));
  const wish = { kind: 'undo' as const, undoes: id, dryRun, refused: 'Nothing was undone.' };
  try {
    const broken = dryRun ? [] : interrupted(context, wish);
    const summary = await runRemoval(
      wish,
      async (sending) => {
        const { run } = sending;
        const before = await planUndo(sending, undone);
        const [deletes, sends] = [countIn(journal, run, OPEN, 'delete'), countIn(journal, run, OPEN, 'send')];
        // As far as was read.
        const there = before.total ?? before.listed.count;
        const parts = [
          ...(deletes > 0 ? [`delete ${plural(deletes, 'registration', 'registrations')}`] : []),
          ...(sends > 0 ? [`bring back ${plural(sends, 'registration', 'registrations')}`] : []),
        ];
        return {
          tooMany: checkMaxDelete(deletes, there, maxDelete),
          question: `Undo run ${id}: ${parts.join(' and ')} at ${context.label}?`,
          there,
          work: () => carryOutUndo({ ...sending, before, triesAgain: true }, before),
        };
      },
      context,
    );
    // What the undone run came to at its end stays as it was.
    const text =
      summary.run && `undone by run ${summary.run}: ${describeCounts(countRun(journal, summary.run))}`;
    if (text !== undefined) noteLater(journal, id, { at: clock.now(), text });
    return { ...summary, flaws: [...broken.flatMap((one) => flawsOf(journal, one.id)), ...summary.flaws] };
  } finally {
    journal.locks.release(id);
  }
}

/** Throws GuardError for a run of another service or event, or one that is still reading. */
function refuseForeign({ id, service, event, eventName, state }: Run, { target }: RemovalContext): void {
  if (service !== target.service || event !== target.eventId)
    throw new GuardError(
      'other-service',
      `Run ${id} was at ${service} (${eventName}), which is not where you are now.`,
      { hint: 'Choose its service with --profile, or --sandbox.' },
    );
  if (state === 'reading') throw new GuardError('busy', `Run ${id} is still reading its files.`);
}

/**
 * Does what an undo has on its list. Brings back first, then deletes: what was made a member of a registration that goes
 * has its own parent again by then. `before`: what was read to plan it. Throws what stops it.
 */
async function carryOutUndo(
  sending: SendContext & RemovalContext,
  before: ListReading,
): Promise<AuditResult> {
  const { journal, run, stopping } = sending;
  await settleUncertain(sending);
  await performAll(sending);
  let isSettled = !stopping.aborted && (await settleUncertain(sending)) > 0;
  while (!stopping.aborted && (sendWithoutRefused(sending) || isSettled)) {
    isSettled = false;
    // Their parents may have been among what was in doubt.
    releaseHeldBack(journal, run, ['blocked']);
    await performAll(sending);
  }
  if (!stopping.aborted) await deleteCreated(sending);
  return await proveRun(sending, { before });
}

/** Reads the service again, and deletes what was not changed meanwhile. */
async function deleteCreated(sending: SendContext & RemovalContext): Promise<void> {
  const rows = deletions(sending.journal, sending.run, UNFINISHED);
  if (rows.length === 0) return;
  const before = await readListed(sending, wishFor(rows));
  await addHolders(sending, before, rows);
  await removeAll(sending, { before, keepParents: true, ...keepIn(sending) });
}
