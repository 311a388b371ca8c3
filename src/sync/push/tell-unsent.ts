import { dirname } from 'node:path';
import { addDeletions } from '../journal/delete-rows.ts';
import { Journal } from '../journal/journal.ts';
import { beginRun } from '../journal/runs.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import type { RunPlan } from '../plan/plan-rows.ts';
import { writePlan } from '../plan/write-plan.ts';
import type { RowsToPlan } from '../plan/rows-to-plan.ts';
import type { PrunePlan } from '../prune/prune-plan.ts';
import { type PushSummary, summarise } from '../tell/summary.ts';
import type { PushContext } from './push-options.ts';

type Facts = Omit<Parameters<typeof summarise>[0], 'rows'>;

/**
 * Tells of a push that has not begun: a dry run, one whose rows are refused, or one that was stopped before. Its rows
 * are put into a journal of its own, which is told of as any other and gone afterwards.
 */
export async function tellUnsent(
  { rows, plan, prune }: { rows: RowsToPlan; plan?: RunPlan | undefined; prune?: PrunePlan | undefined },
  facts: Facts,
  context: PushContext,
): Promise<PushSummary> {
  const { target, self, onEnd } = context;
  const journal = Journal.passing(dirname(context.journal.file));
  const run = beginRun(journal, { kind: 'push', target, files: rows.files }, facts.startedAt, self);
  try {
    const unsent = { ...context, journal, run };
    journal.transaction(() => {
      writePlan(unsent, { rows, plan });
      addDeletions(journal, run, prune?.going ?? []);
    });
    tellOutcomes(unsent);
    const summary = { ...summarise({ ...facts, rows: run }, unsent), run: undefined };
    await onEnd?.(journal, run, summary);
    return summary;
  } finally {
    journal.locks.forget(run);
    journal.close();
  }
}
