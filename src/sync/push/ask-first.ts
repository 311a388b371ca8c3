import { GuardError } from '../../errors.ts';
import { formatPlace } from '../../registration/model/row.ts';
import type { Reporter } from '../../report/views/events.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { describeLive } from '../../report/words/service-name.ts';
import type { Winner } from '../decide/plan-decision.ts';
import { agree, isAgreed } from '../journal/learned.ts';
import type { Choose } from '../journal/send-context.ts';
import { describeGiven, describeUnbased } from '../plan/plan-remarks.ts';
import type { RunPlan } from '../plan/plan-rows.ts';
import type { PlannedRow, RowsToPlan } from '../plan/rows-to-plan.ts';
import type { MadePlan, PushContext, PushOptions } from './begin-push.ts';

/** Asks for everything that needs a yes. Throws GuardError for a no. */
export async function confirmPush(
  { plan, prune }: MadePlan,
  rows: RowsToPlan,
  options: PushOptions,
  context: PushContext,
): Promise<void> {
  for (const { about, question, hint } of questionsOf(plan, rows, options.winner))
    refuseUnless(await context.confirm(visible(`${about}. ${question}`)), hint);
  if (plan.rows.some(isToSend) || (prune?.deletes ?? 0) > 0) await confirmTarget(context);
  if (prune !== undefined) await (await import('../prune/prune.ts')).confirmPrune(prune, context);
}

export const isToSend = ({ state }: PlannedRow): boolean => state === 'pending';

/** Throws GuardError for a no. */
function refuseUnless(yes: boolean, hint: string): void {
  if (!yes) throw new GuardError('confirmation', 'Nothing was sent.', { hint });
}

/** Asks about the first push from this machine to an event that is not in the sandbox. Throws GuardError for a no. */
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

/** Says in a dry run what a push would ask. */
export function tellQuestions(plan: RunPlan, rows: RowsToPlan, winner: Winner, reporter: Reporter): void {
  for (const { about, hint } of questionsOf(plan, rows, winner))
    reporter.report({ type: 'warning', text: `${about}: a push asks first. ${hint}` });
}

/**
 * Asked before values are sent over others that nobody can see, or of which this machine does not know who wrote them; and
 * before mail and text messages go to people, which cannot be taken back.
 */
function* questionsOf({ rows, reading, unlisted }: RunPlan, { registrationOf }: RowsToPlan, winner: Winner) {
  const sends = rows.filter(isToSend);
  const unseen = reading?.barcodesShown === true ? NO_KIND : undefined;
  const why = unlisted ?? (reading?.fieldsShown === false ? NO_VALUES : unseen);
  const blind = sends.filter(({ decision }) => decision.action === 'unknown');
  if (why !== undefined && blind.length > 0) {
    const question = `Send ${plural(blind.length, 'row', 'rows')} all the same?`;
    yield { about: `${why}, ${BLIND}`, question, hint: '--dry-run --diff shows them.' };
  }
  // Whoever has said that the file is right is not asked.
  const unbased = winner === 'ask' ? describeUnbased(sends) : undefined;
  if (unbased !== undefined)
    yield { about: unbased, question: 'Send the values of the file?', hint: UNBASED_HINT };
  const given = winner === 'file' ? [] : sends.filter(({ decision: { toAnother = 0 } }) => toAnother > 1);
  if (given.length > 0)
    yield { about: describeGiven(given), question: 'Send all the same?', hint: GIVEN_HINT };
  const told = sends.filter(({ row, decision: { ask } }) => (ask ?? registrationOf(row)).enableComms);
  if (told.length === 0) return;
  const about = `The service will be asked to send e-mail or text messages to ${plural(told.length, 'person', 'people')} (enable_comms)`;
  yield { about, question: 'Go on?', hint: 'Clear the enable_comms column to push without messages.' };
}

const NO_VALUES = 'The service does not show the values of its registrations';
const NO_KIND = 'The service lists nobody of the kind of some rows that were sent before';
const BLIND =
  'so nothing can be looked at: rows cannot be compared, and may overwrite or empty what is there, or be there twice';
const GIVEN_HINT =
  '--dry-run --diff shows who had them; --ignore-column leaves out a column of barcodes that are not of this event.';
const UNBASED_HINT =
  "--dry-run --diff shows them; --overwrite sends the file's values, --keep leaves those of the service.";

/** Rows named in the question. */
const NAMED = 10;

function answersFor(asked: number, updates: number) {
  const whom = updates === asked ? 'them' : `${updates} of them`;
  return [
    { value: 'stop', label: 'Stop: nothing is sent' },
    ...(updates > 0 ? [{ value: 'email', label: `Update ${whom} (--match email)` }] : []),
    { value: 'none', label: 'Register them again (--match none)' },
  ];
}

/** Asks whether rows like registrations that no row stands for are about the same people. Throws GuardError to stop. */
export async function askWhoTheyAre(asked: readonly PlannedRow[], choose: Choose): Promise<'email' | 'none'> {
  const rows = asked.slice(0, NAMED);
  const details = rows.map(
    ({ row, decision }) => `${formatPlace(row.place)}: ${decision.why?.replace(/: --match [^;]*/, '')}`,
  );
  if (asked.length > rows.length) details.push(`… and ${asked.length - rows.length} more`);
  const text = questionOf(asked.length, rows);
  const updates = asked.filter(({ decision }) => decision.asked?.mayUpdate).length;
  const match = await choose({ text, details }, answersFor(asked.length, updates));
  if (match !== 'email' && match !== 'none') throw new GuardError('confirmation', 'Nothing was sent.');
  return match;
}

/** `3 people are registered already with the same e-mail but other data (rows 3, 4, 7). What is to become of them?` */
function questionOf(count: number, rows: readonly PlannedRow[]): string {
  const places = rows.map(({ row }) => row.place);
  const isOneSheet = new Set(places.map(({ file, sheet }) => `${file}\n${sheet ?? ''}`)).size === 1;
  const named = places.map((place) => (isOneSheet ? String(place.line) : formatPlace(place)));
  const more = count > rows.length ? ', …' : '';
  const where = `(${count === 1 ? 'row' : 'rows'} ${named.join(', ')}${more})`;
  const end = `${where}. What is to become of ${count === 1 ? 'it' : 'them'}?`;
  if (rows.every(({ decision }) => decision.asked?.haveEmail)) {
    const are = plural(count, 'person is', 'people are');
    return `${are} registered already with the same e-mail but other data ${end}`;
  }
  return `${plural(count, 'row is', 'rows are')} like people who are registered already, and may be the same ${end}`;
}
