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
} from '../journal/runs.ts';
import { countIn } from '../journal/queued-rows.ts';
import { unsettledRuns } from '../journal/earlier-runs.ts';
import { settleRuns } from '../prove/settle-runs.ts';
import { tellRequests, workAhead } from '../perform/requests-ahead.ts';
import type { SendContext, WorkContext } from '../journal/send-context.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import { endWork, whatStopped } from '../perform/stop-rules.ts';
import { waitForLate } from '../snapshot/wait-until.ts';
import { isInBackup } from './backup.ts';
import { closeEarlier } from './earlier.ts';
import { summariseRemoval, type RemovalSummary } from './removal-summary.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { deletions, noteDeletion } from '../journal/delete-rows.ts';
import { readFindings } from '../journal/steps.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { proveFirst } from './first.ts';
import { holdBack, membersOf } from './hold.ts';
import { proveAll } from './proof.ts';
import { Remover, type RemoverOptions } from './remover.ts';

export interface RemovalContext extends WorkContext {
  /** The service in words, for the question. */
  label: string;
  /**
   * Tells what became of whom, or would; called once, before the summary is returned, while the rows are in the journal.
   * Only those of a run that was begun stay there.
   */
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
  make: (sending: SendContext) => Promise<Made>,
  context: RemovalContext,
): Promise<RemovalSummary> {
  const { journal, target, clock, self } = context;
  const { dryRun, refused: _refused, ...kind } = wish;
  if (!dryRun) await settleEarlier(context);
  const run = beginRun(journal, { ...kind, target, files: [] }, clock.now(), self);
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

/** What deletes and undos before are in doubt about; what they have asked for may land until then. */
async function settleEarlier(context: RemovalContext): Promise<void> {
  const { journal, target } = context;
  await settleRuns(
    context,
    unsettledRuns(journal, target).filter(({ kind }) => kind !== 'push'),
    {},
  );
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
  const error = await whatStopped(
    work().then((result) => {
      audit = result;
    }),
  );
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

/** Keeps registrations where push can take them back from; durable when it returns. Returns where. */
export type BackUp = (records: readonly RecordImage[]) => string;

export interface RemovalOptions extends RemoverOptions {
  /** What the service lists right before; undefined where that is not known. */
  before: ListReading | undefined;
  backUp: BackUp;
  /** Keeps what was listed beside that before a first deletion of its kind; `backUp` unless given. */
  backUpMore?: BackUp;
}

/**
 * What becomes of the registrations that a run is to delete, whoever has chosen them: they are held against what is
 * listed now, kept in a backup, deleted, the first of a kind alone, and looked for again, with those that must not
 * change. Ends early without an error on Ctrl-C. Throws what stops it.
 */
export async function removeAll(context: SendContext, options: RemovalOptions): Promise<void> {
  const { journal, run, reporter, stopping } = context;
  const { before, keepParents, backUp, backUpMore = backUp } = options;
  if (before !== undefined) holdBack(context, before, { keepParents });
  const rows = deletions(journal, run, UNFINISHED);
  if (rows.length === 0 || stopping.aborted) return;
  const members = before === undefined ? [] : membersOf(context, before, rows);
  const file = backUp([...rows.map((row) => row.before), ...members]);
  reporter.report({ type: 'note', text: `Backup: ${file}` });
  const remover = new Remover(context, options);
  await proveFirst(context, remover, { ...options, backUp: backUpMore });
  await remover.removeAll();
  await proveAll(context, before).finally(() => noteGone(context, members));
}

/** Pushing the backup adds those again that went with their parent: it was this run that has deleted them. */
function noteGone({ journal, run, target }: SendContext, members: readonly RecordImage[]): void {
  const gone = readFindings(journal, run).filter(({ kind }) => kind === 'gone');
  for (const { id, barcode } of members) {
    const isGone = gone.some((one) => one.id === id && one.barcode === barcode);
    if (isGone) noteDeletion(journal, target.service, { id, barcode });
  }
}
