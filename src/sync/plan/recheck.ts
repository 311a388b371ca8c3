import { fieldsOf } from '../../registration/changes/field-change.ts';
import { imageOf, type RegistrationRecord } from '../../registration/model/registration.ts';
import { conflict, type PlanDecision } from '../decide/plan-decision.ts';
import { changeFate } from '../journal/kept-rows.ts';
import { type PendingRow, pendingAmong, type QueuedRow, writeOutcome } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { addStep, RUN_ITSELF } from '../journal/steps.ts';
import { refuseLoss } from './refuse-loss.ts';
import type { RowDecider } from './row-decider.ts';
import { settled } from './rows-to-plan.ts';
import { fateOf } from './write-plan.ts';

interface RecheckOptions {
  /** What the plan was made with. */
  decider: RowDecider;
  /** Send also what the service holds already. */
  fresh: boolean;
  /** A saved plan is carried out: what has changed since is for people to judge. */
  planned: boolean;
}

/** Plans rows anew from what the service lists by now, while a run is sending. */
export class Recheck {
  readonly #context: SendContext;
  readonly #wish: RecheckOptions;

  constructor(context: SendContext, wish: RecheckOptions) {
    this.#context = context;
    this.#wish = wish;
  }

  /**
   * Takes what is listed for some rows by now, by their numbers; nothing listed: it is gone. Writes what has come of
   * those of which something changed.
   */
  readonly take = (
    listed: ReadonlyMap<number, readonly RegistrationRecord[]>,
    rows: readonly QueuedRow[],
  ): void => {
    const changed = rows.filter((row) => hasChanged(row, listed.get(row.seq) ?? [])).map(({ seq }) => seq);
    if (changed.length === 0) return;
    const { journal, run, clock } = this.#context;
    const detail = `looked at again, ${changed.length} changed since`;
    journal.transaction(() => {
      const step = addStep(journal, run, RUN_ITSELF, { at: clock.now(), what: 'planned', detail });
      for (const row of pendingAmong(journal, run, changed))
        this.#write(row, listed.get(row.seq) ?? [], step);
    });
  };

  #write(row: PendingRow, records: readonly RegistrationRecord[], step: number): void {
    const { journal, run, event, clock } = this.#context;
    const { seq, registration } = row;
    const { state, decision } = settled(this.#decide(row, records), registration.barcode, this.#wish.fresh);
    const facts = { fields: fieldsOf(event), reading: undefined, step };
    const fate = fateOf(registration, { ...decision, state }, facts);
    if (state === 'conflict')
      writeOutcome(journal, run, seq, { state, message: fate.message }, clock.now(), 'planned');
    const [record, another] = records;
    const image = another === undefined && record !== undefined ? JSON.stringify(imageOf(record)) : undefined;
    changeFate(journal, run, seq, { ...fate, before: image ?? fate.before });
  }

  #decide(row: PendingRow, records: readonly RegistrationRecord[]): PlanDecision {
    const [record] = records;
    if (this.#wish.planned)
      return conflict('it has been changed in the service since the plan was made', record);
    const decision = this.#wish.decider.decideAgain(row, records, row.before ?? {});
    return refuseLoss(this.#context, row, decision);
  }
}

function hasChanged({ before }: QueuedRow, records: readonly RegistrationRecord[]): boolean {
  const [record] = records;
  return (
    records.length !== 1 || record === undefined || JSON.stringify(imageOf(record)) !== JSON.stringify(before)
  );
}
