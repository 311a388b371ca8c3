import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { CREATES, type QueuedRow, UPDATES } from '../../sync/journal/queued-rows.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { listedFields } from '../../sync/snapshot/listed-fields.ts';
import { judgeOtherwise } from '../../sync/decide/judge-otherwise.ts';
import { holdBackLike } from './withhold-updates.ts';

/** How a row that was sent has come back, as far as a late list cannot explain it. `along`: what was sent beside it. */
export function comeBack(
  { event, before: plan, takesOther = false }: SendContext,
  { registration, plan: action, before }: Pick<QueuedRow, 'registration' | 'plan' | 'before'>,
  { record, along }: { record: RegistrationRecord; along: readonly string[] },
): { isClear: boolean; otherwise: readonly Difference[] } {
  const personas = event.personas.map(({ slug }) => slug);
  // What no registration is seen to have is nothing that this one has lost.
  const isListed = listedFields(() => plan?.listed.all() ?? []);
  const isNeverStored = (persona: string, slug: string): boolean => !isListed(persona, slug);
  const parentsShown =
    record.parentBarcode !== undefined || (plan?.parentsShown === true && plan.listed.count > 0);
  const facts = {
    registration,
    plan: action,
    before,
    fields: fieldsOf(event),
    record,
    along: new Set(along),
  };
  const { isClear, otherwise } = judgeOtherwise({ ...facts, personas, parentsShown, isNeverStored });
  return { isClear, otherwise: otherwise.filter(({ kind }) => kind === 'changed' || !takesOther) };
}

/** Nothing else of the kind and persona of a row goes that has come back otherwise. */
export function stopLike(
  context: SendContext,
  { seq, plan, place, registration: { persona } }: Pick<QueuedRow, 'seq' | 'plan' | 'place' | 'registration'>,
  otherwise: readonly Difference[],
): void {
  const { journal, run } = context;
  // For whoever does not have it read back at the end.
  journal.run('UPDATE row SET differences = ? WHERE run = ? AND seq = ?', [
    JSON.stringify(otherwise),
    run,
    seq,
  ]);
  const where = `${plan === 'create' ? CREATES : UPDATES} AND persona = $persona`;
  holdBackLike(context, { where, values: { persona } }, { place, otherwise });
}
