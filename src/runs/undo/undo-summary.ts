import { endExitCode } from '../delete/delete-summary.ts';
import { IN_DOUBT, type RowState, SENT } from '../../registration/model/row-states.ts';
import type { ExitCode } from '../../errors.ts';
import type { AuditResult, RowProblem } from '../../report/views/summary-view.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { RowOp } from '../../sync/journal/run.ts';
import { readProblems } from '../../sync/tell/problems.ts';

/** How an undo ended, as data. */
export interface UndoSummary {
  /** `nothing`: there was nothing to do. */
  state: 'planned' | 'nothing' | 'finished' | 'stopped' | 'interrupted';
  /** The run of the undo; undefined when there is none. */
  run: string | undefined;
  /** The run that is undone. */
  undone: string;
  /** In a dry run, what would be. */
  deleted: number;
  restored: number;
  /** There was nothing left to undo of these: they are gone, or as they were. */
  settled: number;
  /** Left alone, or not brought back. */
  kept: number;
  uncertain: number;
  /** Not tried any more. */
  open: number;
  tooMany: string | undefined;
  audit: AuditResult | undefined;
  /** What reading back has found otherwise than it was to be left. */
  flaws: readonly RowProblem[];
  error: Error | undefined;
}

type Ended = Pick<UndoSummary, 'state' | 'undone'> &
  Partial<Pick<UndoSummary, 'tooMany' | 'audit' | 'error'>>;

/** Counts what an undo came to. */
export function summariseUndo(journal: Journal, run: string, ended: Ended): UndoSummary {
  const counts = { deleted: 0, restored: 0, settled: 0, kept: 0, uncertain: 0, open: 0 };
  const rows = journal.all<{ op: RowOp; state: RowState; n: number }>(
    'SELECT op, state, count(*) AS n FROM row WHERE run = $run GROUP BY op, state',
    { run },
  );
  const dry = ended.state === 'planned';
  for (const { op, state, n } of rows) counts[shareOf(op, state, dry)] += n;
  const real = ended.state !== 'planned' && ended.state !== 'nothing';
  return {
    ...counts,
    run: real ? run : undefined,
    tooMany: undefined,
    audit: undefined,
    error: undefined,
    flaws: readProblems(journal, run).filter(isFlaw),
    ...ended,
  };
}

const isFlaw = ({ differences = [], state }: RowProblem): boolean =>
  differences.length > 0 || FLAWS.has(state);

const FLAWS: ReadonlySet<RowProblem['state']> = new Set(['gone', 'orphaned', 'unseen', 'lost']);

type UndoShare = 'deleted' | 'restored' | 'settled' | 'kept' | 'uncertain' | 'open';

/** Where a row of an undo counts. */
export function shareOf(op: RowOp, state: RowState, dry: boolean): UndoShare {
  if (state === 'pending') return dry ? (op === 'delete' ? 'deleted' : 'restored') : 'open';
  if (state === 'deleted') return 'deleted';
  if (SENT.has(state)) return 'restored';
  if (state === 'unchanged') return 'settled';
  return IN_DOUBT.has(state) ? 'uncertain' : 'kept';
}

/** The exit code that tells a script what happened; the worst finding wins. */
export const undoExitCode = (summary: UndoSummary): ExitCode =>
  endExitCode(summary, summary.kept > 0 || summary.flaws.length > 0);
