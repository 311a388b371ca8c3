import { among, HELD_BACK, SENT, TO_SEND, UNFINISHED } from '../../registration/model/row-states.ts';
import { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import type { PushAhead } from '../../report/views/events.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { proveRun } from '../prove/prove-run.ts';
import { confirmTarget, confirmUnbased, warnOfEmptying } from './confirm-target.ts';
import { type ClaimedRun, claimRun } from './claim-run.ts';
import { countTakenBack } from '../plan/count-plan.ts';
import { countPlan, countShares, readShares } from '../journal/count-run.ts';
import { askOfUnseen } from '../plan/plan-remarks.ts';
import { countNoLonger } from '../plan/count-no-longer.ts';
import { inheritKnown } from '../plan/inherit-fates.ts';
import { countIn, countRows } from '../journal/queued-rows.ts';
import type { Journal } from '../journal/journal.ts';
import { Recheck } from '../plan/recheck.ts';
import { type LookWish, tellNotRechecked } from '../perform/looks.ts';
import { makePlan } from './make-plan.ts';
import { noteSent } from '../journal/note-sent.ts';
import { type Begun, type PushContext, type PushOptions, tellsOfNoLonger } from './push-options.ts';
import { tellRequests } from '../perform/requests-ahead.ts';
import { endWork, whatStopped } from '../perform/stop-rules.ts';
import { performAll } from '../perform/perform.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { SettleOptions } from '../prove/settle.ts';
import { uncertainRuns } from '../journal/runs.ts';
import { waitForLate } from '../snapshot/wait-until.ts';
import { type PushSummary, summarise } from '../tell/summary.ts';

/** Claims the run of the freshly read rows, and does what is left of it, to the end or until something stops it. */
export async function carryOut(
  read: string,
  begun: Begun,
  options: PushOptions,
  context: PushContext,
): Promise<PushSummary> {
  const { journal, clock, target, self } = context;
  const claim = { read, fresh: options.fresh, compare: options.plan !== undefined, now: clock.now(), self };
  const claimed = journal.transaction(() => claimRun(journal, target, claim));
  const run = claimed.id;
  const winner = options.plan?.winner;
  const sending = {
    ...context,
    run,
    takesOther: winner === 'service',
    triesAgain: winner === 'file',
  };
  context.reporter.report({ type: 'run', run });
  const progress: Progress = {
    sentBefore: countSent(journal, run),
    audit: undefined,
    notRechecked: new Set(),
    noLonger: 0,
  };
  const error = await whatStopped(work(sending, { claimed, progress }, options, context));
  noteSent(context);
  const counts = countRows(journal, run);
  const open =
    counts.pending + counts.sending + counts.uncertain + countIn(journal, run, UNFINISHED, 'delete');
  const isUnseen = progress.audit?.skipped !== undefined;
  const state = endWork(sending, { error, isLeft: open > 0 || isUnseen });
  const takesBackMessages = countTakenBack(context, run, [...TO_SEND, ...SENT]);
  return summarise({ rows: run, state, error, takesBackMessages, ...progress, ...begun }, context);
}

/** What is to be told of a run, also when something stops it. */
interface Progress {
  /** Rows that the service held, as they are, before anything was sent. */
  sentBefore: number;
  audit: AuditResult | undefined;
  /** Updates that were sent without a second look, though the first was long ago. */
  notRechecked: Set<number>;
  /** People of earlier pushes of the files that they no longer have. */
  noLonger: number;
}

function countSent(journal: Journal, run: string): number {
  const { done, accepted } = countRows(journal, run);
  return done + accepted;
}

/** Throws what stops it; everything until then is in the journal. */
async function work(
  sending: SendContext,
  { claimed, progress }: { claimed: ClaimedRun; progress: Progress },
  options: PushOptions,
  context: PushContext,
): Promise<void> {
  const { journal, run, target, stopping } = sending;
  const { resumed } = claimed;
  const compare = options.plan !== undefined;
  const match = options.plan?.match === 'email' ? 'email' : 'barcode';
  const settling: SettleOptions = { match, whole: compare };
  announce(sending, claimed);
  await settleDoubts(sending, context, settling);
  journal.transaction(() => inheritKnown(journal, target, run, { resumed, fresh: options.fresh, compare }));
  // What other runs have done since may have to be sent again.
  progress.sentBefore = countSent(journal, run);
  if (!compare) tellSentBefore(sending);
  await settleOwn(sending, settling);
  await waitForLate(sending);
  const settled = countSent(journal, run);
  noteSent(sending);
  const { reading, unbased, unseen, decider, readAtMs = 0 } = await makePlan(sending, options, context);
  if (tellsOfNoLonger(options)) progress.noLonger = countNoLonger(sending, reading);
  // Comparing may show that the service holds a row no more as it was sent.
  progress.sentBefore -= settled - countSent(journal, run);
  if (options.plan === undefined) warnOfEmptying(sending);
  tellRequests(sending, { reading, readings: options.audit ? 1 : 0 }, aheadOf(sending, context));
  const { fresh, planned } = options;
  const recheck = decider && new Recheck(sending, { decider, fresh, planned });
  const wish = recheck && {
    readAtMs,
    notRechecked: progress.notRechecked,
    replan: recheck.take,
  };
  tellNotRechecked(sending, wish);
  const loss = askOfUnseen(unseen);
  await confirmUnbased(unbased, options, { ...context, loss });
  await confirmTarget(sending, context.live, loss);
  decider?.keepAnswers();
  await confirmCommunications(sending, context);
  const pruning = options.prune === undefined ? undefined : await import('../prune/prune.ts');
  await pruning?.confirmPrune(sending, context, reading);
  await send({ ...sending, before: reading }, settling, wish);
  if (!stopping.aborted) await pruning?.pruneRun(sending, context);
  if (options.audit && !stopping.aborted) {
    const audit = await proveRun(sending, { before: reading, tellsTakenBack: true });
    progress.audit = audit;
    progress.audit = { ...audit, unexpected: await lookForUnexpected(sending, audit, settling) };
  }
}

/** What settles is loaded only where something is in doubt. */
async function settleDoubts(
  sending: SendContext,
  { self }: PushContext,
  settling: SettleOptions,
): Promise<void> {
  const { journal, run, target } = sending;
  const others = uncertainRuns(journal, target).filter(({ id }) => id !== run);
  if (others.length === 0) return;
  const { settleOthers } = await import('../prove/settle-others.ts');
  await settleOthers(sending, self, settling);
}

/** Returns how many rows were looked for. */
async function settleOwn(sending: SendContext, settling: SettleOptions): Promise<number> {
  if (countRows(sending.journal, sending.run).uncertain === 0) return 0;
  const { settleUncertain } = await import('../prove/settle.ts');
  return await settleUncertain(sending, settling);
}

/** What no row stands for, without that of rows in doubt which was listed too late for them: these are settled. */
async function lookForUnexpected(
  sending: SendContext,
  { unexpected }: AuditResult,
  settling: SettleOptions,
): Promise<AuditResult['unexpected']> {
  const { journal, run } = sending;
  const doubts = countRows(journal, run).uncertain;
  if (unexpected.count === 0 || doubts === 0) return unexpected;
  const { settleNamelessAgain } = await import('../prove/settle.ts');
  await settleNamelessAgain(sending, settling);
  const ids = unexpected.ids.filter(
    (id) => !journal.has('FROM row WHERE run = $run AND remote_id = $id', { run, id }),
  );
  const settled = doubts - countRows(journal, run).uncertain;
  return { count: Math.max(unexpected.count - settled, ids.length), ids };
}

/** What is left to do of a planned run, and what there is not to do. */
function aheadOf({ journal, run, target }: SendContext, { live }: Pick<PushContext, 'live'>): PushAhead {
  const counts = countRows(journal, run);
  const { unchanged: _compared, ...plan } = countPlan(readShares(journal, run));
  return {
    event: target.eventName,
    live,
    ...plan,
    same: counts.unchanged + counts.done + counts.accepted - plan.kept,
    conflict: counts.conflict,
    doubtful: counts.uncertain,
    rejected: counts.rejected,
  };
}

/** Sends, settles what got no answer, and sends what is proven not to be there. */
async function send(
  sending: SendContext,
  settling: SettleOptions,
  wish: LookWish | undefined,
): Promise<void> {
  const { journal, run, stopping } = sending;
  await performAll(sending, wish);
  if (stopping.aborted) return;
  const absent = await settleOwn(sending, settling);
  if (absent === 0) return;
  // Their parents, or those that were to show what the service does, may have been among the rows just settled.
  journal.run(`UPDATE row SET state = 'pending' WHERE run = $run AND state ${among(HELD_BACK)}`, {
    run,
  });
  await performAll(sending, wish);
}

function announce({ journal, run, reporter }: SendContext, { resumed, from }: ClaimedRun): void {
  const counts = countRows(journal, run);
  const done = counts.done + counts.accepted;
  if (resumed) {
    const isSent = counts.pending + counts.uncertain === 0;
    const rest = isSent ? ', and not yet looked at in the service' : '';
    const text = `Resuming run ${run}: ${plural(done, 'row was', 'rows were')} sent before${rest}.`;
    reporter.report({ type: 'note', text });
  }
  if (from.length > 0) {
    const runs = from.map((id) => `run ${id}`).join(', ');
    reporter.report({ type: 'note', text: `Going on from ${runs}.` });
  }
}

/** Comparing would tell more of them. */
function tellSentBefore({ journal, run, reporter }: SendContext): void {
  const counts = countRows(journal, run);
  if (counts.unchanged > 0) {
    const text = `${plural(counts.unchanged, 'row was', 'rows were')} sent by an earlier run and not changed since; --fresh sends everything again.`;
    reporter.report({ type: 'note', text });
  }
}

/** Mail and text messages to people cannot be taken back, so they need a yes of their own. */
async function confirmCommunications({ journal, run }: SendContext, context: PushContext): Promise<void> {
  const count = countShares(
    readShares(journal, run),
    ({ op, state, asks }) => op === 'send' && asks && TO_SEND.has(state),
  );
  if (count === 0) return;
  const people = plural(count, 'person', 'people');
  if (
    await context.confirm(
      `The service will be asked to send e-mail or text messages to ${people} (enable_comms). Go on?`,
    )
  )
    return;
  throw new GuardError('confirmation', 'Nothing was sent.', {
    hint: 'Clear the enable_comms column to push without messages.',
  });
}
