import { fieldsOf } from '../../registration/changes/field-change.ts';
import { imageOf, type RegistrationRecord } from '../../registration/model/registration.ts';
import { conflict, type PlanDecision } from '../decide/plan-decision.ts';
import { changeFate } from '../journal/kept-rows.ts';
import { type PendingRow, pendingAmong, type QueuedRow, writeOutcome } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { LookWish } from '../perform/looks.ts';
import { addStep, RUN_ITSELF } from '../journal/steps.ts';
import type { RowDecider } from './row-decider.ts';
import { refuseLoss, settled } from './rows-to-plan.ts';
import { fateOf } from './write-plan.ts';

interface RecheckOptions {
  /** What the plan was made with. */
  decider: RowDecider;
  /** What the service holds already is sent once more. */
  again: boolean;
  /** A saved plan is carried out: what has changed since is for people to judge. */
  planned: boolean;
}

/**
 * What plans rows anew from what is listed for them by now, by their numbers, while a run is sending; nothing listed: it
 * is gone. It writes what has come of those of which something changed.
 */
export function recheck(context: SendContext, wish: RecheckOptions): LookWish['replan'] {
  const { journal, run, clock } = context;
  return (listed, rows) => {
    const changed = rows.filter((row) => hasChanged(row, listed.get(row.seq) ?? [])).map(({ seq }) => seq);
    if (changed.length === 0) return;
    const detail = `looked at again, ${changed.length} changed since`;
    journal.transaction(() => {
      const step = addStep(journal, run, RUN_ITSELF, { at: clock.now(), what: 'planned', detail });
      for (const row of pendingAmong(journal, run, changed))
        rewrite(context, wish, { row, records: listed.get(row.seq) ?? [], step });
    });
  };
}

function rewrite(
  context: SendContext,
  wish: RecheckOptions,
  { row, records, step }: { row: PendingRow; records: readonly RegistrationRecord[]; step: number },
): void {
  const { journal, run, event, clock } = context;
  const { seq, registration } = row;
  const { state, decision } = settled(decide(context, wish, row, records), wish.again);
  const facts = { fields: fieldsOf(event), reading: undefined, step };
  const fate = fateOf(registration, { state, decision }, facts);
  if (state === 'conflict')
    writeOutcome(journal, run, seq, { state, message: fate.message }, clock.now(), 'planned');
  const [record, another] = records;
  const image = another === undefined && record !== undefined ? JSON.stringify(imageOf(record)) : undefined;
  changeFate(journal, run, seq, { ...fate, before: image ?? fate.before });
}

function decide(
  context: SendContext,
  { decider, planned }: RecheckOptions,
  row: PendingRow,
  records: readonly RegistrationRecord[],
): PlanDecision {
  if (planned) return conflict('it has been changed in the service since the plan was made', records[0]);
  return refuseLoss(context, row, decider.decideAgain(row, records, row.before ?? {}));
}

function hasChanged({ before }: QueuedRow, records: readonly RegistrationRecord[]): boolean {
  const isOther = (one: RegistrationRecord): boolean =>
    JSON.stringify(imageOf(one)) !== JSON.stringify(before);
  return records.length !== 1 || records.some(isOther);
}
