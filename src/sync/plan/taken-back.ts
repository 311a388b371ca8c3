import { asksForMessages } from '../journal/earlier-words.ts';
import { readLearned } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { PlannedRow, RowsToPlan } from './rows-to-plan.ts';

/**
 * Numbers of rows whose updates may leave guests without the messages that their registrations ask for: `enable_comms`
 * is never sent unasked, and is not proven to stay. Where the list does not show it, what this machine has asked for
 * last counts.
 */
export function takenBack(
  { journal, target, clock }: Pick<SendContext, 'journal' | 'target' | 'clock'>,
  planned: readonly PlannedRow[],
  rows: RowsToPlan,
): ReadonlySet<number> {
  if (readLearned(journal, target.service, 'messages', clock.now())?.value === 'kept') return new Set();
  const isTaken = ({ row, state, decision }: PlannedRow): boolean => {
    const { action, record, ask } = decision;
    if (state !== 'pending' || (action !== 'update' && action !== 'unknown')) return false;
    if ((ask ?? rows.registrationOf(row)).enableComms) return false;
    return record?.enableComms ?? asksForMessages(journal, target, row.key ?? '');
  };
  return new Set(planned.flatMap((one) => (isTaken(one) ? one.row.seq : [])));
}
