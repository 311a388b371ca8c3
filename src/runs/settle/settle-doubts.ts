import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import {
  doubtful,
  holderOf,
  noteLater,
  type ProcessFacts,
  takeRun,
  uncertainRuns,
} from '../../sync/journal/runs.ts';
import { countRun } from '../../sync/journal/count-run.ts';
import { plural } from '../../report/words/number.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { type SettleOptions, settleUncertain } from './settle.ts';
import { among, IN_DOUBT, NEVER_SENT, type RowState, THERE } from '../../registration/model/row-states.ts';
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
    giveBack(journal, run.id, seqs, clock.now());
  }
}

/**
 * Notes who settles the doubts of a run, which is locked for that. What it was sending is in doubt: the process
 * that did is no more. Its state stays, and what it came to at its end.
 */
function takeUp(journal: Journal, run: string, self: ProcessFacts, now: number): void {
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
function giveBack(journal: Journal, run: string, seqs: readonly number[], now: number): void {
  journal.run(
    `UPDATE run SET holder = NULL, ended_at = coalesce(ended_at, $now),
       state = CASE state WHEN 'sending' THEN 'interrupted' ELSE state END WHERE id = $id`,
    { id: run, now },
  );
  const text = describeSettled(journal, run, seqs);
  if (text !== undefined) noteLater(journal, run, { at: now, text });
  journal.locks.release(run);
}

/** `3 uncertain rows: 2 pending, 1 done`; undefined where all are as they were. */
function describeSettled(journal: Journal, run: string, seqs: readonly number[]): string | undefined {
  const states = journal.all<{ state: RowState; n: number }>(
    `SELECT state, count(*) AS n FROM row WHERE run = $run AND seq IN (SELECT value FROM json_each($seqs))
     GROUP BY state ORDER BY n DESC, state`,
    { run, seqs: JSON.stringify(seqs) },
  );
  if (states.every(({ state }) => IN_DOUBT.has(state))) return undefined;
  const told = states.map(({ state, n }) => `${n} ${BECAME[state] ?? state}`).join(', ');
  return `${plural(seqs.length, 'uncertain row', 'uncertain rows')}: ${told}`;
}

const BECAME: Readonly<Partial<Record<RowState, string>>> = {
  done: 'found as sent',
  accepted: 'found as sent',
  pending: 'not there',
  conflict: 'in conflict',
  deleted: 'deleted since',
  uncertain: 'still uncertain',
};

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
function settleLate({ journal, run, target, clock }: SendContext): void {
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
