import { dirname } from 'node:path';
import { offeredOr } from '../../service/http/failure.ts';
import { OPEN, UNFINISHED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { addDeletions } from '../journal/delete-rows.ts';
import { Journal } from '../journal/journal.ts';
import { noteSent } from '../journal/note-sent.ts';
import { countIn, releaseHeldBack } from '../journal/queued-rows.ts';
import { beginRun } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { latestStep } from '../journal/steps.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import { type LookWish, tellNotRechecked } from '../perform/looks.ts';
import { performAll } from '../perform/perform.ts';
import { endWork, whatStopped } from '../perform/stop-rules.ts';
import type { RunPlan } from '../plan/plan-rows.ts';
import { recheck } from '../plan/recheck.ts';
import type { RowsToPlan } from '../plan/rows-to-plan.ts';
import { writePlan } from '../plan/write-plan.ts';
import { proveRun } from '../prove/prove-run.ts';
import type { SettleOptions } from '../prove/settle.ts';
import type { PrunePlan } from '../prune/prune-plan.ts';
import { type PushSummary, summarise } from '../tell/summary.ts';
import { beginPush, type BegunRun } from './begin-push.ts';
import type { MadePlan } from './make-plan.ts';
import { confirmPush, type Guarded, planPush, settlingOf } from './plan-push.ts';
import type { Begun, PushContext, PushOptions } from './push-options.ts';

/** Plans the rows, begins their run, and does all of it, to the end or until something stops it. */
export async function carryOut(
  rows: RowsToPlan,
  begun: Begun,
  options: PushOptions,
  context: PushContext,
): Promise<PushSummary> {
  const guarded: Guarded = { noLonger: [], isFlawed: false, requests: undefined };
  let made: MadePlan | undefined;
  let started: BegunRun | undefined;
  const error = await whatStopped(
    (async () => {
      const step = latestStep(context.journal);
      made = await planPush(rows, options, context, guarded);
      if (made.refused !== undefined) throw made.refused;
      if (options.dryRun) return;
      await confirmPush(made, rows, options, context);
      started = beginPush(context, { ...made, rows, startedAt: begun.startedAt, step });
    })(),
  );
  const { noLonger, isFlawed } = guarded;
  if (made === undefined || started === undefined) {
    const state =
      options.dryRun && error === undefined
        ? 'planned'
        : context.stopping.aborted
          ? 'interrupted'
          : 'stopped';
    const takesBackMessages = made?.plan.takenBack ?? 0;
    return await tellUnsent(
      { rows, ...made },
      { ...begun, ...guarded, state, error, takesBackMessages },
      context,
    );
  }
  const { plan } = made;
  return await send({ started, plan, noLonger, isFlawed, begun }, options, context);
}

interface SendFacts {
  started: BegunRun;
  plan: RunPlan;
  noLonger: Guarded['noLonger'];
  isFlawed: boolean;
  begun: Begun;
}

/** Does what was planned, once its run has begun. */
async function send(
  { started, plan, noLonger, isFlawed, begun }: SendFacts,
  options: PushOptions,
  context: PushContext,
): Promise<PushSummary> {
  const { journal, reporter } = context;
  const { run, from } = started;
  const { winner } = options;
  const { reading: before } = plan;
  const sending = {
    ...context,
    run,
    before,
    takesOther: winner === 'service',
    triesAgain: winner === 'file',
  };
  reporter.report({ type: 'run', run });
  if (from.length > 0) {
    const runs = from.map((id) => `run ${id}`).join(', ');
    reporter.report({ type: 'note', text: `Going on from ${runs}.` });
  }
  const progress: Progress = { audit: undefined, notRechecked: new Set() };
  const error = await whatStopped(work(sending, plan, progress, options));
  noteSent(context);
  const open = countIn(journal, run, OPEN, 'send') + countIn(journal, run, UNFINISHED, 'delete');
  const isUnseen = progress.audit?.skipped !== undefined;
  const state = endWork(sending, { error, isLeft: open > 0 || isUnseen });
  const takesBackMessages = plan.takenBack;
  const facts = { rows: run, state, error, takesBackMessages, noLonger, isFlawed, ...progress, ...begun };
  const summary = summarise(facts, context);
  tellOutcomes({ ...context, run });
  await context.onEnd?.(journal, run, summary);
  return summary;
}

/** What is to be told of a run, also when something stops it. */
interface Progress {
  audit: AuditResult | undefined;
  /** Updates that were sent without a second look, though the first was long ago. */
  notRechecked: Set<number>;
}

/** Throws what stops it; everything until then is in the journal. */
async function work(
  sending: SendContext & PushContext,
  { decider, readAtMs, reading, unlisted }: RunPlan,
  progress: Progress,
  options: PushOptions,
): Promise<void> {
  const { stopping } = sending;
  const { again, planned } = options;
  const { notRechecked } = progress;
  const wish = { readAtMs, notRechecked, replan: recheck(sending, { decider, again, planned }) };
  tellNotRechecked(sending, wish);
  await sendAll(sending, settlingOf(options), wish);
  if (options.prune !== undefined && !stopping.aborted)
    await (await import('../prune/prune.ts')).pruneRun(sending, sending);
  if (!options.audit) return;
  const audit = await proveRun(sending, { before: reading, tellsTakenBack: true });
  // Where there is no list, still, somebody has said that it is to be sent all the same.
  if (unlisted === undefined || audit.skipped !== unlisted) progress.audit = audit;
}

/** Returns how many rows are not in doubt any more. */
async function settleOwn(sending: SendContext, settling: SettleOptions): Promise<number> {
  if (countIn(sending.journal, sending.run, ['uncertain'], 'send') === 0) return 0;
  const { settleUncertain } = await import('../prove/settle.ts');
  return await offeredOr(settleUncertain(sending, settling), 0);
}

/** Sends, settles what got no answer, and sends what is proven not to be there. */
async function sendAll(
  sending: SendContext,
  settling: SettleOptions,
  wish: LookWish | undefined,
): Promise<void> {
  const { journal, run, stopping } = sending;
  await performAll(sending, wish);
  if (stopping.aborted) return;
  if ((await settleOwn(sending, settling)) === 0) return;
  // Their parents, or those that were to show what the service does, may have been among the rows just settled.
  releaseHeldBack(journal, run);
  await performAll(sending, wish);
}

type Facts = Omit<Parameters<typeof summarise>[0], 'rows'>;

/**
 * Tells of a push that has not begun: a dry run, one whose rows are refused, or one that was stopped before. Its rows
 * are put into a journal of its own, which is told of as any other and gone afterwards.
 */
export async function tellUnsent(
  { rows, plan, prune }: { rows: RowsToPlan; plan?: RunPlan | undefined; prune?: PrunePlan | undefined },
  facts: Facts,
  context: PushContext,
): Promise<PushSummary> {
  const { target, self, onEnd } = context;
  const journal = Journal.passing(dirname(context.journal.file));
  const run = beginRun(journal, { kind: 'push', target, files: rows.files }, facts.startedAt, self);
  try {
    const unsent = { ...context, journal, run };
    journal.transaction(() => {
      writePlan(unsent, { rows, plan });
      addDeletions(journal, run, prune?.going ?? []);
    });
    tellOutcomes(unsent);
    const isPlanned = plan !== undefined;
    const summary = { ...summarise({ ...facts, rows: run, isPlanned }, unsent), run: undefined };
    await onEnd?.(journal, run, summary);
    return summary;
  } finally {
    journal.locks.forget(run);
    journal.close();
  }
}
