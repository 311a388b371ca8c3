import { UNFINISHED } from '../../registration/model/row-states.ts';
import { countRun } from '../journal/count-run.ts';
import { deletions, lastSeen, type LastSeen } from '../journal/delete-rows.ts';
import { closeRun, isInterrupted } from '../journal/earlier-runs.ts';
import type { Run, RunKind } from '../journal/run.ts';
import { listRuns, takeRun } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { describeCounts } from '../tell/run-words.ts';

/** Deletes, or undos of one run. */
interface Which {
  kind: RunKind;
  undoes?: string | undefined;
}

/** Runs of one kind that were broken off, newest first. */
export const interrupted = (
  { journal, target }: Pick<SendContext, 'journal' | 'target'>,
  { kind, undoes }: Which,
): Run[] => listRuns(journal).filter((run) => isInterrupted(run, target, kind) && run.undoes === undoes);

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
