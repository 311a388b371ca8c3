import type { ExitCode } from '../../errors.ts';
import { formatPlace } from '../../registration/model/row.ts';
import {
  CARRIED_OUT,
  IN_DOUBT,
  PLANNED_DELETION,
  type RowState,
  SENT,
} from '../../registration/model/row-states.ts';
import type { AuditResult, RowProblem } from '../../report/views/summary-view.ts';
import { place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { Journal } from '../journal/journal.ts';
import { readProblems } from '../tell/problems.ts';
import type { RowOp } from '../journal/run.ts';
import { endExitCode } from '../delete/delete-summary.ts';

const ROW = rowCodec({
  seq: value<number>(),
  place: place(),
  op: value<RowOp>(),
  state: value<RowState>(),
  plan: value<string | undefined>(),
  barcode: value<string | undefined>(),
  persona: value<string | undefined>(),
  registrationId: value<string | undefined>('remote_id'),
  message: value<string | undefined>(),
  unseen: value<string | undefined>(`(SELECT finding.message FROM finding
    WHERE finding.run = row.run AND finding.seq = row.seq AND kind = 'unseen')`),
});
type Row = RowOf<typeof ROW>;

const rowsOf = (journal: Journal, run: string): Row[] =>
  journal.read(ROW, 'FROM row WHERE run = $run ORDER BY seq', { run });

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
  const { state } = ended;
  const counts = { deleted: 0, restored: 0, settled: 0, kept: 0, uncertain: 0, open: 0 };
  for (const row of rowsOf(journal, run)) counts[shareOf(row, state === 'planned')] += 1;
  return {
    ...counts,
    run: state === 'planned' || state === 'nothing' ? undefined : run,
    tooMany: undefined,
    audit: undefined,
    error: undefined,
    flaws: readProblems(journal, run).filter(
      ({ differences = [], state: found }) => differences.length > 0 || FLAWS.has(found),
    ),
    ...ended,
  };
}

const FLAWS: ReadonlySet<RowProblem['state']> = new Set(['gone', 'orphaned', 'unseen', 'lost']);

/** Where a row of an undo counts. */
function shareOf({ op, state }: Row, dry: boolean) {
  if (state === 'pending') return dry ? (op === 'delete' ? 'deleted' : 'restored') : 'open';
  if (state === 'deleted') return 'deleted';
  if (SENT.has(state)) return 'restored';
  if (state === 'unchanged') return 'settled';
  return IN_DOUBT.has(state) ? 'uncertain' : 'kept';
}

/** The exit code that tells a script what happened; the worst finding wins. */
export const undoExitCode = (summary: UndoSummary): ExitCode =>
  endExitCode(summary, summary.kept > 0 || summary.flaws.length > 0);

/** One line of the three lists. */
interface UndoEntry {
  /** What became of one registration. In a dry run `delete` and `restore` say what would. */
  result: 'deleted' | 'restored' | 'delete' | 'restore' | 'kept' | 'uncertain';
  /** Where its row stands in the files of the run that was undone; undefined when none stands for it. */
  place: string | undefined;
  barcode: string | undefined;
  persona: string | undefined;
  registrationId: string | undefined;
  /** Why it is kept, or what else there is to say. */
  why: string | undefined;
}

const LISTS: readonly ((row: Row) => boolean)[] = [
  ({ op, state }) => op === 'delete' && PLANNED_DELETION.has(state),
  ({ op, state }) => op === 'send' && (SENT.has(state) || state === 'pending'),
  ({ state }) => !CARRIED_OUT.has(state) && state !== 'pending',
];

/** The three lists of an undo, one after the other: deleted, restored, kept; each in the order of the files. */
export function undoEntries(journal: Journal, run: string, { dry }: { dry: boolean }): UndoEntry[] {
  const rows = rowsOf(journal, run);
  return LISTS.flatMap((isOn) => rows.filter(isOn).map((row) => toEntry(row, dry)));
}

function toEntry(row: Row, dry: boolean): UndoEntry {
  const result = resultOf(row, dry);
  return {
    result,
    place: row.place.file === '' ? undefined : formatPlace(row.place),
    barcode: row.barcode,
    persona: row.persona,
    registrationId: row.registrationId,
    why: whyOf(row, result),
  };
}

function whyOf({ state, plan, message, unseen }: Row, result: UndoEntry['result']): string | undefined {
  if (result === 'kept') return message ?? (state === 'pending' ? 'not tried any more' : undefined);
  if (result === 'uncertain') return message;
  if (plan === 'create' && result === 'restored') return 'created again';
  return result === 'restored' || result === 'restore' ? unseen : undefined;
}

function resultOf(row: Row, dry: boolean): UndoEntry['result'] {
  const share = shareOf(row, dry);
  if (dry && share === 'deleted') return 'delete';
  if (dry && share === 'restored') return 'restore';
  return share === 'settled' || share === 'open' ? 'kept' : share;
}
