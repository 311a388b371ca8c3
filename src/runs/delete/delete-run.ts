import { GuardError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { countBefore, sortAbsent } from './delete-before.ts';
import { carryOutDelete } from './delete-carry-out.ts';
import { claimDelete, type EarlierDelete, findEarlierDelete, wishKey } from './delete-claim.ts';
import { countShares, countThere, tellFindings, warnOfMembers } from './delete-findings.ts';
import { checkMaxDelete, checkShares, type MaxDelete } from '../../sync/decide/delete-guard.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import { deletions } from '../../sync/journal/delete-rows.ts';
import { selectRegistrations } from './delete-select.ts';
import type { DeleteContext, DeleteFacts } from './delete-context.ts';
import type { Wanted } from './delete-wish.ts';
import type { DeleteSummary } from './delete-summary.ts';
import { nameSome } from './name-some.ts';
import { tellRequests } from '../../sync/journal/requests-ahead.ts';
import { refuseTooMany } from './delete-outcome.ts';
import { tellOutcomes } from '../../sync/journal/tell-outcomes.ts';
import { beginRun, releaseReading } from '../../sync/journal/runs.ts';

interface DeleteOptions {
  wanted: Wanted;
  maxDelete: MaxDelete;
  dryRun: boolean;
}

/**
 * Selects, guards, backs up, deletes; the same wish again goes on where it was interrupted. Nothing is
 * deleted before the backup is on the disk. Throws what refuses it; what stops it later is in the summary.
 */
export async function runDelete(options: DeleteOptions, context: DeleteContext): Promise<DeleteSummary> {
  const { journal, target, clock, self } = context;
  const read = beginRun(journal, { kind: 'delete', target, files: [] }, clock.now(), self);
  let earlier: EarlierDelete | undefined;
  try {
    const key = wishKey(options.wanted);
    const selection = await selectRegistrations(options.wanted, { ...context, run: read });
    earlier = journal.transaction(() => findEarlierDelete(journal, target, { read, key }));
    const names = sortAbsent(journal, target, selection, earlier);
    const facts = { ...names, read, key, earlier, gone: countBefore(options.wanted, names, earlier) };
    tellFindings(facts, context);
    const summary = await guard(facts, options, context);
    tellOutcomes({ ...context, run: summary.run ?? read });
    await context.onEnd?.(summary.run ?? read, summary);
    return summary;
  } finally {
    releaseReading(journal, read);
    if (earlier !== undefined) journal.locks.release(earlier.run.id);
  }
}

async function guard(
  facts: DeleteFacts,
  { wanted, maxDelete, dryRun }: DeleteOptions,
  context: DeleteContext,
): Promise<DeleteSummary> {
  const { journal, target, clock, self } = context;
  const { read, earlier, gone, unknown } = facts;
  const count = countIn(journal, read, ['pending'], 'delete');
  if (count === 0 && earlier?.open !== true) return refuseNothing(facts, wanted);
  const there = maxDelete.kind === 'percent' ? await countThere(wanted, count, context) : 0;
  const shares = maxDelete.assumed === true ? await countShares(read, wanted, context) : [];
  const tooMany = checkMaxDelete(count, there, maxDelete) ?? checkShares(shares, maxDelete, count)[0];
  const summary = { deleted: count, left: 0, gone, absent: unknown.length, uncertain: 0 };
  if (count > 0 && (dryRun || tooMany === undefined)) await warnOfMembers(read, context);
  if (dryRun) {
    await context.onShow(deletions(journal, read));
    return { ...summary, state: 'planned', run: undefined, backup: undefined, tooMany: tooMany?.problem };
  }
  refuseTooMany(tooMany, 'Nothing was deleted.');
  if (count > 0) {
    tellRequests({ ...context, run: read }, { reading: undefined, readings: 0, deletionReadings: 2 });
    await confirm(count, facts, context);
  }
  const claim = { ...facts, now: clock.now(), self };
  const claimed = journal.transaction(() => claimDelete(journal, target, claim));
  return await carryOutDelete(claimed, { ...facts, persona: wanted.persona }, context);
}

/** An empty selection is a mistake of whoever made it, unless an earlier command has done the work. */
function refuseNothing({ earlier, gone, unknown, before }: DeleteFacts, { persona }: Wanted): DeleteSummary {
  if (gone > 0) {
    const run = earlier?.run.id ?? before.find(({ isOwn }) => isOwn)?.run;
    const facts = { run, deleted: 0, left: 0, gone, absent: unknown.length, uncertain: 0 };
    return { ...facts, state: 'finished', backup: undefined };
  }
  const what =
    persona === undefined ? 'none of them is listed' : `no registration is of the persona ${persona}`;
  throw new GuardError('nothing-chosen', `There is nothing to delete: ${what}.`, {
    hint: 'See what is there with `eventreg list`.',
  });
}

async function confirm(count: number, { read, earlier }: DeleteFacts, context: DeleteContext): Promise<void> {
  const rest =
    earlier?.open === true ? `, the rest of run ${earlier.run.id} (${earlier.deleted} deleted before)` : '';
  const some = plural(count, 'registration', 'registrations');
  const who = nameSome({ ...context, run: read }, ['pending'], context.showValues);
  if (await context.confirm(visible(`Delete ${some} from ${context.label}${rest}: ${who}?`))) return;
  throw new GuardError('confirmation', 'Nothing was deleted.');
}
