import { among, SENT } from '../../registration/model/row-states.ts';
import type { RowState } from '../../registration/model/row-state.ts';
import { readUnsentRules } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { COMMS_THING } from '../judge/unsent-things.ts';

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
  const rules = readUnsentRules(journal, target.service, clock.now());
  if (rules.get(COMMS_THING.name) === 'merge') return 0;
  const row = journal.get<{ n: number }>(
    `SELECT count(*) AS n FROM row WHERE run = $run AND op = 'send' AND plan IN ('update', 'unknown')
       AND state IN (SELECT value FROM json_each($states))
       AND coalesce(json_extract(coalesce(latest, before), '$.enableComms'), ${ASKED_LAST}) = 1
       AND coalesce(json_extract(ask, '$.enableComms'), enable_comms) IS NOT 1`,
    { $run: run, $states: JSON.stringify([...states]), $service: target.service, $event: target.eventId },
  );
  return row?.n ?? 0;
}
