import type { ExitCode } from '../../errors.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { IN_DOUBT, SENT } from '../../registration/model/row-states.ts';
import type { AuditResult, RowProblem } from '../../report/views/summary-view.ts';
import type { Journal } from '../journal/journal.ts';
import { backupsOf } from '../journal/runs.ts';
import { type ToldRow, toldRows } from '../journal/told-rows.ts';
import { readProblems } from '../tell/problems.ts';
import { exitCodeOf } from '../tell/summary.ts';

/** How a delete or an undo ended, as data. */
export interface RemovalSummary {
  /** `planned`: a dry run, in which nothing was done. `nothing`: there was nothing to do. */
  state: 'planned' | 'nothing' | 'finished' | 'stopped' | 'interrupted';
  /** Undefined where no run was begun. */
  run: string | undefined;
  /** In a dry run, what would be. */
  deleted: number;
  restored: number;
  /** There was nothing left to do: they are gone, or as they were. */
  settled: number;
  /** Left alone, refused, or not brought back. */
  kept: number;
  uncertain: number;
  /** Not tried any more. */
  open: number;
  /** Where the deleted registrations are kept. */
  backup: string | undefined;
  /** Why a real run would refuse; only in a dry run. */
  tooMany?: string | undefined;
  audit?: AuditResult | undefined;
  /** What is otherwise than it was to be left, also of registrations that nothing was asked for. */
  flaws: readonly RowProblem[];
  /** What stopped it, if anything did. */
  error?: Error | undefined;
}

/** Counts what a delete or an undo came to, with what an interrupted command of the same wish has done of it. */
export function summariseRemoval(
  journal: Journal,
  run: string,
  ended: Pick<RemovalSummary, 'state' | 'tooMany' | 'audit' | 'error'>,
): RemovalSummary {
  const isDry = ended.state === 'planned';
  const counts = { deleted: 0, restored: 0, settled: 0, kept: 0, uncertain: 0, open: 0 };
  for (const row of toldRows(journal, run)) {
    const result = resultOf(row, isDry);
    counts[result === 'delete' ? 'deleted' : result === 'restore' ? 'restored' : result] += 1;
  }
  const isRun = !isDry && ended.state !== 'nothing';
  return {
    ...counts,
    run: isRun ? run : undefined,
    backup: isRun ? backupsOf(journal, run)[0] : undefined,
    flaws: flawsOf(journal, run),
    ...ended,
  };
}

/** What a run has left otherwise than it was to be left. */
export const flawsOf = (journal: Journal, run: string): RowProblem[] =>
  readProblems(journal, run).filter(
    ({ differences = [], state }) => differences.length > 0 || FLAWS.has(state),
  );

const FLAWS: ReadonlySet<RowProblem['state']> = new Set(['gone', 'orphaned', 'unseen', 'lost']);

/** What became of a row; in a dry run what would. */
function resultOf({ op, state }: ToldRow, isDry: boolean): RemovalEntry['result'] {
  if (state === 'pending') return isDry ? (op === 'delete' ? 'delete' : 'restore') : 'open';
  if (state === 'deleted') return 'deleted';
  if (SENT.has(state)) return 'restored';
  if (state === 'unchanged') return 'settled';
  return IN_DOUBT.has(state) ? 'uncertain' : 'kept';
}

/** The exit code that tells a script what happened; the worst finding wins. `isShort`: not all came to what was asked for. */
export const removalExitCode = (summary: RemovalSummary, isShort: boolean): ExitCode =>
  exitCodeOf(summary, isShort || summary.flaws.length > 0 || summary.audit?.skipped !== undefined);

/** What became of one registration. In a dry run `delete` and `restore` say what would. */
export interface RemovalEntry {
  result: 'deleted' | 'restored' | 'delete' | 'restore' | 'settled' | 'kept' | 'uncertain' | 'open';
  /** Where its row stands in the files of the run that was undone; undefined when none stands for it. */
  place: string | undefined;
  barcode: string | undefined;
  persona: string | undefined;
  registrationId: string | undefined;
  /** Why it is kept, or what else there is to say. */
  why: string | undefined;
}

const LISTS: readonly (readonly RemovalEntry['result'][])[] = [
  ['deleted', 'delete'],
  ['restored', 'restore'],
  ['settled', 'kept', 'uncertain', 'open'],
];

/** Three lists, one after the other: deleted, restored, the others; each in the order of the files. */
export function removalEntries(journal: Journal, run: string, isDry: boolean): RemovalEntry[] {
  const entries = [...toldRows(journal, run)].map((row): RemovalEntry => {
    const { barcode, persona, remoteId: registrationId } = row;
    const result = resultOf(row, isDry);
    const place = row.place.file === '' ? undefined : formatPlace(row.place);
    return { result, place, barcode, persona, registrationId, why: whyOf(row, result) };
  });
  const lists = LISTS.map((results) => entries.filter(({ result }) => results.includes(result)));
  return lists.flat();
}

function whyOf({ plan, message, findings }: ToldRow, result: RemovalEntry['result']): string | undefined {
  if (result === 'deleted' || result === 'delete') return undefined;
  if (result !== 'restored' && result !== 'restore')
    return message ?? (result === 'open' ? 'not tried any more' : undefined);
  const unseen = findings.find(({ kind }) => kind === 'unseen')?.message;
  return unseen ?? (plan === 'create' && result === 'restored' ? 'created again' : undefined);
}
