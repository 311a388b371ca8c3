import { countWords } from '../words/number.ts';
import { type PlanEntryView, shownAction, type ShownAction } from '../views/plan-view.ts';

/** Entries of a plan, by what is shown to become of them. */
export type PlanTally = Record<ShownAction | 'unchanged', number>;

const WORDS: Readonly<Record<keyof PlanTally, string>> = {
  create: 'to create',
  update: 'to update',
  unknown: 'to send without comparing',
  delete: 'to delete',
  kept: 'kept as changed in the service',
  conflict: 'in conflict',
  uncertain: 'uncertain',
  unchanged: 'unchanged',
};

export function emptyTally(): PlanTally {
  return { create: 0, update: 0, unknown: 0, delete: 0, kept: 0, conflict: 0, uncertain: 0, unchanged: 0 };
}

/** Counts one entry; what has been carried out is no part of what is planned. */
export function tallyEntry(tally: PlanTally, entry: PlanEntryView): void {
  tally[shownAction(entry) ?? 'unchanged'] += 1;
}

/** `3 to create, 2 to update, 5 unchanged`; `nothing` where all are none. */
export function formatTally(tally: PlanTally): string {
  const kinds = Object.entries(WORDS) as [keyof PlanTally, string][];
  return countWords(kinds.map(([kind, words]) => [tally[kind], words])) || 'nothing';
}
