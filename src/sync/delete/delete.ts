import { GuardError } from '../../errors.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { OPEN } from '../../registration/model/row-states.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import type { MaxDelete } from '../decide/delete-guard.ts';
import { refuseIfBusy } from '../journal/busy-runs.ts';
import { addDeletions, deletions, type DeleteRow } from '../journal/delete-rows.ts';
import { tellRequests, workAhead } from '../perform/requests-ahead.ts';
import {
  backupsOf,
  beginRun,
  claimContent,
  deleteRun,
  noteBackup,
  releaseReading,
  reopenRun,
} from '../journal/runs.ts';
import type { SendContext, WorkContext } from '../journal/send-context.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import { readShortList } from '../snapshot/read-now.ts';
import { endWork, whatStopped } from '../perform/stop-rules.ts';
import { isInBackup } from './backup.ts';
import {
  bringUpToDate,
  type EarlierDelete,
  findEarlierDelete,
  sortAbsent,
  stillToGo,
  wishKey,
} from './earlier.ts';
import { removeAll } from './removal.ts';
import type { RemoverOptions } from './remover.ts';
import { selectRegistrations, type Wanted } from './select.ts';
import { type DeleteSummary, summariseDelete } from './delete-summary.ts';
import { type DeleteFacts, leftOfPersona, nameSome, tellFindings, warnOfMembers } from './tell-findings.ts';
import { findTooMany, refuseTooMany } from './guard.ts';

interface DeleteOptions {
  wanted: Wanted;
  maxDelete: MaxDelete;
  dryRun: boolean;
}

export interface DeleteContext extends WorkContext {
  /** The service in words, for the question. */
  label: string;
  /** Shows what would be deleted, in a dry run. */
  onShow: (rows: Iterable<DeleteRow>) => Promise<void>;
  onRow: NonNullable<RemoverOptions['onRow']>;
  /** Told at the end, while the rows of the run are in the journal; those of a dry run do not stay there. */
  onEnd?: (run: string, summary: DeleteSummary) => Promise<void>;
  /**
   * Writes registrations where push can take them back from; durable when it returns where that is.
   * `further`: the run has a backup already, which stays.
   */
  backUp: (records: Iterable<RecordImage>, how: { further: boolean }) => string;
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
    const selection = await selectRegistrations(options.wanted, context);
    earlier = findEarlierDelete(journal, target, wishKey(options.wanted));
    const { records, came } = stillToGo(selection.records, earlier);
    journal.transaction(() => addDeletions(journal, read, records));
    const absent = sortAbsent(journal, target, selection, earlier);
    const facts = { ...absent, read, records, came, earlier, wanted: options.wanted };
    tellFindings(facts, context);
    const summary = await guardAndDelete(facts, options, context);
    tellOutcomes({ ...context, run: summary.run ?? read });
    await context.onEnd?.(summary.run ?? read, summary);
    return summary;
  } finally {
    releaseReading(journal, read);
    if (earlier !== undefined) journal.locks.release(earlier.run.id);
  }
}

async function guardAndDelete(
  facts: DeleteFacts,
  { wanted, maxDelete, dryRun }: DeleteOptions,
  context: DeleteContext,
): Promise<DeleteSummary> {
  const { read, records, earlier } = facts;
  const count = records.length;
  if (count === 0 && earlier?.open !== true) return refuseNothing(facts);
  const tooMany = await findTooMany(wanted, records, maxDelete, context);
  if (count > 0 && (dryRun || tooMany === undefined)) await warnOfMembers(read, records, context);
  if (dryRun) {
    await context.onShow(deletions(context.journal, read));
    return { ...summariseDelete(facts), state: 'planned', deleted: count, tooMany: tooMany?.problem };
  }
  refuseTooMany(tooMany, 'Nothing was deleted.');
  if (count > 0) await confirm(facts, context);
  return await carryOut(facts, context);
}

/** An empty selection is a mistake of whoever made it, unless an earlier command has done the work. */
function refuseNothing(facts: DeleteFacts): DeleteSummary {
  const { persona } = facts.wanted;
  const summary = summariseDelete(facts);
  if (summary.gone > 0) {
    const run = facts.earlier?.run.id ?? facts.before.find(({ op }) => op === 'delete')?.run;
    return { ...summary, run, state: 'finished' };
  }
  const what =
    persona === undefined ? 'none of them is listed' : `no registration is of the persona ${persona}`;
  throw new GuardError('nothing-chosen', `There is nothing to delete: ${what}.`, {
    hint: 'See what is there with `eventreg list`.',
  });
}

async function confirm({ read, records, earlier }: DeleteFacts, context: DeleteContext): Promise<void> {
  const work = workAhead({ ...context, run: read });
  tellRequests(context, work, { reading: undefined, readings: 0, deletionReadings: 2 });
  const rest =
    earlier?.open === true ? `, the rest of run ${earlier.run.id} (${earlier.deleted} deleted before)` : '';
  const some = plural(records.length, 'registration', 'registrations');
  const who = nameSome(records, fieldsOf(context.event), context.showValues);
  if (await context.confirm(visible(`Delete ${some} from ${context.label}${rest}: ${who}?`))) return;
  throw new GuardError('confirmation', 'Nothing was deleted.');
}

/** Makes what was read a run that can be resumed, or goes on with the interrupted one. Call it in a transaction. */
function claim({ read, records, wanted, earlier }: DeleteFacts, context: DeleteContext) {
  const { journal, target, clock, self } = context;
  refuseIfBusy(journal, target, read);
  if (earlier?.open !== true) {
    claimContent(journal, target, read, wishKey(wanted));
    return { run: read, settled: [] };
  }
  const settled = bringUpToDate(context, earlier, records);
  reopenRun(journal, earlier.run.id, self, clock.now());
  deleteRun(journal, read);
  return { run: earlier.run.id, settled };
}

/** Deletes what a run has on its list, to the end or until something stops it. */
async function carryOut(facts: DeleteFacts, context: DeleteContext): Promise<DeleteSummary> {
  const { journal, onRow } = context;
  const { run, settled } = journal.transaction(() => claim(facts, context));
  context.reporter.report({ type: 'run', run });
  for (const [row, outcome] of settled) await onRow(row, outcome);
  const deleting = { ...context, run };
  let unseen = 0;
  const work = async (): Promise<void> => {
    await removeAll(deleting, {
      before: await readShortList(deleting),
      keepParents: false,
      onRow,
      backUp: (records) => keep(deleting, records),
      backUpMore: (records) => context.backUp(records, { further: true }),
    });
    unseen = await leftOfPersona(deleting, facts);
  };
  const error = await whatStopped(work());
  const isLeft = deletions(journal, run, OPEN).length > 0;
  const state = endWork(deleting, { error, isLeft });
  return { ...summariseDelete(facts, { journal, run, unseen }), state, error };
}

/** The journal knows of the backup before the first is deleted. What an earlier one has just so is not written again. */
function keep(context: SendContext & DeleteContext, records: readonly RecordImage[]): string {
  const { journal, run } = context;
  const [kept] = backupsOf(journal, run);
  if (kept !== undefined && isInBackup(kept, records)) return kept;
  const file = context.backUp(records, { further: kept !== undefined });
  noteBackup(journal, run, file);
  return file;
}
