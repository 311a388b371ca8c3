import type { ResultCount, Tone } from '../../report/views/run-report.ts';
import { formatCount } from '../../report/words/number.ts';
import { utcMinute } from '../../report/words/time-words.ts';
import { countRun, type Share, shareOf } from '../journal/count-run.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run, RunCounts, RunState } from '../journal/run.ts';
import { otherHolder } from '../journal/runs.ts';

/** A run that says it is at work, but that nobody works on, was killed. */
export function shownState(journal: Journal, run: Run): RunState | 'killed' {
  const active = run.state === 'reading' || run.state === 'sending';
  return active && otherHolder(journal, run) === undefined ? 'killed' : run.state;
}

const STATES: Readonly<Record<string, string>> = {
  planned: 'dry run',
  refused: 'refused: rows have errors',
  nothing: 'nothing to do',
  finished: 'done',
  sending: 'under way',
};

/** A state for people: some have another name in the journal. */
export const stateInWords = (state: string): string => STATES[state] ?? state;

/** `push`, `delete`, or `undo of …`; `of`: what stands before the run that it takes back. */
export const kindOf = ({ kind, undoes }: Run, of = ''): string =>
  undoes === undefined ? kind : `${kind} of ${of}${undoes}`;

/** What a run came to at its end; of one that has none, what it has come to so far. */
export const shownCounts = (journal: Journal, { id, counts }: Run): RunCounts =>
  counts ?? countRun(journal, id);

/** Runs that another one went on from. */
export const goesOnFrom = ({ id }: Run, runs: readonly Run[]): string[] =>
  runs.filter(({ continuedBy }) => continuedBy === id).map((run) => run.id);

/** What else there is to say of a run: why it ended, what it goes on from, what went on from it, what became of it since. */
export function remarksOn(run: Run, runs: readonly Run[], timeOf = utcMinute): string[] {
  const from = goesOnFrom(run, runs);
  return [
    ...(run.message === undefined ? [] : [run.message]),
    ...(from.length === 0 ? [] : [`goes on from ${from.map((id) => `run ${id}`).join(', ')}`]),
    ...(run.continuedBy === undefined ? [] : [`run ${run.continuedBy} went on from it`]),
    ...run.later.map(({ at, text }) => `${timeOf(at)}: ${text}`),
  ];
}

type Words = readonly [name: string, tone: Tone];

/** What the counts mean and how well that is, in the order in which they are told. */
const COUNTED: Readonly<Record<keyof RunCounts, Words>> = {
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

/** What is open in a dry run, by what is to become of it. */
const PLANNED: Readonly<Record<string, Words>> = {
  create: ['to create', 'good'],
  update: ['to update', 'good'],
  unknown: ['to send without comparing', 'good'],
  delete: ['to delete', 'good'],
  undo: ['to bring back', 'good'],
};

/** What rows that count alike came to, or would: as an entry of a table of words. */
export function resultOf(
  row: Pick<Share, 'op' | 'state'> & { plan?: string | undefined },
  { kind }: Pick<Run, 'kind'>,
  isDry: boolean,
): Words {
  const share = shareOf(row, kind === 'undo');
  if (share !== 'open' || !isDry) return COUNTED[share];
  const plan = row.op === 'delete' ? 'delete' : kind === 'undo' ? 'undo' : row.plan;
  return PLANNED[plan ?? 'unknown'] ?? COUNTED.open;
}

/** Rows of a run by what they came to, or would, in words. */
export function countResults(shares: readonly Share[], run: Run, isDry: boolean): ResultCount[] {
  const rows = new Map<Words, number>();
  for (const share of shares) {
    const result = resultOf(share, run, isDry);
    rows.set(result, share.n + (rows.get(result) ?? 0));
  }
  return [...Object.values(PLANNED), ...Object.values(COUNTED)].flatMap((result) => {
    const count = rows.get(result);
    return count === undefined ? [] : [{ name: result[0], tone: result[1], rows: count }];
  });
}

/** What a run did: `5 new, 1 changed, 234 the same`; `nothing` for one without rows. */
export const didIn = (journal: Journal, run: Run): string =>
  describeCounts(shownCounts(journal, run), run.continuedBy === undefined ? {} : LEFT_TO_ANOTHER);

const LEFT_TO_ANOTHER = { open: 'left to the run that went on' };

/** `named`: counts that are called otherwise than usual. */
export function describeCounts(
  counts: RunCounts,
  named: Partial<Record<keyof RunCounts, string>> = {},
): string {
  const parts = (Object.keys(COUNTED) as (keyof RunCounts)[]).flatMap((key) => {
    const [count, [usual]] = [counts[key], COUNTED[key]];
    const words = key === 'values' && count === 1 ? 'value in conflict' : (named[key] ?? usual);
    return count > 0 ? [`${formatCount(count)} ${words}`] : [];
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
