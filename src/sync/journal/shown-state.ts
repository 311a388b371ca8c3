import { countRun, describeCounts } from './count-run.ts';
import type { Run, RunCounts, RunState } from './run.ts';
import type { Journal } from './journal.ts';
import { otherHolder } from './runs.ts';

/** A run that says it is at work, but that nobody works on, was killed. */
export function shownState(journal: Journal, run: Run): RunState | 'killed' {
  const active = run.state === 'reading' || run.state === 'sending';
  return active && otherHolder(journal, run) === undefined ? 'killed' : run.state;
}

/** What a run came to at its end; of one that has none, what it has come to so far. */
export const shownCounts = (journal: Journal, { id, counts }: Run): RunCounts =>
  counts ?? countRun(journal, id);

/** `5 new, 1 changed, 234 the same` */
export const didIn = (journal: Journal, run: Run): string => describeCounts(shownCounts(journal, run));

/** What else there is to say of a run: why it ended, what it goes on from, what went on from it. */
export function remarksOn(run: Run, from: readonly string[]): string[] {
  return [
    ...(run.message === undefined ? [] : [run.message]),
    ...(from.length === 0 ? [] : [`goes on from ${from.map((id) => `run ${id}`).join(', ')}`]),
    ...(run.continuedBy === undefined ? [] : [`run ${run.continuedBy} went on from it`]),
  ];
}

/** For people: `2027-03-01 08:15`, in UTC as everywhere. */
export const shortTime = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
