import type { RowState } from '../registration/row-state.ts';
import { readUnsentRules } from './learned.ts';
import type { SendContext } from './send-context.ts';
import { COMMS_THING } from './unsent-things.ts';

/**
 * Guests of a run, in some states, whom an update leaves without the messages that their registrations ask for:
 * `enable_comms` is never sent unasked, and is not proven to stay.
 */
export function countTakenBack(
  { journal, target, clock }: Pick<SendContext, 'journal' | 'target' | 'clock'>,
  run: string,
  states: readonly RowState[],
): number {
  const rules = readUnsentRules(journal, target.service, clock.now());
  if (rules.get(COMMS_THING.name) === 'merge') return 0;
  const row = journal.get<{ n: number }>(
    `SELECT count(*) AS n FROM row WHERE run = $run AND op = 'send' AND plan IN ('update', 'unknown')
       AND state IN (SELECT value FROM json_each($states))
       AND json_extract(coalesce(latest, before), '$.enableComms') = 1
       AND json_extract(coalesce(ask, payload), '$.enableComms') IS NOT 1`,
    { $run: run, $states: JSON.stringify(states) },
  );
  return row?.n ?? 0;
}
