import { GuardError } from '../../errors.ts';
import type { PushAhead } from '../../report/views/events.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { describeLive } from '../../report/words/service-name.ts';
import type { Who } from '../../report/words/who.ts';
import type { PlanAction, Winner } from '../decide/plan-decision.ts';
import { isSendable } from '../ingest/input-row.ts';
import { offeredOr } from '../../service/http/failure.ts';
import { unsettledRuns } from '../journal/earlier-runs.ts';
import { agree, isAgreed } from '../journal/learned.ts';
import { noteSent } from '../journal/note-sent.ts';
import { requestsAhead, tellRequests } from '../perform/requests-ahead.ts';
import { findNoLonger } from '../plan/no-longer.ts';
import { describeUnbased } from '../plan/plan-remarks.ts';
import type { RunPlan } from '../plan/plan-rows.ts';
import type { PlannedRow, RowsToPlan } from '../plan/rows-to-plan.ts';
import type { SettleOptions } from '../prove/settle.ts';
import { waitForLate } from '../snapshot/wait-until.ts';
import { refuseIfShared } from './begin-push.ts';
import { type MadePlan, makePlan } from './make-plan.ts';
import { type PushContext, type PushOptions, tellsOfNoLonger } from './push-options.ts';

export interface Guarded {
  /** People of earlier versions of the list who are not in it any more. */
  noLonger: readonly Who[];
  /** What an interrupted push has sent was found otherwise now. */
  isFlawed: boolean;
  /** What a dry run would ask of the service. */
  requests: number | undefined;
}

/** Settles what earlier runs are in doubt about, and plans. */
export async function planPush(
  rows: RowsToPlan,
  options: PushOptions,
  context: PushContext,
  guarded: Guarded,
): Promise<MadePlan> {
  const { journal, target, live } = context;
  refuseIfShared(journal, target, rows);
  if (!options.dryRun) {
    guarded.isFlawed = await settleEarlier(context, options);
    await waitForLate(context);
    noteSent(context);
  }
  const made = await makePlan(context, rows, options);
  if (made.refused !== undefined) return made;
  const { plan, prune } = made;
  const { reading } = plan;
  if (tellsOfNoLonger(options)) guarded.noLonger = findNoLonger(context, rows, plan.rows, reading);
  const work = { sends: plan.rows.filter(isToSend).length, deletes: prune?.deletes ?? 0 };
  const readings = (options.dryRun && reading !== undefined ? 1 : 0) + (options.audit ? 1 : 0);
  if (options.dryRun) {
    guarded.requests = requestsAhead(work, { reading, readings }).requests;
    tellUnknown(plan, options, context);
  } else {
    tellRequests(
      context,
      work,
      { reading, readings },
      aheadOf(made, rows, { event: target.eventName, live, noLonger: guarded.noLonger.length }),
    );
  }
  return made;
}

/** Asks for everything that needs a yes. Throws GuardError for a no. */
export async function confirmPush(
  { plan, prune }: MadePlan,
  rows: RowsToPlan,
  options: PushOptions,
  context: PushContext,
): Promise<void> {
  const sends = plan.rows.filter(isToSend);
  await confirmUnknown(plan, options, context);
  if (sends.length > 0 || (prune?.deletes ?? 0) > 0) await confirmTarget(context);
  await confirmCommunications(
    sends.filter(({ row, decision: { ask } }) => (ask ?? rows.registrationOf(row)).enableComms).length,
    context,
  );
  if (prune !== undefined) await (await import('../prune/prune.ts')).confirmPrune(prune, context);
}

const isToSend = ({ state }: PlannedRow): boolean => state === 'pending';

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

/** Mail and text messages to people cannot be taken back, so they need a yes of their own. */
async function confirmCommunications(count: number, { confirm }: PushContext): Promise<void> {
  if (count === 0) return;
  const people = plural(count, 'person', 'people');
  const question = `The service will be asked to send e-mail or text messages to ${people} (enable_comms). Go on?`;
  refuseUnless(await confirm(question), 'Clear the enable_comms column to push without messages.');
}

/** Throws GuardError for a no. */
function refuseUnless(yes: boolean, hint: string): void {
  if (!yes) throw new GuardError('confirmation', 'Nothing was sent.', { hint });
}

/**
 * Asks about the first push to an event from this machine that is not at the embedded sandbox, where somebody can be
 * asked. Throws GuardError for a no.
 */
async function confirmTarget({ journal, target, clock, live }: PushContext): Promise<void> {
  const { service, eventId } = target;
  if (live === undefined || isAgreed(journal, service, eventId)) return;
  const where = describeLive(target.eventName, live);
  const question = `This is the first push to ${where} from this machine. Send?`;
  const hint =
    'Rehearse with --sandbox, look first with --dry-run --diff, or choose another profile with --profile.';
  refuseUnless(await live.ask(question), hint);
  agree(journal, service, eventId, clock.now());
}

/**
 * Asks before values are sent over others that nobody can see, or of which this machine does not know who has written
 * them, as on a new machine. Throws a GuardError without a yes.
 */
async function confirmUnknown(
  plan: RunPlan,
  { winner }: PushOptions,
  { confirm }: PushContext,
): Promise<void> {
  for (const { about, question, hint } of questionsOf(plan, winner))
    refuseUnless(await confirm(visible(`${about}. ${question}`)), hint);
}

/** Says in a dry run what a push would ask. */
function tellUnknown(plan: RunPlan, { winner }: PushOptions, { reporter }: PushContext): void {
  for (const { about, hint } of questionsOf(plan, winner))
    reporter.report({ type: 'warning', text: `${about}: a push asks first. ${hint}` });
}

function* questionsOf({ rows, reading, unlisted }: RunPlan, winner: Winner) {
  const unseen = reading?.barcodesShown === true ? NO_KIND : undefined;
  const why = unlisted ?? (reading?.fieldsShown === false ? NO_VALUES : unseen);
  const blind = rows.filter(({ state, decision }) => state === 'pending' && decision.action === 'unknown');
  if (why !== undefined && blind.length > 0) {
    const question = `Send ${plural(blind.length, 'row', 'rows')} all the same?`;
    yield { about: `${why}, ${BLIND}`, question, hint: '--dry-run --diff shows them.' };
  }
  // Whoever has said that the file is right is not asked.
  const unbased = winner === 'ask' ? describeUnbased(rows) : undefined;
  if (unbased !== undefined)
    yield { about: unbased, question: 'Send the values of the file?', hint: UNBASED_HINT };
}

const NO_VALUES = 'The service does not show the values of its registrations';
const NO_KIND = 'The service lists nobody of the kind of some rows that were sent before';
const BLIND =
  'so nothing can be looked at: rows cannot be compared, and may overwrite or empty what is there, or be there twice';
const UNBASED_HINT =
  "--dry-run --diff shows them; --overwrite sends the file's values, --keep leaves those of the service.";
