import { type Ingested, ingest } from '../ingest/ingest.ts';
import { countRecords } from '../ingest/rejects.ts';
import { placesOf } from '../ingest/same-person.ts';
import { RowsToPlan } from '../plan/rows-to-plan.ts';
import { type PushSummary, type SummaryFacts, summarise } from '../tell/summary.ts';
import { type Begun, type MadePlan, type PushContext, type PushOptions, type WhatNow } from './begin-push.ts';
import { dirname } from 'node:path';
import { offeredOr } from '../../service/http/failure.ts';
import { OPEN, UNFINISHED } from '../../registration/model/row-states.ts';
import { addDeletions } from '../journal/delete-rows.ts';
import { Journal } from '../journal/journal.ts';
import { countIn, releaseHeldBack } from '../journal/queued-rows.ts';
import { beginRun } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import { type LookWish, tellNotRechecked } from '../perform/looks.ts';
import { performAll } from '../perform/perform.ts';
import { endWork, whatStopped } from '../perform/stop-rules.ts';
import type { RunPlan } from '../plan/plan-rows.ts';
import { recheck, writePlan } from '../plan/write-plan.ts';
import { proveRun } from '../prove/prove-run.ts';
import type { SettleOptions } from '../prove/settle.ts';
import type { PrunePlan } from '../prune/prune-plan.ts';
import { confirmPush } from './ask-first.ts';
import { type BegunRun, beginPush } from './begin-push.ts';
import { planPush, settlingOf } from './plan-push.ts';

/** Read, validate, plan, send, settle, audit: the main job from file to summary. */
export async function push(options: PushOptions, context: PushContext): Promise<PushSummary> {
  const { rows, begun, refused } = await readIn(options, context);
  const isNobodyLeft = rows.sendable.length === 0 && rows.ingested.rows.length > 0;
  if (refused || (isNobodyLeft && !options.dryRun))
    return await tellUnsent({ rows }, { ...begun, state: 'refused' }, context);
  return await carryOut(rows, begun, options, context);
}

async function readIn(
  options: PushOptions,
  context: PushContext,
): Promise<{ rows: RowsToPlan; begun: Begun; refused: boolean }> {
  const { clock } = context;
  const startedAt = clock.now();
  const files = options.prepared.files.map(({ stored }) => stored.file);
  const invalid = asksWhatNow(options, context) ? 'skip' : options.invalid;
  const reading = { ...options, invalid, keepsCells: keepsCells(options, context) };
  const ingested = await ingest(reading, context);
  const wrong = countRecords(ingested.rows);
  const now = wrong.rejected > 0 ? await tellRejected(wrong, ingested, options, context) : undefined;
  const refused = wrong.rejected > 0 && options.invalid === 'stop' && now?.do !== 'send';
  const { repairs, leftOut } = ingested;
  const leftOutBy = options.prepared.files.flatMap(({ byValue }) => byValue.leftOut);
  const begun = { startedAt, repairs, leftOut: placesOf(leftOut), leftOutBy };
  return { rows: new RowsToPlan(files, ingested), begun, refused };
}

/**
 * Tells of rows that cannot be sent, asks what is to become of them, and writes them where that is asked for. Throws
 * what is thrown where more is to be said of the file first.
 */
async function tellRejected(
  wrong: { rejected: number; left: number },
  { rows }: Ingested,
  options: PushOptions,
  context: PushContext,
): Promise<WhatNow | undefined> {
  const { reportRejects, writeRejectsFile } = await import('../ingest/rejects.ts');
  reportRejects(rows, context.reporter);
  const now = asksWhatNow(options, context)
    ? await context.whatNow?.({ ...wrong, reasons: rows.flatMap(({ reasons }) => reasons) })
    : undefined;
  const rejects = (now !== undefined && 'rejects' in now ? now.rejects : undefined) ?? options.rejects;
  await writeRejectsFile(rows, { ...options, rejects }, context);
  return now;
}

const asksWhatNow = ({ invalid }: PushOptions, { whatNow }: PushContext): boolean =>
  invalid === 'stop' && whatNow !== undefined;

/** Whether a file of rejected rows is written, or may be. */
const keepsCells = (options: PushOptions, context: PushContext): boolean =>
  options.rejects !== undefined || asksWhatNow(options, context);

/** What is to be told of a push besides what its rows came to, as far as it has come, also when something stops it. */
type Told = Omit<SummaryFacts, 'rows' | 'state' | 'error'>;

/** Plans the rows, begins their run, and does all of it, to the end or until something stops it. */
async function carryOut(
  rows: RowsToPlan,
  begun: Begun,
  options: PushOptions,
  context: PushContext,
): Promise<PushSummary> {
  const told: Told = { ...begun };
  let made: MadePlan | undefined;
  let started: BegunRun | undefined;
  const error = await whatStopped(
    (async () => {
      const step = context.journal.latestNo;
      made = await planPush(rows, options, context, told);
      if (made.refused !== undefined) throw made.refused;
      if (options.dryRun) return;
      await confirmPush(made, rows, options, context);
      started = beginPush(context, { ...made, rows, startedAt: begun.startedAt, step });
    })(),
  );
  if (made !== undefined && started !== undefined)
    return await send(started, made.plan, told, options, context);
  const isPlanned = options.dryRun && error === undefined;
  const state = isPlanned ? 'planned' : context.stopping.aborted ? 'interrupted' : 'stopped';
  return await tellUnsent({ rows, ...made }, { ...told, state, error }, context);
}

/** Does what was planned, once its run has begun. */
async function send(
  { run, from }: BegunRun,
  plan: RunPlan,
  told: Told,
  options: PushOptions,
  context: PushContext,
): Promise<PushSummary> {
  const { journal, reporter } = context;
  const [takesOther, triesAgain] = [options.winner === 'service', options.winner === 'file'];
  const sending = { ...context, run, before: plan.reading, takesOther, triesAgain };
  reporter.report({ type: 'run', run });
  if (from.length > 0) {
    const runs = from.map((id) => `run ${id}`).join(', ');
    reporter.report({ type: 'note', text: `Going on from ${runs}.` });
  }
  const error = await whatStopped(work(sending, plan, told, options));
  const open = countIn(journal, run, OPEN, 'send') + countIn(journal, run, UNFINISHED, 'delete');
  const isUnseen = told.audit?.skipped !== undefined;
  const state = endWork(sending, { error, isLeft: open > 0 || isUnseen });
  const summary = summarise({ ...told, rows: run, state, error }, context);
  tellOutcomes(sending);
  await context.onEnd?.(journal, run, summary);
  return summary;
}

/** Throws what stops it; everything until then is in the journal. */
async function work(
  sending: SendContext & PushContext,
  { decider, readAtMs, reading, unlisted }: RunPlan,
  told: Told,
  options: PushOptions,
): Promise<void> {
  const { stopping } = sending;
  const { again, planned } = options;
  const notRechecked = new Set<number>();
  told.notRechecked = notRechecked;
  const wish = { readAtMs, notRechecked, replan: recheck(sending, { decider, again, planned }) };
  tellNotRechecked(sending, wish);
  await sendAll(sending, settlingOf(options), wish);
  if (options.prune !== undefined && !stopping.aborted)
    await (await import('../prune/prune.ts')).pruneRun(sending);
  if (!options.audit) return;
  const audit = await proveRun(sending, { before: reading, tellsTakenBack: true });
  // Where there is no list, still, somebody has said that it is to be sent all the same.
  if (unlisted === undefined || audit.skipped !== unlisted) told.audit = audit;
}

/** Sends, settles what got no answer, and sends what is proven not to be there. */
async function sendAll(sending: SendContext, settling: SettleOptions, wish: LookWish): Promise<void> {
  const { journal, run, stopping } = sending;
  await performAll(sending, wish);
  if (stopping.aborted || countIn(journal, run, ['uncertain'], 'send') === 0) return;
  const { settleUncertain } = await import('../prove/settle.ts');
  if ((await offeredOr(settleUncertain(sending, settling), 0)) === 0) return;
  // Their parents, or those that were to show what the service does, may have been among the rows just settled.
  releaseHeldBack(journal, run);
  await performAll(sending, wish);
}

/**
 * Tells of a push that has not begun: a dry run, one whose rows are refused, or one that was stopped before. Its rows
 * are put into a journal of its own, which is told of as any other and gone afterwards.
 */
async function tellUnsent(
  { rows, plan, prune }: { rows: RowsToPlan; plan?: RunPlan | undefined; prune?: PrunePlan | undefined },
  facts: Omit<SummaryFacts, 'rows'>,
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
