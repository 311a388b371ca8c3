import type { GuardError } from '../../errors.ts';
import type { SummaryView } from '../../report/views/summary-view.ts';
import type { Allowance } from '../decide/delete-guard.ts';
import type { BackUp } from '../delete/backup.ts';
import type { Reason } from '../../registration/model/row.ts';
import type { IngestContext, IngestOptions } from '../ingest/ingest.ts';
import type { RejectsFile, RejectsWish } from '../ingest/rejects.ts';
import type { Journal } from '../journal/journal.ts';
import type { WorkContext } from '../journal/send-context.ts';
import type { EntryOptions, PlanEntry } from '../plan/plan-entries.ts';
import type { RunPlan } from '../plan/plan-rows.ts';
import type { CompareOptions } from '../plan/rows-to-plan.ts';
import type { PrunePlan } from '../prune/prune-plan.ts';
import type { PushSummary } from '../tell/summary.ts';

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
