import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { doubtful, type ProcessFacts, takeRun, uncertainRuns } from '../../sync/journal/runs.ts';
import { countResumed, giveBack, takeUp } from './resumed-run.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { type SettleOptions, settleUncertain } from './settle.ts';
import { among, NEVER_SENT, type RowState, THERE } from '../../registration/model/row-states.ts';
import { writeOutcome } from '../../sync/journal/queued-rows.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';

/**
 * Settles what other runs of the event are in doubt about, whatever became of their files: newest run first, by
 * reading the service; nothing is sent. Runs that another process works on are left alone.
 */
export async function settleDoubts(
  context: SendContext,
  self: ProcessFacts,
  settling: Pick<SettleOptions, 'match' | 'whole'>,
): Promise<void> {
  const { journal, run: own, target } = context;
  for (const run of uncertainRuns(journal, target)) {
    if (run.id !== own && takeRun(journal, run.id))
      await settleRun({ ...context, run: run.id }, run, self, settling);
  }
}

async function settleRun(
  context: SendContext,
  run: Run,
  self: ProcessFacts,
  settling: Pick<SettleOptions, 'match' | 'whole'>,
): Promise<void> {
  const { journal, clock } = context;
  const seqs = doubtful(journal, run.id);
  takeUp(journal, run.id, self, clock.now());
  try {
    settleLate(context);
    if (hasOwnDoubt(journal, run.id)) await settleUncertain(context, { ...settling, deleted: 'leave' });
  } finally {
    giveBack(journal, countResumed(journal, run, seqs, new Set()), clock.now());
  }
}

/** Whether a run is in doubt about something that no newer run has taken over: that one is asked instead. */
function hasOwnDoubt(journal: Journal, run: string): boolean {
  return journal.has(
    `FROM row AS mine JOIN run AS own ON own.id = mine.run
     WHERE mine.run = $run AND mine.op = 'send' AND mine.state = 'uncertain' AND NOT EXISTS (
       SELECT 1 FROM row AS newer JOIN run AS later ON later.id = newer.run AND later.rowid > own.rowid
       WHERE newer.row_key = mine.row_key AND newer.sent_no = mine.sent_no AND newer.state = 'uncertain')`,
    { run },
  );
}

interface LaterFate {
  seq: number;
  run: string;
  state: RowState;
  /** 1 when the later run has the row as it is here. */
  same: number;
  remoteId: string | undefined;
}

/**
 * Uncertain rows of a run whose registrations a later run has settled since are settled by what that run
 * knows: reading the service would compare them with what it sent, and sending them would undo it.
 */
export function settleLate({ journal, run, target, clock }: SendContext): void {
  const fates = journal.all<LaterFate>(
    `SELECT seq, run, state, same, remote_id AS remoteId FROM (
       SELECT mine.seq, past.run, past.state, past.hash = mine.hash AS same, past.remote_id, row_number() OVER
         (PARTITION BY mine.seq ORDER BY max(coalesce(past.sent_no, 0), coalesce(past.listed_no, 0)) DESC) AS place
       FROM row AS mine JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run
         JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event AND run.state <> 'reading'
       WHERE mine.run = $run AND mine.state = 'uncertain' AND mine.op = 'send' AND past.op = 'send'
         AND past.state NOT ${among(NEVER_SENT)}
         AND max(coalesce(past.sent_no, 0), coalesce(past.listed_no, 0))
           > max(coalesce(mine.sent_no, 0), coalesce(mine.listed_no, 0)))
     WHERE place = 1`,
    { run, service: target.service, event: target.eventId },
  );
  journal.transaction(() => {
    for (const fate of fates) {
      const outcome = outcomeBy(fate);
      if (outcome !== undefined) writeOutcome(journal, run, fate.seq, outcome, clock.now(), 'looked');
    }
  });
}

/** Undefined while the later run is in doubt itself about the same values. */
function outcomeBy({ run, state, same, remoteId }: LaterFate): RowOutcome | undefined {
  if (same === 0) return { state: 'conflict', message: `run ${run} has sent other values since` };
  if (THERE.has(state)) {
    return { state: 'done', remoteId, message: `settled by run ${run}` };
  }
  return undefined;
}
