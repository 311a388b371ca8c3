import { IN_DOUBT, UNFINISHED } from '../../registration/model/row-states.ts';
import { countRun } from '../journal/count-run.ts';
import {
  type DeletionContext,
  deletions,
  type DeleteRow,
  lastSeen,
  type LastSeen,
  writeDeletionOutcome,
} from '../journal/delete-rows.ts';
import { closeRun, isInterrupted, revisitRun } from '../journal/earlier-runs.ts';
import type { Run, RunKind } from '../journal/run.ts';
import { listRuns, takeRun } from '../journal/runs.ts';
import type { SendContext, WorkContext } from '../journal/send-context.ts';
import { describeCounts } from '../tell/run-words.ts';

/** Deletes, or undos of one run. */
interface Which {
  kind: RunKind;
  undoes?: string | undefined;
}

/** Whether what was to be deleted is listed by now; undefined where that cannot be said. */
type IsListed = (row: DeleteRow) => boolean | undefined;

/** Runs of one kind that were broken off, newest first. */
export const interrupted = (
  { journal, target }: Pick<SendContext, 'journal' | 'target'>,
  { kind, undoes }: Which,
): Run[] => listRuns(journal).filter((run) => isInterrupted(run, target, kind) && run.undoes === undoes);

/** Settles what broken-off runs were deleting: it is gone, or there still. */
export async function settleDeletions(
  context: Omit<WorkContext, 'run'>,
  runs: readonly Run[],
  isListed: IsListed,
): Promise<void> {
  for (const { id: run } of runs) {
    if (deletions(context.journal, run, IN_DOUBT).length === 0) continue;
    await revisitRun(context, run, () => Promise.resolve(settleDeletionsOf({ ...context, run }, isListed)));
  }
}

/** Settles what one run was deleting. */
export function settleDeletionsOf(context: DeletionContext, isListed: IsListed): void {
  for (const row of deletions(context.journal, context.run, IN_DOUBT)) {
    const isThere = isListed(row);
    if (isThere !== undefined) writeDeletionOutcome(context, row, isThere ? STAYED : GONE, 'looked');
  }
}

const GONE = { state: 'deleted', message: 'is gone: the request that got no answer did it' } as const;
const STAYED = { state: 'postponed', message: 'it is there still; a later run goes on from here' } as const;

/** Closes the broken-off runs of a kind that one goes on from: those of which all that is left to delete is on its list. */
export function closeEarlier({ journal, run, target, clock, reporter }: SendContext, which: Which): void {
  const own = new Set(deletions(journal, run).map(({ id }) => id));
  for (const earlier of interrupted({ journal, target }, which)) {
    const left = deletions(journal, earlier.id, UNFINISHED);
    const isMine = which.kind === 'undo' || (left.length > 0 && left.every(({ id }) => own.has(id)));
    if (earlier.id === run || !isMine || !takeRun(journal, earlier.id)) continue;
    closeRun(journal, earlier, { by: run, now: clock.now() });
    const done = describeCounts(countRun(journal, earlier.id));
    reporter.report({ type: 'note', text: `Going on from run ${earlier.id}: ${done}.` });
  }
}

/** What was asked for and is not listed. */
export interface AbsentNames {
  /** What an earlier run has deleted; by what it was asked for. */
  before: readonly (LastSeen & { name: string })[];
  /** What nobody is known to have deleted: a list may be late, or hold back some. Undefined: no run has ever seen it. */
  unknown: readonly { name: string; seen: LastSeen | undefined }[];
}

/** Tells names that earlier runs have deleted from those of which nobody knows why they are not listed. */
export function sortAbsent({ journal, target }: SendContext, absent: readonly string[]): AbsentNames {
  const all = absent.map((name) => ({ name, seen: lastSeen(journal, target, name) }));
  return {
    before: all.flatMap(({ name, seen }) => (seen?.isGone === 1 ? [{ ...seen, name }] : [])),
    unknown: all.filter(({ seen }) => seen?.isGone !== 1),
  };
}
