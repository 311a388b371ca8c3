import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { settleLate } from './settle-late.ts';
import { doubtful, uncertainRuns } from '../journal/uncertain-runs.ts';
import { countResumed, giveBack, takeUp } from './resumed-run.ts';
import { type ProcessFacts, takeRun } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type SettleOptions, settleUncertain } from './settle.ts';

/**
 * Settles what other runs of the event are in doubt about, whatever became of their files: newest run first, by
 * reading the service; nothing is sent. Runs that another process works on are left alone.
 */
export async function settleDoubts(
  context: SendContext,
  self: ProcessFacts,
  { match = 'barcode' }: Pick<SettleOptions, 'match'>,
): Promise<void> {
  const { journal, run: own, target } = context;
  for (const run of uncertainRuns(journal, target)) {
    if (run.id !== own && takeRun(journal, run.id))
      await settleRun({ ...context, run: run.id }, run, self, match);
  }
}

async function settleRun(
  context: SendContext,
  run: Run,
  self: ProcessFacts,
  match: 'barcode' | 'email',
): Promise<void> {
  const { journal, clock } = context;
  const seqs = doubtful(journal, run.id);
  takeUp(journal, run.id, self, clock.now());
  try {
    settleLate(context);
    if (hasOwnDoubt(journal, run.id)) await settleUncertain(context, { match, deleted: 'leave' });
  } finally {
    giveBack(journal, countResumed(journal, run, seqs, new Set()), clock.now());
  }
}

/** Whether a run is in doubt about something that no newer run has taken over: that one is asked instead. */
function hasOwnDoubt(journal: Journal, run: string): boolean {
  const row = journal.get(
    `SELECT 1 FROM row AS mine JOIN run AS own ON own.id = mine.run
     WHERE mine.run = $run AND mine.op = 'send' AND mine.state = 'uncertain' AND NOT EXISTS (
       SELECT 1 FROM row AS newer JOIN run AS later ON later.id = newer.run AND later.rowid > own.rowid
       WHERE newer.row_key = mine.row_key AND newer.sent_no = mine.sent_no AND newer.state = 'uncertain')
     LIMIT 1`,
    { $run: run },
  );
  return row !== undefined;
}
