import { IN_DOUBT, OPEN, TRIED_AGAIN } from '../../registration/model/row-states.ts';
import { existsSync } from 'node:fs';
import type { RecordImage } from '../../registration/model/registration.ts';
import type { ClaimedDelete } from './delete-claim.ts';
import { deletePending } from './delete-pending.ts';
import { readBackDeletions } from './delete-read-back.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import { type DeleteRow, deletions, imagesOf } from '../../sync/journal/delete-rows.ts';
import { tryBarcode } from './delete-trial.ts';
import { readFindings } from '../../sync/journal/findings.ts';
import { leftOfPersona } from './left-of-persona.ts';
import { membersOf } from './members.ts';
import { readShortList } from '../../sync/snapshot/read-now.ts';
import { readProblems } from '../../sync/tell/problems.ts';
import type { DeleteContext, DeleteFacts } from './delete-context.ts';
import type { DeleteSummary } from './delete-summary.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { endWork, whatStopped } from '../../sync/perform/stop-rules.ts';
import { backupsOf, noteBackup, noteDeletion } from '../../sync/journal/runs.ts';

interface CarriedOut extends Pick<DeleteFacts, 'gone' | 'unknown' | 'earlier'> {
  /** All of it were to go. */
  persona: string | undefined;
}

/** Backs up and deletes what a claimed run has on its list, to the end or until something stops it. */
export async function carryOutDelete(
  { id: run, settled, changed }: ClaimedDelete,
  { gone, unknown, earlier, persona }: CarriedOut,
  context: DeleteContext,
): Promise<DeleteSummary> {
  const { journal } = context;
  context.reporter.report({ type: 'run', run });
  for (const { row, outcome } of settled) await context.onRow(row, outcome);
  const now = settled.filter(({ outcome }) => outcome.state === 'deleted').length;
  const before = countIn(journal, run, ['deleted'], 'delete') - now;
  const progress: Progress = { backup: undefined, unseen: 0 };
  const working = async (): Promise<void> => {
    await work(run, changed > 0, progress, context);
    const known = earlier?.open === true ? earlier.came : 0;
    if (persona !== undefined) progress.unseen = await leftOfPersona({ ...context, run }, { persona, known });
  };
  const error = await whatStopped(working());
  const open = countIn(journal, run, OPEN, 'delete');
  const state = endWork({ ...context, run }, { error, isLeft: open > 0 });
  return {
    state,
    run,
    // Reading back may tell that even earlier ones are still there.
    deleted: Math.max(0, countIn(journal, run, ['deleted'], 'delete') - before),
    left: countIn(journal, run, [...OPEN, ...TRIED_AGAIN, 'unchanged'], 'delete') + progress.unseen,
    uncertain: countIn(journal, run, IN_DOUBT, 'delete'),
    gone,
    absent: unknown.length,
    backup: progress.backup,
    error,
    flaws: readProblems(journal, run).filter(({ state: found }) => found === 'gone' || found === 'orphaned'),
  };
}

interface Progress {
  backup: string | undefined;
  /** Of the persona whose registrations were all to go, how many are there although they were not chosen. */
  unseen: number;
}

async function work(
  run: string,
  changed: boolean,
  progress: Progress,
  context: DeleteContext,
): Promise<void> {
  const { journal } = context;
  const [kept] = backupsOf(journal, run);
  if (countIn(journal, run, OPEN, 'delete') === 0) {
    progress.backup = kept;
    return;
  }
  const before = await readShortList({ ...context, run });
  const members = before?.how === 'list' ? membersOf(before, openNames(journal, run)) : [];
  const isKept = kept !== undefined && !changed && members.length === 0 && existsSync(kept);
  progress.backup = isKept ? kept : backUp(run, { kept, members }, context);
  await tryBarcode(
    { ...context, run },
    { backUp: (records) => context.backUp(records, { further: true }), onRow: context.onRow },
  );
  await deletePending({ ...context, run }, { keepParents: false, onRow: context.onRow });
  await readBackDeletions({ ...context, run }, { onRow: context.onRow, before });
  noteGone(run, members, context);
}

/** Pushing the backup adds those again that went with their parent: it was this run that has deleted them. */
function noteGone(run: string, members: readonly RecordImage[], { journal, target }: DeleteContext): void {
  const gone = readFindings(journal, run).filter(({ kind }) => kind === 'gone');
  for (const { id, barcode } of members) {
    const isGone = gone.some((one) => one.id === id && one.barcode === barcode);
    if (isGone) noteDeletion(journal, target.service, { id, barcode }, 'deleted');
  }
}

/** Keeps everything that is still to go, or may go with it. The journal knows of the backup before the first is deleted. */
function backUp(
  run: string,
  { kept, members }: { kept: string | undefined; members: readonly RecordImage[] },
  { journal, reporter, ...context }: DeleteContext,
): string {
  const file = context.backUp(backupOf(journal, run, members), { further: kept !== undefined });
  noteBackup(journal, run, file);
  reporter.report({ type: 'note', text: `Backup: ${file}` });
  return file;
}

function* backupOf(journal: Journal, run: string, members: readonly RecordImage[]): Generator<RecordImage> {
  yield* imagesOf(journal, run, OPEN);
  yield* members;
}

const openNames = (journal: Journal, run: string): Pick<DeleteRow, 'id' | 'barcode'>[] =>
  [...deletions(journal, run, { states: OPEN })].map(({ id, barcode }) => ({ id, barcode }));
