import { fieldsOf } from '../../registration/changes/field-change.ts';
import { contentKey } from './claim-run.ts';
import type { RowDecider } from '../plan/row-decider.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { uncertainRuns } from '../journal/runs.ts';
import type { Journal } from '../journal/journal.ts';
import type { Ask, SendContext } from '../journal/send-context.ts';
import { isCarriedOutSince, planEntries } from '../plan/plan-entries.ts';
import type { Unbased } from '../plan/plan-remarks.ts';
import { countUnbased } from '../plan/count-plan.ts';
import { planRun } from '../plan/plan-run.ts';
import { NONE_UNSEEN, type UnseenFields } from '../plan/unseen-fields.ts';
import { forgetUntried } from '../journal/delete-rows.ts';
import type { PushContext, PushOptions } from './push-options.ts';

/** What comparing came to, as far as what follows needs it. */
interface MadePlan {
  /** What was read of the service, if anything was. */
  reading: ListReading | undefined;
  unbased: Unbased;
  unseen: UnseenFields;
  /** What decides on rows that are compared with it, and when it was read; undefined when nothing was. */
  decider?: RowDecider | undefined;
  readAtMs?: number;
}

/** Compares the rows of a run with the service, decides what becomes of each, and shows the plan. */
export async function makePlan(
  sending: SendContext,
  { plan, prune, fresh, dryRun }: Pick<PushOptions, 'plan' | 'prune' | 'fresh' | 'dryRun'>,
  { onPlan, choose, ask, masks }: Pick<PushContext, 'onPlan' | 'choose' | 'masks'> & { ask: Ask | undefined },
): Promise<MadePlan> {
  const { journal, run, event, target } = sending;
  // What an earlier push with --prune has planned and not done is planned anew, or not at all.
  if (!dryRun) forgetUntried(journal, run);
  let made: MadePlan = { reading: undefined, unbased: { values: 0, registrations: 0 }, unseen: NONE_UNSEEN };
  if (plan !== undefined) {
    const planning = { ...plan, fresh, dry: dryRun, whole: prune !== undefined };
    const first = await planRun(sending, planning);
    if (masks.looksForPlain) masks.refusePlain(changedRows(journal, run));
    const asks = !dryRun && first.asked > 0 && choose !== undefined && plan.match === 'barcode';
    made = asks
      ? await (await import('./ask-people.ts')).askWhoTheyAre(sending, first, planning, choose)
      : first;
  }
  if (uncertainRuns(journal, target).some(({ id }) => id !== run)) {
    const { holdLookalikes } = await import('../plan/hold-lookalikes.ts');
    await holdLookalikes(sending, ask);
    // What is held asks for no yes.
    if (made.unbased.values > 0) made = { ...made, unbased: countUnbased(sending) };
  }
  if (plan !== undefined && prune !== undefined && made.reading !== undefined) {
    const { planPrune } = await import('../prune/prune-plan.ts');
    planPrune(sending, made.reading, { match: plan.match, maxDelete: prune });
  }
  await onPlan({
    get contentKey() {
      return contentKey(journal, run);
    },
    entries: (which) => planEntries(journal, run, fieldsOf(event), which),
    isDoneSince: (entry, since) => isCarriedOutSince(journal, target, run, entry, since),
  });
  return made;
}

/** Numbers of the records of which a row changes somebody. */
function changedRows(journal: Journal, run: string): number[] {
  const changed = journal.all<{ seq: number }>(
    `SELECT seq - part AS seq FROM row WHERE run = $run AND op = 'send' AND state = 'pending' AND plan = 'update'`,
    { run },
  );
  return changed.map(({ seq }) => seq);
}
