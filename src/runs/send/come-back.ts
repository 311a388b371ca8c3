import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { CREATES, type QueuedRow, UPDATES } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { judgeOtherwise } from '../judge/judge-otherwise.ts';
import { holdBackLike } from './withhold-updates.ts';

/** How a row that was sent has come back, as far as a late list cannot explain it. `along`: what was sent beside it. */
export function comeBack(
  { event, before: plan, takesOther = false }: SendContext,
  { registration, plan: action, before }: Pick<QueuedRow, 'registration' | 'plan' | 'before'>,
  { record, along }: { record: RegistrationRecord; along: readonly string[] },
): { isClear: boolean; otherwise: readonly Difference[] } {
  const personas = event.personas.map(({ slug }) => slug);
  const parentsShown = plan?.parentsShown ?? true;
  const facts = { registration, plan: action, before, personas, parentsShown, fields: fieldsOf(event) };
  const { isClear, otherwise } = judgeOtherwise({ ...facts, record, along: new Set(along) });
  return { isClear, otherwise: otherwise.filter(({ kind }) => kind === 'changed' || !takesOther) };
}

/** Nothing else of the kind of a row goes that has come back otherwise. Returns how many were held back. */
export function stopLike(
  context: SendContext,
  { seq, plan, place }: Pick<QueuedRow, 'seq' | 'plan' | 'place'>,
  otherwise: readonly Difference[],
): number {
  const { journal, run } = context;
  // For whoever does not have it read back at the end.
  journal.run('UPDATE row SET differences = ? WHERE run = ? AND seq = ?', [
    JSON.stringify(otherwise),
    run,
    seq,
  ]);
  const where = plan === 'create' ? CREATES : UPDATES;
  return holdBackLike(context, { where, place, otherwise });
}
