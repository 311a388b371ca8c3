import type { Tone } from '../../report/views/run-report.ts';
import { formatCount } from '../../report/words/number.ts';
import { countRun } from '../journal/count-run.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run, RunCounts, RunState } from '../journal/run.ts';
import { listRuns, otherHolder } from '../journal/runs.ts';

/** A run that says it is at work, but that nobody works on, was killed. */
export function shownState(journal: Journal, run: Run): RunState | 'killed' {
  const active = run.state === 'reading' || run.state === 'sending';
  return active && otherHolder(journal, run) === undefined ? 'killed' : run.state;
}

/** `push`, `delete`, or `undo of …`; `of`: what stands before the run that it takes back. */
export const kindOf = ({ kind, undoes }: Run, of = ''): string =>
  undoes === undefined ? kind : `${kind} of ${of}${undoes}`;

/** What a run came to at its end; of one that has none, what it has come to so far. */
export const shownCounts = (journal: Journal, { id, counts }: Run): RunCounts =>
  counts ?? countRun(journal, id);

/** `5 new, 1 changed, 234 the same` */
export const didIn = (journal: Journal, run: Run): string => describeCounts(shownCounts(journal, run));

/** Runs that another one went on from. */
export const goesOnFrom = (journal: Journal, { id }: Run): string[] =>
  listRuns(journal).flatMap((run) => (run.continuedBy === id ? [run.id] : []));

/** What else there is to say of a run: why it ended, what it goes on from, what went on from it. */
export function remarksOn(run: Run, from: readonly string[]): string[] {
  return [
    ...(run.message === undefined ? [] : [run.message]),
    ...(from.length === 0 ? [] : [`goes on from ${from.map((id) => `run ${id}`).join(', ')}`]),
    ...(run.continuedBy === undefined ? [] : [`run ${run.continuedBy} went on from it`]),
  ];
}

/** What became of it after its end. */
export const sinceThen = ({ later }: Run): string[] =>
  later.map(({ at, text }) => `${shortTime(at)}: ${text}`);

/** For people: `2027-03-01 08:15`, in UTC as everywhere. */
export const shortTime = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** What the counts mean and how well that is, in the order in which they are told. */
export const COUNTED: Readonly<Record<keyof RunCounts, readonly [words: string, tone: Tone]>> = {
  new: ['new', 'good'],
  changed: ['changed', 'good'],
  sent: ['sent, not compared', 'good'],
  deleted: ['deleted', 'good'],
  restored: ['brought back', 'good'],
  unchanged: ['the same', 'same'],
  kept: ['kept as edited in the service', 'same'],
  left: ['left alone', 'open'],
  rejected: ['rejected', 'bad'],
  failed: ['refused by the service', 'bad'],
  conflict: ['in conflict', 'bad'],
  values: ['values in conflict', 'bad'],
  blocked: ['not sent because of their parent', 'open'],
  postponed: ['held back until more is known of the service', 'open'],
  uncertain: ['not known whether they arrived', 'doubt'],
  open: ['still to do', 'open'],
};

/** `5 new, 1 changed, 234 the same`; `nothing` for a run without rows. */
export function describeCounts(counts: RunCounts): string {
  const parts = Object.entries(COUNTED).flatMap(([key, [words]]) => {
    const count = counts[key as keyof RunCounts];
    const isOneValue = key === 'values' && count === 1;
    return count > 0 ? [`${formatCount(count)} ${isOneValue ? 'value in conflict' : words}`] : [];
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
