import { IN_DOUBT, OPEN, type RowState, TRIED_AGAIN } from '../../registration/model/row-states.ts';
import { deletions } from '../journal/delete-rows.ts';
import type { Journal } from '../journal/journal.ts';
import { readProblems } from '../tell/problems.ts';
import { backupsOf } from '../journal/runs.ts';
import type { DeleteFacts } from './tell-findings.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';
import { EventregError, EXIT, type ExitCode } from '../../errors.ts';

/** How a delete ended, as data. */
export interface DeleteSummary {
  /** `planned`: a dry run, in which nothing was deleted. */
  state: 'planned' | 'finished' | 'stopped' | 'interrupted';
  /** The run that did it; undefined in a dry run. */
  run: string | undefined;
  /** Deleted by this command; in a dry run, what would be. */
  deleted: number;
  /** Of what was to be deleted: refused, in doubt, not there, not tried, or listed only afterwards. */
  left: number;
  /** Of those, in doubt. */
  uncertain: number;
  /** Of what was asked for, deleted by earlier commands. */
  gone: number;
  /** Ids and barcodes that no registration has. */
  absent: number;
  /** Where the deleted registrations are kept. */
  backup: string | undefined;
  /** Why a real run would refuse; only in a dry run. */
  tooMany?: string | undefined;
  /** Registrations that are gone, or have lost their parent, though nothing asked for that. */
  flaws?: readonly RowProblem[];
  /** What stopped it, if anything did. */
  error?: Error | undefined;
}

/** What a delete came to; `done`: of the run that has done it. */
export function summariseDelete(
  { wanted, before, unknown, earlier }: DeleteFacts,
  done?: { journal: Journal; run: string; unseen: number },
): Omit<DeleteSummary, 'state'> {
  const rows = done === undefined ? [] : deletions(done.journal, done.run);
  const count = (states: ReadonlySet<RowState>): number =>
    rows.filter(({ state }) => states.has(state)).length;
  const earlierDone = earlier?.open === true ? earlier.deleted : 0;
  const flaws = done === undefined ? [] : readProblems(done.journal, done.run);
  return {
    run: done?.run,
    // Reading back may tell that even earlier ones are still there.
    deleted: Math.max(0, count(new Set(['deleted'])) - earlierDone),
    left: count(LEFT) + (done?.unseen ?? 0),
    uncertain: count(IN_DOUBT),
    gone: wanted.persona === undefined ? before.length : (earlier?.deleted ?? 0),
    absent: unknown.length,
    backup: done && backupsOf(done.journal, done.run)[0],
    flaws: flaws.filter(({ state }) => state === 'gone' || state === 'orphaned'),
  };
}

const LEFT: ReadonlySet<RowState> = new Set([...OPEN, ...TRIED_AGAIN, 'unchanged', 'conflict']);

/** The exit code that tells a script what happened; the worst finding wins. */
export function deleteExitCode(summary: DeleteSummary): ExitCode {
  const { left, absent, flaws = [] } = summary;
  return endExitCode(summary, left > 0 || absent > 0 || flaws.length > 0);
}

/** The same for a run of any kind; `isShort`: not all came to what was asked for. */
export function endExitCode(
  { state, uncertain, error }: { state: string; uncertain: number; error?: Error | undefined },
  isShort: boolean,
): ExitCode {
  if (state === 'interrupted') return EXIT.interrupted;
  if (error !== undefined) return error instanceof EventregError ? error.exitCode : EXIT.failed;
  if (uncertain > 0) return EXIT.uncertain;
  return isShort ? EXIT.rejected : EXIT.done;
}
