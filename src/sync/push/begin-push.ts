import { GuardError } from '../../errors.ts';
import type { Reason } from '../../registration/model/row.ts';
import type { SummaryView } from '../../report/views/summary-view.ts';
import { plural } from '../../report/words/number.ts';
import { utcTime } from '../../report/words/time-words.ts';
import type { Allowance } from '../decide/delete-guard.ts';
import type { BackUp } from '../delete/backup.ts';
import type { IngestContext, IngestOptions } from '../ingest/ingest.ts';
import type { RejectsFile, RejectsWish } from '../ingest/rejects.ts';
import { addDeletions } from '../journal/delete-rows.ts';
import {
  barcodesToDelete,
  closeRun,
  contentsOf,
  isInterrupted,
  rowKeysOf,
  sentSince,
} from '../journal/earlier-runs.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import {
  beginRun,
  heldBy,
  listRuns,
  refuseIfBusy,
  runsAtWork,
  takeRun,
  type Target,
} from '../journal/runs.ts';
import type { WorkContext } from '../journal/send-context.ts';
import type { EntryOptions, PlanEntry } from '../plan/plan-entries.ts';
import type { RunPlan } from '../plan/plan-rows.ts';
import type { CompareOptions, RowsToPlan } from '../plan/rows-to-plan.ts';
import { writeBases, writePlan } from '../plan/write-plan.ts';
import type { PrunePlan } from '../prune/prune-plan.ts';
import type { PushSummary } from '../tell/summary.ts';

/** A run that has begun, and the interrupted ones that it goes on from, newest first. */
export interface BegunRun {
  run: string;
  from: readonly string[];
}

interface BeginFacts extends MadePlan {
  rows: RowsToPlan;
  startedAt: number;
  /** The last step of the journal before the service was read. */
  step: number;
}

/** Begins the run of a plan. Throws GuardError when another process sends some of its rows, or has since the plan. */
export function beginPush(
  context: PushContext,
  { rows, plan, prune, startedAt, step }: BeginFacts,
): BegunRun {
  const { journal, target, clock, self, event } = context;
  const start = { kind: 'push', target, files: rows.files, event, state: 'sending' } as const;
  let begun: string | undefined;
  const begin = (): BegunRun => {
    refuseIfShared(journal, target, rows);
    refuseIfSent(journal, target, rows, step);
    const run = beginRun(journal, start, startedAt, self);
    begun = run;
    const closed = closeInterrupted(journal, target, { rows, by: run, now: clock.now() });
    const from = closed.map(({ id }) => id);
    writePlan({ ...context, run }, { rows, plan });
    writeBases(context, { rows, plan });
    if (prune !== undefined) {
      addDeletions(journal, run, prune.going);
      refuseIfBusy(journal, target, run);
    }
    return { run, from };
  };
  try {
    return journal.transaction(begin);
  } catch (error) {
    if (begun !== undefined) journal.locks.forget(begun);
    throw error;
  }
}

/** Rows that another process is about to send, in a run of other files, are not sent by this one too. */
export function refuseIfShared(journal: Journal, target: Target, { sendable }: RowsToPlan): void {
  for (const { run, holder } of runsAtWork(journal, target)) {
    const keys = rowKeysOf(journal, run.id);
    const barcodes = new Set(barcodesToDelete(journal, run.id));
    const shared = sendable.filter(({ key, barcode }) => keys.has(key ?? '') || barcodes.has(barcode ?? ''));
    if (shared.length === 0) continue;
    const also = `${plural(shared.length, 'row is', 'rows are')} also being sent`;
    const when = `, started ${utcTime(holder.startedAt)}, at it since ${utcTime(holder.since)} UTC`;
    throw heldBy(also, holder, { run: run.id, when });
  }
}

/** What another process has sent while this one was planning is not as it was planned. */
function refuseIfSent(journal: Journal, target: Target, { sendable }: RowsToPlan, step: number): void {
  for (const [run, keys] of sentSince(journal, target, step)) {
    const shared = sendable.filter(({ key }) => keys.has(key ?? '')).length;
    if (shared === 0) continue;
    const some = plural(shared, 'row was', 'rows were');
    const text = `${some} sent by run ${run} while this push was planned. Nothing was sent.`;
    throw new GuardError('busy', text, { hint: 'Run the same command again.' });
  }
}

/**
 * Closes interrupted pushes that a new one goes on from: those of the same file, and of the same list by another name,
 * with all that they left open. What they are in doubt about was settled, or stays theirs. Returns them, newest first.
 */
function closeInterrupted(
  journal: Journal,
  target: Target,
  { rows, by, now }: { rows: RowsToPlan; by: string; now: number },
): Run[] {
  // What comes from standard input has no name that says whether it is the same list.
  const files = new Set(rows.files.filter((file) => file !== '-'));
  const keys = new Set(rows.sendable.map(({ key }) => key));
  let contents: ReadonlySet<string> | undefined;
  const isGoneOnFrom = (run: Run): boolean => {
    if (run.id === by || !isInterrupted(run, target)) return false;
    if (run.files.some((file) => files.has(file))) return true;
    const before = contentsOf(journal, run.id);
    const known = before.filter(({ key }) => keys.has(key));
    const open = before.filter(({ isOpen }) => isOpen === 1);
    if (open.length === 0 || !open.every(({ key }) => keys.has(key))) return false;
    contents ??= new Set(rows.contents());
    // Of another list about the same people more is otherwise.
    return 2 * known.filter(({ content }) => contents?.has(content)).length >= known.length;
  };
  const closed = listRuns(journal).filter(
    (run) => isGoneOnFrom(run) && !journal.locks.isOwn(run.id) && takeRun(journal, run.id),
  );
  for (const run of closed) closeRun(journal, run, { by, now });
  return closed;
}

export interface PushOptions extends Omit<IngestOptions, 'keepsCells'>, RejectsWish, CompareOptions {
  dryRun: boolean;
  /** What the service holds already is sent once more; with `only`. */
  again: boolean;
  /** A saved plan is carried out. */
  planned: boolean;
  /** Delete what the file no longer has, within this allowance; undefined: do not. */
  prune: Allowance | undefined;
  /** Read back at the end what was sent. */
  audit: boolean;
}

/** Whether there is to be said who is no longer in the files: they stay, unless `prune` deletes them. */
export const tellsOfNoLonger = ({ prune, only }: Pick<PushOptions, 'prune' | 'only'>): boolean =>
  prune === undefined && only === undefined;

/** What push works with. */
export interface PushContext extends WorkContext, Pick<IngestContext, 'masks' | 'askSamePerson'> {
  /** Shown the plan before anything is sent; what it throws stops the run. */
  onPlan: (plan: ShownPlan) => Promise<void>;
  backUp: BackUp;
  /** Told at the end, while the rows of the run are in that journal: that of this machine once it has begun. */
  onEnd?: (journal: Journal, run: string, summary: PushSummary) => Promise<void>;
  /** Asks what is to become of rows that cannot be sent; undefined: `invalid` says it. */
  whatNow?: ((wrong: WrongRows) => Promise<WhatNow>) | undefined;
}

/** What is to become of the rows of a push, and what it deletes. */
export interface MadePlan {
  plan: RunPlan;
  /** Undefined: nothing is to be deleted. */
  prune: PrunePlan | undefined;
  /** A guard that lets none of it be sent. */
  refused: GuardError | undefined;
}

/** A plan as it can be shown, saved, and held against an earlier one. */
export interface ShownPlan {
  /** A guard lets none of it be sent: it can be shown, and not be saved. */
  isRefused: boolean;
  /** The same rows, whatever their order, have the same. */
  contentKey: string;
  /** In the order of the files, then what is to be deleted; may be read more than once. */
  entries: (which: EntryOptions) => Iterable<PlanEntry>;
  /** Tells whether runs of this machine have done since a time, in milliseconds since 1970, what an entry says. */
  doneSince: (since: number) => (entry: PlanEntry) => boolean;
}

/** What is known of a push before anything is sent. */
export interface Begun {
  startedAt: number;
  repairs: SummaryView['repairs'];
  leftOut: SummaryView['leftOut'];
  leftOutBy: SummaryView['leftOutBy'];
}

/** Rows that cannot be sent, and those that can. */
export interface WrongRows {
  rejected: number;
  left: number;
  reasons: readonly Reason[];
}

/** What the person wants where rows cannot be sent. */
export type WhatNow =
  | { do: 'stop' }
  /** Leave them out, as `--invalid skip`; and write them to a file, too. */
  | { do: 'send'; rejects?: RejectsFile }
  /** Write them to a file, and send nothing. */
  | { do: 'write'; rejects: RejectsFile };
