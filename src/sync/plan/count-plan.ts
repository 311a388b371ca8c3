import { MESSAGES } from '../../registration/changes/aspect.ts';
import { among, type RowState, SENT } from '../../registration/model/row-states.ts';
import type { Unbased } from './plan-remarks.ts';
import { readLearned } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';

/** Values of updates of which nothing tells who has changed them; that messages are asked for is confirmed by itself. */
export function countUnbased({ journal, run }: Pick<SendContext, 'journal' | 'run'>): Unbased {
  const counts = journal.get<Unbased>(
    `SELECT count(*) AS "values", count(DISTINCT row.seq) AS registrations
     FROM row CROSS JOIN json_each(row.verdicts) AS verdict
     WHERE run = $run AND op = 'send' AND state = 'pending' AND plan = 'update' AND verdict.value = 'unbased' AND verdict.key <> $messages`,
    { run, messages: MESSAGES.key },
  );
  return counts ?? { values: 0, registrations: 0 };
}

/** Where the list does not show it: whether this machine has asked for messages when it sent the row last. */
const ASKED_LAST = `(SELECT past.enable_comms FROM main.row AS past JOIN run AS its ON its.id = past.run
  WHERE past.row_key = row.row_key AND past.run <> row.run AND past.op = 'send' AND past.attempts > 0
    AND past.state ${among(SENT)} AND its.service = $service AND its.event = $event
  ORDER BY past.sent_no DESC LIMIT 1)`;

/**
 * Guests of a run, in some states, whom an update may leave without the messages that their registrations ask for:
 * `enable_comms` is never sent unasked, and is not proven to stay.
 */
export function countTakenBack(
  { journal, target, clock }: Pick<SendContext, 'journal' | 'target' | 'clock'>,
  run: string,
  states: Iterable<RowState>,
): number {
  if (readLearned(journal, target.service, 'messages', clock.now())?.value === 'kept') return 0;
  return journal.count(
    `FROM row WHERE run = $run AND op = 'send' AND plan IN ('update', 'unknown')
       AND state IN (SELECT value FROM json_each($states))
       AND coalesce(json_extract(coalesce(latest, before), '$.enableComms'), ${ASKED_LAST}) = 1
       AND coalesce(json_extract(ask, '$.enableComms'), enable_comms) IS NOT 1`,
    { run, states: JSON.stringify([...states]), service: target.service, event: target.eventId },
  );
}
