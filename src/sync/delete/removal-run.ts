import { GuardError } from '../../errors.ts';
import { OPEN, UNFINISHED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { visible } from '../../report/words/escape.ts';
import type { TooMany } from '../decide/delete-guard.ts';
import {
  backupsOf,
  beginRun,
  listRuns,
  noteBackup,
  refuseIfBusy,
  releaseReading,
  startRun,
  takeRun,
} from '../journal/runs.ts';
import { countIn } from '../journal/queued-rows.ts';
import { closeRun, isInterrupted, unsettledRuns } from '../journal/earlier-runs.ts';
import { settleRuns } from '../prove/settle-runs.ts';
import { endWork, tellRequests, whatStopped, workAhead } from '../perform/stop-rules.ts';
import type { SendContext, Session, WorkContext } from '../journal/send-context.ts';
import { noteSent } from '../journal/note-sent.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import { waitForLate } from '../snapshot/wait-until.ts';
import { type BackUp, isInBackup } from './backup.ts';
import { summariseRemoval, type RemovalSummary } from './removal-summary.ts';
import { countRun } from '../journal/count-run.ts';
import { deletions } from '../journal/delete-rows.ts';
import type { Run, RunKind } from '../journal/run.ts';
import { describeCounts } from '../tell/run-words.ts';

export interface RemovalContext extends WorkContext {
  /** The service in words, for the question. */
  label: string;
  /** Tells what became of whom, or would; called once, while the rows are in the journal: before the summary is returned. */
  onEnd: (run: string, state: RemovalSummary['state']) => Promise<void>;
  /** `further`: the run has a backup already, which stays. */
  backUp: (records: Parameters<BackUp>[0], how: { further: boolean }) => string;
}

/** What a command wishes. */
interface Wish {
  kind: 'delete' | 'undo';
  undoes?: string;
  dryRun: boolean;
  /** `Nothing was deleted.` */
  refused: string;
}

/** What is to be done, once it is on the list of the run. */
interface Made {
  tooMany: TooMany | undefined;
  question: string;
  /** How many registrations the service has, where what is sent is read back. */
  there?: number;
  /** Throws what stops it. */
  work: () => Promise<AuditResult | undefined>;
}

/**
 * Makes a list of what is to be deleted and sent, guards, asks, and does it, in a run of its own that goes on from those
 * which were interrupted. Throws what refuses it; what stops it later is in the summary.
 */
export async function runRemoval(
  wish: Wish,
  make: (sending: RemovalContext & SendContext) => Promise<Made>,
  context: RemovalContext,
): Promise<RemovalSummary> {
  const { journal, target, clock, self } = context;
  const { dryRun, refused: _refused, ...kind } = wish;
  await settleEarlier(context);
  noteSent(context);
  const run = beginRun(journal, { ...kind, target, files: [], event: context.event }, clock.now(), self);
  const sending = { ...context, run };
  try {
    const made = await make(sending);
    if (dryRun || countIn(journal, run, OPEN) === 0) {
      tellOutcomes(sending);
      const state = dryRun ? 'planned' : 'nothing';
      await context.onEnd(run, state);
      return summariseRemoval(journal, run, { state, tooMany: made.tooMany?.problem });
    }
    refuse(made.tooMany, wish);
    await confirm(made, wish, sending);
    journal.transaction(() => {
      refuseIfBusy(journal, target, run);
      startRun(journal, run);
      closeEarlier(sending, kind);
    });
    return await carryOut(made, sending);
  } finally {
    releaseReading(journal, run);
  }
}

/** Deletes, or undos of one run. */
interface Which {
  kind: RunKind;
  undoes?: string | undefined;
}

/** Runs of one kind that were broken off, newest first. */
export const interrupted = ({ journal, target }: Session, { kind, undoes }: Which): Run[] =>
  listRuns(journal).filter((run) => isInterrupted(run, target, kind) && run.undoes === undoes);

/** Closes the broken-off runs of a kind that one goes on from: those of which all that is left to delete is on its list. */
function closeEarlier(context: SendContext, which: Which): void {
  const { journal, run, clock, reporter } = context;
  const own = new Set(deletions(journal, run).map(({ id }) => id));
  for (const earlier of interrupted(context, which)) {
    const left = deletions(journal, earlier.id, UNFINISHED);
    const isMine = which.kind === 'undo' || (left.length > 0 && left.every(({ id }) => own.has(id)));
    if (earlier.id === run || !isMine || !takeRun(journal, earlier.id)) continue;
    closeRun(journal, earlier, { by: run, now: clock.now() });
    const done = describeCounts(countRun(journal, earlier.id));
    reporter.report({ type: 'note', text: `Going on from run ${earlier.id}: ${done}.` });
  }
}

/** What deletes and undos before are in doubt about; what they have asked for may land until then. */
async function settleEarlier(context: RemovalContext): Promise<void> {
  const { journal, target } = context;
  const runs = unsettledRuns(journal, target).filter(({ kind }) => kind !== 'push');
  await settleRuns(context, runs, {});
  await waitForLate(context);
}

/** Throws what is said when it would be too many. */
function refuse(tooMany: TooMany | undefined, { refused }: Wish): void {
  if (tooMany === undefined) return;
  const { problem, hint } = tooMany;
  throw new GuardError('max-delete', `${problem.replace(/^t/, 'T')}. ${refused}`, { hint });
}

async function confirm(
  { question, there }: Made,
  { refused }: Wish,
  context: RemovalContext & SendContext,
): Promise<void> {
  // What is sent is read at the end; what is deleted also right before, lest it was changed meanwhile.
  const reading = there === undefined ? undefined : { total: there };
  const readings = there === undefined ? 0 : 1;
  tellRequests(context, workAhead(context, OPEN), { reading, readings, deletionReadings: 2 });
  if (!(await context.confirm(visible(question)))) throw new GuardError('confirmation', refused);
}

/** To the end, or until something stops it. */
async function carryOut({ work }: Made, context: RemovalContext & SendContext): Promise<RemovalSummary> {
  const { journal, run, reporter, onEnd } = context;
  reporter.report({ type: 'run', run });
  let audit: AuditResult | undefined;
  const error = await whatStopped(work().then((result) => void (audit = result)));
  const isLeft = countIn(journal, run, OPEN) > 0 || audit?.skipped !== undefined;
  const state = endWork(context, { error, isLeft });
  tellOutcomes(context);
  await onEnd(run, state);
  return summariseRemoval(journal, run, { state, audit, error });
}

/** Where what is deleted is kept: the run knows of it before the first is. What it, or one before it, has just so is not written again. */
export const keepIn = ({
  journal,
  run,
  backUp,
}: RemovalContext & SendContext): { backUp: BackUp; backUpMore: BackUp } => ({
  backUp(records) {
    const earlier = listRuns(journal).filter(({ continuedBy }) => continuedBy === run);
    const kept = [...backupsOf(journal, run), ...earlier.flatMap(({ files }) => files)];
    const same = kept.find((file) => isInBackup(file, records));
    const file = same ?? backUp(records, { further: kept.length > 0 });
    if (!backupsOf(journal, run).includes(file)) noteBackup(journal, run, file);
    return file;
  },
  backUpMore: (records) => backUp(records, { further: true }),
});
