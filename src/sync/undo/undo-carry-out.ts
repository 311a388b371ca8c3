import { OPEN, UNFINISHED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { proveRun } from '../prove/prove-run.ts';
import { countIn } from '../journal/queued-rows.ts';
import { deletions } from '../journal/delete-rows.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import type { Run } from '../journal/run.ts';
import { addHolders } from '../delete/hold.ts';
import { type BackUp, removeAll } from '../delete/removal.ts';
import { endWork, whatStopped } from '../perform/stop-rules.ts';
import { noteBackup } from '../journal/runs.ts';
import { performAll } from '../perform/perform.ts';
import type { SendContext } from '../journal/send-context.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import { type SettleOptions, settleUncertain } from '../prove/settle.ts';
import { summariseUndo, type UndoSummary } from './undo-tell.ts';

/** What somebody has deleted since is not brought back once more. */
const SETTLING: SettleOptions = { deleted: 'leave' };

interface CarryOutContext {
  /** What was read to plan it. */
  before: ListReading;
  backUp: BackUp;
  onEnd: (run: string, how: { claimed: boolean }) => Promise<void>;
}

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
  if (!stopping.aborted) progress.audit = await proveRun(sending, { before: context.before });
}

/** Reads the service again, and deletes what was not changed meanwhile. */
async function deleteCreated(sending: SendContext, { backUp }: CarryOutContext): Promise<void> {
  const { journal, run } = sending;
  const rows = deletions(journal, run, UNFINISHED);
  if (rows.length === 0) return;
  const barcodes = rows.flatMap(({ barcode }) => barcode ?? []);
  const reading = await readListed(sending, {
    barcodes: () => barcodes,
    count: rows.length,
    // Something can be found by its id only, in the list of all.
    whole: barcodes.length < rows.length,
  });
  await addHolders(sending, reading, rows);
  await removeAll(sending, {
    before: reading,
    keepParents: true,
    backUp: (records) => {
      const file = backUp(records);
      noteBackup(journal, run, file);
      return file;
    },
  });
}
