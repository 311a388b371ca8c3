import { fieldsOf } from '../registration/field-change.ts';
import { isCarriedOutSince } from './carried-out.ts';
import { contentKey } from './claim-run.ts';
import type { HeldReading } from './held.ts';
import { type Ask, holdLookalikes } from './hold-lookalikes.ts';
import { planEntries } from './plan-entries.ts';
import { planRun } from './plan-run.ts';
import { forgetPrune, planPrune } from './prune.ts';
import type { PushContext, PushOptions } from './push-options.ts';
import type { SendContext } from './send-context.ts';

/**
 * Compares the rows of a run with the service, decides what becomes of each, and shows the plan. Returns
 * what was read of the service, if anything was.
 */
export async function makePlan(
  sending: SendContext,
  { plan, prune, fresh }: Pick<PushOptions, 'plan' | 'prune' | 'fresh'>,
  { onPlan, ask }: Pick<PushContext, 'onPlan'> & { ask: Ask | undefined },
): Promise<HeldReading | undefined> {
  const { journal, run, event, target } = sending;
  // What an earlier push with --prune has planned and not done is planned anew, or not at all.
  forgetPrune(journal, run);
  let reading: HeldReading | undefined;
  if (plan !== undefined) {
    ({ reading } = await planRun(sending, { ...plan, fresh, whole: prune !== undefined }));
  }
  await holdLookalikes(sending, ask);
  if (plan !== undefined && prune !== undefined && reading !== undefined) {
    planPrune(sending, reading, { match: plan.match, maxDelete: prune });
  }
  await onPlan({
    contentKey: contentKey(journal, run),
    entries: (which) => planEntries(journal, run, fieldsOf(event), which),
    isDoneSince: (entry, since) => isCarriedOutSince(journal, target, run, entry, since),
  });
  return reading;
}
