import type { RowState } from '../registration/row-state.ts';
import type { Holder, Journal, Run } from './journal.ts';

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

/** Rows of a run whose fate is not known; of a run that was killed also those that it was sending. */
export function doubtful(journal: Journal, run: string): number[] {
  return journal
    .all<{ seq: number }>(
      `SELECT seq FROM row WHERE run = $run AND op = 'send' AND state IN ('uncertain', 'sending') ORDER BY seq`,
      { $run: run },
    )
    .map(({ seq }) => seq);
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
    { $run: run.id, $seqs: JSON.stringify(seqs) },
  );
  for (const { seq, state } of states) {
    if (state === 'conflict' || state === 'failed' || state === 'deleted') result[state] += 1;
    else if (state === 'uncertain' || state === 'sending') result.uncertain += 1;
    else if (state === 'pending') result.waiting += 1;
    else if (!sent.has(seq)) result.found += 1;
  }
  return result;
}
