import { IN_DOUBT, type RowState } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import { countRun } from '../../sync/journal/count-run.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Holder, Run } from '../../sync/journal/run.ts';
import { holderOf, noteLater, type ProcessFacts } from '../../sync/journal/runs.ts';

/** What became of the uncertain rows of one run. */
export interface ResumedRun {
  run: string;
  files: readonly string[];
  /** Who works on the run, so that nothing was done. */
  holder: Holder | undefined;
  /** Rows that were uncertain. */
  rows: number;
  /** Of them: found in the service as sent, sent once more, still uncertain, … */
  found: number;
  sent: number;
  uncertain: number;
  conflict: number;
  failed: number;
  deleted: number;
  /** Proven not to be there, and not sent now: the next push of their file does. */
  waiting: number;
}

/** The result for a run of which nothing was done. */
export const nothingDone = ({ id, files }: Run): ResumedRun => ({
  run: id,
  files,
  holder: undefined,
  rows: 0,
  found: 0,
  sent: 0,
  uncertain: 0,
  conflict: 0,
  failed: 0,
  deleted: 0,
  waiting: 0,
});

/** What became of the rows of a run that were in doubt; `sent` are those that got through now. */
export function countResumed(
  journal: Journal,
  run: Run,
  seqs: readonly number[],
  sent: ReadonlySet<number>,
): ResumedRun {
  const result = { ...nothingDone(run), rows: seqs.length, sent: sent.size };
  const states = journal.all<{ seq: number; state: RowState }>(
    'SELECT seq, state FROM row WHERE run = $run AND seq IN (SELECT value FROM json_each($seqs))',
    { run: run.id, seqs: JSON.stringify(seqs) },
  );
  for (const { seq, state } of states) {
    if (state === 'conflict' || state === 'failed' || state === 'deleted') result[state] += 1;
    else if (IN_DOUBT.has(state)) result.uncertain += 1;
    else if (state === 'pending') result.waiting += 1;
    else if (!sent.has(seq)) result.found += 1;
  }
  return result;
}

/**
 * Notes who settles the doubts of a run, which is locked for that. What it was sending is in doubt: the process
 * that did is no more. Its state stays, and what it came to at its end.
 */
export function takeUp(journal: Journal, run: string, self: ProcessFacts, now: number): void {
  journal.transaction(() => {
    journal.run(`UPDATE row SET state = 'uncertain' WHERE run = $id AND op = 'send' AND state = 'sending'`, {
      id: run,
    });
    journal.run('UPDATE run SET holder = $holder, counts = coalesce(counts, $counts) WHERE id = $id', {
      id: run,
      holder: JSON.stringify(holderOf(self, now)),
      counts: JSON.stringify(countRun(journal, run)),
    });
  });
}

/** Lets go of a run whose doubts were looked into, with a line on what became of them. */
export function giveBack(journal: Journal, settled: ResumedRun, now: number): void {
  const { run } = settled;
  journal.run(
    `UPDATE run SET holder = NULL, ended_at = coalesce(ended_at, $now),
       state = CASE state WHEN 'sending' THEN 'interrupted' ELSE state END WHERE id = $id`,
    { id: run, now },
  );
  if (settled.uncertain < settled.rows) noteLater(journal, run, { at: now, text: describeSettled(settled) });
  journal.locks.release(run);
}

/** `3 uncertain rows: 1 found as sent, 2 not there`. */
function describeSettled({ rows, ...left }: ResumedRun): string {
  const parts: [number, string][] = [
    [left.found, 'found as sent'],
    [left.sent, 'sent once more'],
    [left.waiting, 'not there'],
    [left.conflict, 'in conflict'],
    [left.failed, 'refused'],
    [left.deleted, 'deleted since'],
    [left.uncertain, 'still uncertain'],
  ];
  const told = parts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  return `${plural(rows, 'uncertain row', 'uncertain rows')}: ${told.join(', ')}`;
}
