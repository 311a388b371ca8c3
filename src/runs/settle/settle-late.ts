import { among, NEVER_SENT, THERE } from '../../registration/model/row-states.ts';
import type { RowState } from '../../registration/model/row-state.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { RowOutcome } from '../judge/judge-found.ts';
import type { SendContext } from '../journal/send-context.ts';

interface LaterFate {
  seq: number;
  run: string;
  state: RowState;
  /** 1 when the later run has the row as it is here. */
  same: number;
  remote_id: string | null;
}

/**
 * Uncertain rows of a run whose registrations a later run has settled since are settled by what that run
 * knows: reading the service would compare them with what it sent, and sending them would undo it.
 */
export function settleLate({ journal, run, target, clock }: SendContext): void {
  const fates = journal.all<LaterFate>(
    `SELECT seq, run, state, same, remote_id FROM (
       SELECT mine.seq, past.run, past.state, past.hash = mine.hash AS same, past.remote_id, row_number() OVER
         (PARTITION BY mine.seq ORDER BY max(coalesce(past.sent_no, 0), coalesce(past.listed_no, 0)) DESC) AS place
       FROM row AS mine JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run
         JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event AND run.state <> 'reading'
       WHERE mine.run = $run AND mine.state = 'uncertain' AND mine.op = 'send' AND past.op = 'send'
         AND past.state NOT ${among(NEVER_SENT)}
         AND max(coalesce(past.sent_no, 0), coalesce(past.listed_no, 0))
           > max(coalesce(mine.sent_no, 0), coalesce(mine.listed_no, 0)))
     WHERE place = 1`,
    { $run: run, $service: target.service, $event: target.eventId },
  );
  journal.transaction(() => {
    for (const fate of fates) {
      const outcome = outcomeBy(fate);
      if (outcome !== undefined) writeOutcome(journal, run, fate.seq, outcome, clock.now(), 'looked');
    }
  });
}

/** Undefined while the later run is in doubt itself about the same values. */
function outcomeBy({ run, state, same, remote_id }: LaterFate): RowOutcome | undefined {
  if (same === 0) return { state: 'conflict', message: `run ${run} has sent other values since` };
  if (THERE.has(state)) {
    return { state: 'done', remoteId: remote_id ?? undefined, message: `settled by run ${run}` };
  }
  return undefined;
}
