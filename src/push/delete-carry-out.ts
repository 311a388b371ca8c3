import { existsSync } from 'node:fs';
import type { RecordImage } from '../registration/registration.ts';
import { type ClaimedDelete, OPEN_DELETIONS } from './delete-claim.ts';
import { deletePending } from './delete-pending.ts';
import { readBackDeletions } from './delete-read-back.ts';
import { countDeletions, deletions } from './delete-rows.ts';
import { tryBarcode } from './delete-trial.ts';
import { readShortList } from './read-short-list.ts';
import { readProblems } from './summary.ts';
import type { DeleteContext, DeleteFacts } from './delete-run.ts';
import type { DeleteSummary } from './delete-summary.ts';
import type { Journal } from './journal.ts';
import { backupsOf, endRun, noteBackup } from './runs.ts';

/** Backs up and deletes what a claimed run has on its list, to the end or until something stops it. */
export async function carryOutDelete(
  { id: run, settled, changed }: ClaimedDelete,
  { gone, unknown }: Pick<DeleteFacts, 'gone' | 'unknown'>,
  context: DeleteContext,
): Promise<DeleteSummary> {
  const { journal, clock, stopping } = context;
  for (const { row, outcome } of settled) await context.onRow(row, outcome);
  const now = settled.filter(({ outcome }) => outcome.state === 'deleted').length;
  const before = countDeletions(journal, run, ['deleted']) - now;
  const progress: { backup: string | undefined } = { backup: undefined };
  const error = await work(run, changed > 0, progress, context).then(
    () => undefined,
    (failure: Error) => failure,
  );
  const open = countDeletions(journal, run, OPEN_DELETIONS);
  const interrupted = stopping.aborted && (error !== undefined || open > 0);
  const state = interrupted ? 'interrupted' : error === undefined ? 'finished' : 'stopped';
  endRun(journal, run, state, clock.now(), interrupted ? undefined : error?.message);
  return {
    state,
    run,
    // Reading back may tell that even earlier ones are still there.
    deleted: Math.max(0, countDeletions(journal, run, ['deleted']) - before),
    left: countDeletions(journal, run, [...OPEN_DELETIONS, 'unchanged', 'failed', 'blocked']),
    uncertain: countDeletions(journal, run, ['sending', 'uncertain']),
    gone,
    absent: unknown.length,
    backup: progress.backup,
    error,
    flaws: readProblems(journal, run).filter(({ state: found }) => found === 'gone' || found === 'orphaned'),
  };
}

async function work(
  run: string,
  changed: boolean,
  progress: { backup: string | undefined },
  context: DeleteContext,
): Promise<void> {
  const { journal } = context;
  const [kept] = backupsOf(journal, run);
  if (countDeletions(journal, run, OPEN_DELETIONS) === 0) {
    progress.backup = kept;
    return;
  }
  progress.backup = kept !== undefined && !changed && existsSync(kept) ? kept : backUp(run, kept, context);
  const before = await readShortList({ ...context, run });
  await tryBarcode(
    { ...context, run },
    { backUp: (records) => context.backUp(records, { further: true }), onRow: context.onRow },
  );
  await deletePending({ ...context, run }, { keepParents: false, onRow: context.onRow });
  await readBackDeletions({ ...context, run }, context.onRow, before);
  before?.held.clear();
}

/** Keeps everything that is still to go. The journal knows of the backup before the first is deleted. */
function backUp(
  run: string,
  kept: string | undefined,
  { journal, reporter, ...context }: DeleteContext,
): string {
  const file = context.backUp(imagesOf(journal, run), { further: kept !== undefined });
  noteBackup(journal, run, file);
  reporter.report({ type: 'note', text: `Backup: ${file}` });
  return file;
}

function* imagesOf(journal: Journal, run: string): Generator<RecordImage> {
  for (const { before } of deletions(journal, run, { states: OPEN_DELETIONS })) yield before;
}
