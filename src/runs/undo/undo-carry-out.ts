import { among, OPEN, UNFINISHED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { auditRun } from '../audit/audit.ts';
import { keepChanged } from '../delete/delete-check.ts';
import { deletePending } from '../delete/delete-pending.ts';
import { readBackDeletions } from '../delete/delete-read-back.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import { deletions, imagesOf } from '../../sync/journal/delete-rows.ts';
import { type ListReading, readListed } from '../../sync/snapshot/read-listed.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { readNamesakes } from '../delete/read-namesakes.ts';
import { endWork, whatStopped } from '../../sync/perform/stop-rules.ts';
import { noteBackup } from '../../sync/journal/runs.ts';
import { performAll } from '../../sync/perform/perform.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { tellOutcomes } from '../../sync/journal/tell-outcomes.ts';
import { type SettleOptions, settleUncertain } from '../settle/settle.ts';
import type { UndoContext } from './undo-guard.ts';

import { summariseUndo, type UndoSummary } from './undo-summary.ts';

/** What somebody has deleted since is not brought back once more. */
const SETTLING: SettleOptions = { deleted: 'leave' };

type CarryOutContext = Pick<UndoContext, 'onEnd' | 'backUp'> & {
  /** What was read to plan it. */
  before: ListReading;
};

/** Does what a claimed undo has on its list, to the end or until something stops it. */
export async function carryOutUndo(
  sending: SendContext,
  undone: Run,
  context: CarryOutContext,
): Promise<UndoSummary> {
  const { journal, run } = sending;
  sending.reporter.report({ type: 'run', run });
  const progress: { audit: AuditResult | undefined } = { audit: undefined };
  const error = await whatStopped(work(sending, progress, context));
  const open = countIn(journal, run, OPEN);
  const state = endWork(sending, { error, isLeft: open > 0 });
  tellOutcomes(sending);
  await context.onEnd(run, { claimed: true });
  return summariseUndo(journal, run, { state, undone: undone.id, error, ...progress });
}

/**
 * Brings back first, then deletes: what was made a member of a registration that goes has its own parent
 * again by then. Throws what stops it.
 */
async function work(
  sending: SendContext,
  progress: { audit: AuditResult | undefined },
  context: CarryOutContext,
): Promise<void> {
  const { journal, run, stopping } = sending;
  await settleUncertain(sending, SETTLING);
  await performAll(sending);
  if (stopping.aborted) return;
  if ((await settleUncertain(sending, SETTLING)) > 0) {
    // Their parents may have been among the rows just settled.
    journal.run(`UPDATE row SET state = 'pending' WHERE run = $run AND op = 'send' AND state = 'blocked'`, {
      run,
    });
    await performAll(sending);
    if (stopping.aborted) return;
  }
  await deleteCreated(sending, context);
  if (!stopping.aborted) progress.audit = await auditRun(sending, { before: context.before });
}

/** Reads the service again, keeps what was changed meanwhile, writes a backup, and deletes the rest. */
async function deleteCreated(sending: SendContext, { backUp }: Pick<UndoContext, 'backUp'>): Promise<void> {
  const { journal, run, reporter } = sending;
  const count = countIn(journal, run, UNFINISHED, 'delete');
  if (count === 0) return;
  const reading = await readListed(sending, {
    barcodes: () => barcodesOf(journal, run),
    count,
    whole: hasBare(journal, run),
  });
  const names = [...imagesOf(journal, run, UNFINISHED)];
  await readNamesakes(sending, reading, names);
  journal.transaction(() => {
    while (keepChanged(sending, reading) > 0);
  });
  reading.listed.clear();
  if (countIn(journal, run, UNFINISHED, 'delete') === 0) return;
  const file = backUp(imagesOf(journal, run, UNFINISHED));
  noteBackup(journal, run, file);
  reporter.report({ type: 'note', text: `Backup: ${file}` });
  await deletePending(sending, { keepParents: true });
  await readBackDeletions(sending, { denied: true });
}

/** Whether something can be found by its id only, in the list of all. */
function hasBare(journal: Journal, run: string): boolean {
  return journal.has(
    `FROM row WHERE run = $run AND op = 'delete' AND barcode IS NULL
       AND state ${among(UNFINISHED)}`,
    { run },
  );
}

function* barcodesOf(journal: Journal, run: string): Generator<string> {
  for (const { barcode } of deletions(journal, run, { states: UNFINISHED }))
    if (barcode !== undefined) yield barcode;
}
