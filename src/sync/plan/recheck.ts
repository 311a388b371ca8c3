import { fieldsOf } from '../../registration/changes/field-change.ts';
import { imageOf, type RecordImage, type RegistrationRecord } from '../../registration/model/registration.ts';
import type { RowDecider } from './row-decider.ts';
import { chunksOf, type ComparedRow } from '../journal/run-rows.ts';
import type { QueuedRow } from '../journal/queued-rows.ts';
import { conflict, type PlanDecision } from '../decide/plan-decision.ts';
import { refuseLoss } from './refuse-loss.ts';
import { json, rowCodec } from '../../sqlite/row-codec.ts';
import type { SendContext } from '../journal/send-context.ts';
import { addStep, RUN_ITSELF } from '../journal/steps.ts';
import { type PlanWriting, writeDecision, writeImage } from './write-plan.ts';

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
      for (const row of this.#pending(changed)) this.#write(row, listed.get(row.seq) ?? [], step);
    });
  };

  *#pending(seqs: readonly number[]): Generator<ComparedRow> {
    const where = `run = $run AND op = 'send' AND state = 'pending' AND seq IN (${seqs.join(',')})`;
    for (const rows of chunksOf(this.#context, where)) yield* rows;
  }

  #write(row: ComparedRow, records: readonly RegistrationRecord[], step: number): void {
    const { journal, run, event } = this.#context;
    const decision = this.#decide(row, records);
    const writing: PlanWriting = {
      context: this.#context,
      fields: fieldsOf(event),
      fresh: this.#wish.fresh,
      step,
      tellsAbsent: false,
      bases: this.#wish.decider.bases,
      files: undefined,
    };
    writeDecision(writing, row, decision);
    const [record] = records;
    if (record !== undefined && records.length === 1) writeImage(journal, run, row.seq, imageOf(record));
  }

  #decide(row: ComparedRow, records: readonly RegistrationRecord[]): PlanDecision {
    const [record] = records;
    if (this.#wish.planned)
      return conflict('it has been changed in the service since the plan was made', record);
    const seen = this.#context.journal.readOne(IMAGE, 'FROM row WHERE run = $run AND seq = $seq', {
      run: this.#context.run,
      seq: row.seq,
    });
    const decision = this.#wish.decider.decideAgain(row, records, seen?.image ?? {});
    return refuseLoss(this.#context, row, decision);
  }
}

const IMAGE = rowCodec({ image: json<RecordImage | undefined>('coalesce(latest, before)') });

function hasChanged({ before }: QueuedRow, records: readonly RegistrationRecord[]): boolean {
  const [record] = records;
  return (
    records.length !== 1 || record === undefined || JSON.stringify(imageOf(record)) !== JSON.stringify(before)
  );
}
