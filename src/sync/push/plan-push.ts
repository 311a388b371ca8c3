import { createHash } from 'node:crypto';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { PushAhead } from '../../report/views/events.ts';
import { whoAre } from '../../report/words/who.ts';
import { offeredOr } from '../../service/http/failure.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import { isSendable } from '../ingest/input-row.ts';
import { unsettledRuns } from '../journal/earlier-runs.ts';
import { noteSent } from '../journal/note-sent.ts';
import { requestsAhead, tellRequests } from '../perform/stop-rules.ts';
import { EarlierDoubts } from '../plan/earlier-doubts.ts';
import { findNoLonger } from '../plan/other-lists.ts';
import { carriedOutSince, planEntries } from '../plan/plan-entries.ts';
import { planRows } from '../plan/plan-rows.ts';
import { type PlannedRow, type RowsToPlan, standing } from '../plan/rows-to-plan.ts';
import type { SettleOptions } from '../prove/settle.ts';
import { waitForLate } from '../snapshot/wait-until.ts';
import type { SummaryFacts } from '../tell/summary.ts';
import { askWhoTheyAre, isToSend, tellQuestions } from './ask-first.ts';
import { refuseIfShared } from './begin-push.ts';
import { type MadePlan, type PushContext, type PushOptions, tellsOfNoLonger } from './begin-push.ts';

/** Settles what earlier runs are in doubt about, and plans; what there is to tell of that is kept in `told`. */
export async function planPush(
  rows: RowsToPlan,
  options: PushOptions,
  context: PushContext,
  told: Pick<SummaryFacts, 'isFlawed' | 'noLonger' | 'requests' | 'takesBackMessages'>,
): Promise<MadePlan> {
  const { journal, target, live } = context;
  const { dryRun, audit } = options;
  refuseIfShared(journal, target, rows);
  told.isFlawed = await settleEarlier(context, options);
  await waitForLate(context);
  noteSent(context);
  const made = await makePlan(context, rows, options);
  const { plan, prune, refused } = made;
  const { reading } = plan;
  told.takesBackMessages = plan.takenBack;
  if (refused !== undefined) return made;
  if (tellsOfNoLonger(options)) told.noLonger = findNoLonger(context, rows, plan.rows, reading);
  const work = { sends: plan.rows.filter(isToSend).length, deletes: prune?.deletes ?? 0 };
  const readings = (dryRun && reading !== undefined ? 1 : 0) + (audit ? 1 : 0);
  if (dryRun) {
    if (prune !== undefined) told.noLonger = whoAre(prune.going, fieldsOf(context.event));
    told.requests = requestsAhead(work, { reading, readings }).requests;
    tellQuestions(plan, rows, options.winner, context.reporter);
  } else {
    const noLonger = told.noLonger?.length ?? 0;
    const ahead = aheadOf(made, rows, { event: target.eventName, live, noLonger });
    tellRequests(context, work, { reading, readings }, ahead);
  }
  return made;
}

/** Compares the rows with the service, decides what becomes of each, and shows the plan. */
async function makePlan(
  context: PushContext,
  rows: RowsToPlan,
  { match, winner, prune, again, dryRun, prepared }: PushOptions,
): Promise<MadePlan> {
  const { masks, choose, journal, target, event } = context;
  const doubts = new EarlierDoubts(context);
  const options = { match, winner, again, whole: prune !== undefined };
  let plan = await planRows(context, rows, doubts, options);
  const plain = masks.refusalOfPlain(plan.rows.filter(isUpdate).map(({ row }) => row.seq - row.part));
  const asks = !dryRun && plain === undefined;
  if (asks && choose !== undefined && match === 'barcode' && plan.rows.some(isAsked)) {
    const answer = await askWhoTheyAre(plan.rows.filter(isAsked), choose);
    const { reading, readAtMs } = plan;
    const answered = { ...options, match: answer, read: { reading } };
    plan = { ...(await planRows(context, rows, doubts, answered)), readAtMs };
  }
  doubts.hold(plan.rows, rows);
  const { reading } = plan;
  const leftOut = new Set(prepared.files.flatMap(({ byValue }) => [...byValue.people]));
  const found = prune && reading && { rows: standing(rows, plan.rows), reading };
  const pruned =
    found &&
    (await import('../prune/prune-plan.ts')).planPrune(context, found, { match, maxDelete: prune, leftOut });
  const made = { plan, prune: pruned, refused: plain ?? pruned?.refused };
  const shown = { rows, planned: plan.rows, going: pruned?.going ?? [] };
  const entering = { journal, target, fields: fieldsOf(event) };
  await context.onPlan({
    isRefused: made.refused !== undefined,
    get contentKey() {
      return contentKey(rows);
    },
    entries: (which) => planEntries(entering, shown, which),
    doneSince: (since) => carriedOutSince(entering, plan.rows, since),
  });
  return made;
}

const isUpdate = ({ decision }: PlannedRow): boolean => decision.action === 'update';

/** Somebody has to say whom it is about. */
const isAsked = ({ state, decision }: PlannedRow): boolean =>
  state === 'conflict' && decision.asked !== undefined;

/** One value for the rows whatever their order. */
function contentKey(rows: RowsToPlan): string {
  const hash = createHash('sha256');
  for (const content of rows.contents()) hash.update(`${content}\n`);
  return hash.digest('hex');
}

export const settlingOf = ({ match }: PushOptions): SettleOptions => ({
  match: match === 'email' ? 'email' : 'barcode',
  whole: true,
});

/** What settles is loaded only where something is to be settled. */
async function settleEarlier(context: PushContext, options: PushOptions): Promise<boolean> {
  const runs = unsettledRuns(context.journal, context.target);
  if (runs.length === 0) return false;
  const { settleRuns } = await import('../prove/settle-runs.ts');
  // Where there is no list rows stay in doubt, and the others are asked about.
  return await offeredOr(settleRuns(context, runs, settlingOf(options)), false);
}

/** What is left to do of a planned push, and what there is not to do. */
function aheadOf(
  { plan, prune }: MadePlan,
  { ingested }: RowsToPlan,
  facts: Pick<PushAhead, 'event' | 'live' | 'noLonger'>,
): PushAhead {
  const count = (which: (one: PlannedRow) => boolean): number => plan.rows.filter(which).length;
  const sent = (action: PlanAction): number =>
    count(({ state, decision }) => state === 'pending' && decision.action === action);
  const kept = count(({ state, decision }) => state === 'unchanged' && decision.action === 'kept');
  return {
    ...facts,
    create: sent('create'),
    update: sent('update'),
    unknown: sent('unknown'),
    kept,
    delete: prune?.deletes ?? 0,
    same: count(({ state }) => state === 'unchanged') - kept,
    conflict: count(({ state }) => state === 'conflict'),
    doubtful: count(({ state }) => state === 'uncertain'),
    rejected: ingested.rows.filter((row) => !isSendable(row)).length,
  };
}
