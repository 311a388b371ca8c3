import { OPEN } from '../../registration/model/row-states.ts';
import { GuardError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { describeCounts } from '../tell/run-words.ts';
import { checkMaxDelete, type MaxDelete } from '../decide/delete-guard.ts';
import { heldBy, refuseIfBusy } from '../journal/busy-runs.ts';
import { countRun } from '../journal/count-run.ts';
import type { Journal } from '../journal/journal.ts';
import { countIn } from '../journal/queued-rows.ts';
import { tellRequests, workAhead } from '../perform/requests-ahead.ts';
import type { Run } from '../journal/run.ts';
import {
  beginRun,
  claimContent,
  findRunByContent,
  noteLater,
  otherHolder,
  releaseReading,
  takeRun,
} from '../journal/runs.ts';
import type { SendContext, WorkContext } from '../journal/send-context.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import { reopenUndo } from '../journal/undo-rows.ts';
import { refuseTooMany } from '../delete/guard.ts';
import type { BackUp } from '../delete/removal.ts';
import { carryOutUndo } from './undo-carry-out.ts';
import { planUndo } from './undo-plan.ts';
import { summariseUndo, type UndoSummary } from './undo-tell.ts';

export interface UndoOptions {
  undone: Run;
  maxDelete: MaxDelete;
  dryRun: boolean;
}

export interface UndoContext extends WorkContext {
  /** The service in words, for the question. */
  label: string;
  /**
   * Shows what an undo came to, or would; called once, before the summary is returned. Not `claimed`: nothing of it stays
   * in the journal.
   */
  onEnd: (run: string, how: { claimed: boolean }) => Promise<void>;
  backUp: BackUp;
}

/**
 * Deletes what a run has created and brings back what it has changed or deleted, as far as it is still as the
 * run has left it. The same undo again goes on where it was interrupted. Throws what refuses it; what stops
 * it later is in the summary.
 */
export async function runUndo(options: UndoOptions, context: UndoContext): Promise<UndoSummary> {
  const { journal, target, clock, self } = context;
  const { undone, dryRun } = options;
  refuseForeign(undone, context);
  const earlier = findRunByContent(journal, target, keyOf(undone));
  try {
    takeAll(journal, undone, earlier);
    const isOpen = earlier !== undefined && !dryRun && countIn(journal, earlier.id, OPEN) > 0;
    const start = { kind: 'undo', target, files: [], undoes: undone.id } as const;
    const run = isOpen ? earlier.id : beginRun(journal, start, clock.now(), self);
    if (isOpen) {
      journal.transaction(() => reopenUndo(journal, run, self, clock.now()));
      context.reporter.report({ type: 'note', text: `Going on with run ${run}, which was interrupted.` });
    }
    try {
      return await planAndCarryOut({ ...context, run }, options, isOpen);
    } finally {
      releaseReading(journal, run);
    }
  } finally {
    journal.locks.release(undone.id);
    if (earlier !== undefined) journal.locks.release(earlier.id);
  }
}

const keyOf = ({ id }: Run): string => `undo:${id}`;

async function planAndCarryOut(
  context: UndoContext & SendContext,
  { undone, maxDelete, dryRun }: UndoOptions,
  isOpen: boolean,
): Promise<UndoSummary> {
  const { journal, run, target } = context;
  const before = await planUndo(context, undone);
  const deletes = countIn(journal, run, OPEN, 'delete');
  const sends = countIn(journal, run, OPEN, 'send');
  // As far as was read.
  const there = before.total ?? before.listed.count;
  const tooMany = checkMaxDelete(deletes, there, maxDelete);
  if (!isOpen && (dryRun || deletes + sends === 0)) {
    tellOutcomes(context);
    await context.onEnd(run, { claimed: false });
    const state = dryRun ? 'planned' : 'nothing';
    return summariseUndo(journal, run, { state, undone: undone.id, tooMany: tooMany?.problem });
  }
  refuseTooMany(tooMany, 'Nothing was undone.');
  if (deletes + sends > 0) await confirm({ deletes, sends, there }, undone, context);
  journal.transaction(() => {
    refuseIfBusy(journal, target, run);
    if (!isOpen) claimContent(journal, target, run, keyOf(undone));
  });
  const summary = await carryOutUndo({ ...context, triesAgain: true }, undone, { ...context, before });
  // What the undone run came to at its end stays as it was.
  const text = `undone by run ${run}: ${describeCounts(countRun(journal, run))}`;
  noteLater(journal, undone.id, { at: context.clock.now(), text });
  return summary;
}

/** Throws GuardError for a run of another service or event, or one that is still reading. */
function refuseForeign({ id, service, event, eventName, state }: Run, { target }: UndoContext): void {
  if (service !== target.service || event !== target.eventId)
    throw new GuardError(
      'other-service',
      `Run ${id} was at ${service} (${eventName}), which is not where you are now.`,
      { hint: 'Choose its service with --profile, or --sandbox.' },
    );
  if (state === 'reading') throw new GuardError('busy', `Run ${id} is still reading its files.`);
}

/** Takes the run, and the undo of it that there is: nobody else goes on with them. Throws GuardError when somebody has them. */
function takeAll(journal: Journal, undone: Run, earlier: Run | undefined): void {
  for (const run of [undone, ...(earlier === undefined ? [] : [earlier])]) {
    if (takeRun(journal, run.id)) continue;
    const what = run === undone ? `Run ${run.id} is being worked on` : `Run ${undone.id} is being undone`;
    throw heldBy(what, otherHolder(journal, run));
  }
}

/** Throws GuardError when nobody says yes. `there`: how many registrations the service has. */
async function confirm(
  { deletes, sends, there }: { deletes: number; sends: number; there: number },
  { id }: Run,
  context: UndoContext & SendContext,
): Promise<void> {
  // Read at the end; what is deleted also right before, lest it was changed meanwhile.
  const readings = { readings: 1, deletionReadings: 2 };
  tellRequests(context, workAhead(context, OPEN), { reading: { total: there }, ...readings });
  const parts = [
    ...(deletes > 0 ? [`delete ${plural(deletes, 'registration', 'registrations')}`] : []),
    ...(sends > 0 ? [`bring back ${plural(sends, 'registration', 'registrations')}`] : []),
  ];
  if (await context.confirm(visible(`Undo run ${id}: ${parts.join(' and ')} at ${context.label}?`))) return;
  throw new GuardError('confirmation', 'Nothing was undone.');
}
