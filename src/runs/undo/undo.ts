import { OPEN } from '../../registration/model/row-states.ts';
import { countRun, describeCounts } from '../../sync/journal/count-run.ts';
import { refuseIfBusy } from '../../sync/journal/busy-runs.ts';
import { checkMaxDelete, type MaxDelete } from '../../sync/decide/delete-guard.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Run } from '../../sync/journal/run.ts';
import {
  beginRun,
  findRunByContent,
  noteLater,
  claimContent,
  reopenRun,
  releaseReading,
} from '../../sync/journal/runs.ts';
import { carryOutUndo } from './undo-carry-out.ts';
import { guardUndo, refuseForeign, takeAll, type UndoContext } from './undo-guard.ts';
import { planUndo } from './undo-plan.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import { tellOutcomes } from '../../sync/journal/tell-outcomes.ts';
import { summariseUndo, type UndoSummary } from './undo-summary.ts';

interface UndoOptions {
  undone: Run;
  maxDelete: MaxDelete;
  dryRun: boolean;
}

/**
 * Deletes what a run has created and brings back what it has changed or deleted, as far as it is still as the
 * run has left it. The same undo again goes on where it was interrupted. Throws what refuses it; what stops
 * it later is in the summary.
 */
export async function runUndo(options: UndoOptions, context: UndoContext): Promise<UndoSummary> {
  const { journal } = context;
  const { undone, dryRun } = options;
  refuseForeign(undone, context);
  const key = `undo:${undone.id}`;
  const earlier = findRunByContent(journal, context.target, key);
  try {
    takeAll(journal, undone, earlier);
    const open = earlier !== undefined && !dryRun && countIn(journal, earlier.id, OPEN) > 0;
    const work = open ? resume(earlier, options, context) : begin(key, options, context);
    const summary = await work;
    noteUndone(summary, context);
    return summary;
  } finally {
    journal.locks.release(undone.id);
    if (earlier !== undefined) journal.locks.release(earlier.id);
  }
}

/** What the undone run came to at its end stays as it was. */
function noteUndone({ run, undone }: UndoSummary, { journal, clock }: UndoContext): void {
  if (run === undefined) return;
  const text = `undone by run ${run}: ${describeCounts(countRun(journal, run))}`;
  noteLater(journal, undone, { at: clock.now(), text });
}

async function begin(key: string, options: UndoOptions, context: UndoContext): Promise<UndoSummary> {
  const { journal, target, clock, self } = context;
  const { undone, dryRun } = options;
  const start = { kind: 'undo', target, files: [], undoes: undone.id } as const;
  const run = beginRun(journal, start, clock.now(), self);
  try {
    const reading = await planUndo({ ...context, run }, undone);
    const deletes = countIn(journal, run, ['pending'], 'delete');
    const sends = countIn(journal, run, ['pending'], 'send');
    const there = thereIn(reading);
    const tooMany = checkMaxDelete(deletes, there, options.maxDelete);
    if (dryRun || deletes + sends === 0) {
      tellOutcomes({ ...context, run });
      await context.onEnd(run, { claimed: false });
      const state = dryRun ? 'planned' : 'nothing';
      return summariseUndo(journal, run, { state, undone: undone.id, tooMany: tooMany?.problem });
    }
    await guardUndo({ deletes, sends, there, tooMany }, undone, { ...context, run });
    journal.transaction(() => claim(run, key, context));
    const also = { ...context, before: reading, triesAgain: true };
    return await carryOutUndo({ ...also, run }, undone, also);
  } finally {
    releaseReading(journal, run);
  }
}

function claim(run: string, key: string, { journal, target }: UndoContext): void {
  refuseIfBusy(journal, target, run);
  claimContent(journal, target, run, key);
}

/** What was asked of the service and not refused stays as it is; the rest is judged anew: time has passed. */
async function resume(earlier: Run, options: UndoOptions, context: UndoContext): Promise<UndoSummary> {
  const { journal, clock, self } = context;
  const run = earlier.id;
  journal.transaction(() => {
    journal.run(`DELETE FROM row WHERE run = $run AND (attempts = 0 OR state = 'failed')`, { run });
    journal.run(
      `DELETE FROM finding WHERE run = $run AND kind = 'unseen'
         AND seq NOT IN (SELECT seq FROM row WHERE run = $run)`,
      { run },
    );
    journal.run(`UPDATE row SET state = 'uncertain' WHERE run = $run AND op = 'send' AND state = 'sending'`, {
      run,
    });
    reopenRun(journal, run, self, clock.now());
  });
  context.reporter.report({ type: 'note', text: `Going on with run ${run}, which was interrupted.` });
  const reading = await planUndo({ ...context, run }, options.undone);
  const deletes = countIn(journal, run, OPEN, 'delete');
  const sends = countIn(journal, run, OPEN, 'send');
  const there = thereIn(reading);
  const tooMany = checkMaxDelete(deletes, there, options.maxDelete);
  await guardUndo({ deletes, sends, there, tooMany }, options.undone, { ...context, run });
  refuseIfBusy(journal, context.target, run);
  const also = { ...context, before: reading, triesAgain: true };
  return await carryOutUndo({ ...also, run }, options.undone, also);
}

/** How many registrations there are, as far as was read. */
function thereIn({ total, listed }: ListReading): number {
  return total ?? listed.count;
}
