import { type FieldsOf, MESSAGES, PERSONA } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { leftByAnother, toldApartBy } from '../decide/judge-person.ts';
import { Lookup, madeOnce } from '../../registration/model/maps.ts';
import type { InputRow } from '../ingest/input-row.ts';
import { hasUpdated, overwriting } from '../journal/earlier-runs.ts';
import { asksForMessages } from '../journal/told-rows.ts';
import { readLearned } from '../journal/learned.ts';
import type { Session } from '../journal/send-context.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { PlannedRow, RowsToPlan } from './rows-to-plan.ts';

/** What is said of a plan. */
interface Planned {
  rows: RowsToPlan;
  planned: readonly PlannedRow[];
  reading: ListReading | undefined;
}

/** Rows and fields that are named. */
const NAMED = 3;

/** Said before updates are sent to a service that shows no parents. */
export const PARENTS_AT_RISK =
  'The service does not show who belongs to a group: an update may take members out of groups that this machine does not know of.';

/** Sentences about a plan before it is carried out, because it may not be what is wanted; `takenBack`: see there. */
export function* remarksOn(
  context: Session,
  { rows, planned, reading }: Planned,
  takenBack: number,
): Generator<string> {
  yield* overwrittenBefore(context, planned);
  const updates = planned.filter(({ decision }) => decision.action === 'update');
  yield* movesAmong(updates, fieldsOf(context.event));
  const elsewhere = planned.filter(({ decision }) => decision.sentElsewhere === true).length;
  if (elsewhere > 0)
    yield `${plural(elsewhere, 'changed row is', 'changed rows are')} in the service already, though not sent from here: somebody has entered the same there, another machine has sent it, or the state directory is older than the last push.`;
  if (reading?.parentsShown === false && updates.length > 0) yield PARENTS_AT_RISK;
  if (takenBack > 0)
    yield `May take back messages of ${plural(takenBack, 'guest', 'guests')}: the file does not ask for them (enable_comms), and an update never does unasked.`;
  const fields = fieldsOf(context.event);
  const given = updates.filter(({ decision: { toAnother = 0 } }) => toAnother > 0);
  const leftOf = ({ row, decision: { record } }: PlannedRow): string[] =>
    record === undefined ? [] : leftByAnother(rows.registrationOf(row), record, fields);
  // An e-mail or a name alone is only mended.
  const taken = planned.filter(({ row, decision: { record, verdicts, why } }) => {
    if (record === undefined || why !== undefined) return false;
    const apart = toldApartBy(rows.registrationOf(row), record, fields);
    return apart.filter(({ key }) => verdicts.get(key) === 'kept').length > 1;
  });
  if (taken.length > 0)
    yield `${plural(taken.length, 'ticket has', 'tickets have')} another person by now than in the file, by e-mail or name (${placesOf(taken)}), and that one keeps it; --overwrite gives it to the person of the file.`;
  const left = new Set(given.flatMap(leftOf));
  if (left.size > 0)
    yield `${describeGiven(given)}, by e-mail or name, and what the file does not say stays as it is: ${[...left].join(', ')}; --blank clear empties what the file has columns for.`;
}

/** How many registrations move from one persona to another, and which of their fields that one does not have. */
function* movesAmong(updates: readonly PlannedRow[], fields: FieldsOf): Generator<string> {
  const moves = new Map<string, { count: number; lost: Set<string> }>();
  for (const { decision } of updates) {
    const { before, after } = decision.changes.find(({ field }) => field === 'persona') ?? {};
    if (before === undefined || decision.verdicts.get(PERSONA.key) === 'conflict') continue;
    const move = madeOnce(moves, `${String(before)} to ${String(after)}`, () => ({
      count: 0,
      lost: new Set(),
    }));
    move.count += 1;
    const kept = new Set(fields(String(after)).map(({ slug }) => slug));
    for (const { slug } of fields(String(before)))
      if (!kept.has(slug) && plainValue(decision.record?.fields?.[slug]) !== undefined) move.lost.add(slug);
  }
  for (const [fromTo, { count, lost }] of moves) {
    const left =
      lost.size === 0 ? '' : `, which has no ${[...lost].join(', ')}: what stands there now is lost`;
    yield `${plural(count, 'registration moves', 'registrations move')} from ${fromTo}${left}.`;
  }
}

/**
 * Sentences about what the service does not show, or not whole: nobody can see what becomes of it. Many services leave
 * blanks out, so of those that this machine has not sent it is said until an update of the event was sent from here.
 */
export function* unseenFields(context: Session, { rows, planned, reading }: Planned): Generator<string> {
  const { journal, target, event } = context;
  if (reading?.fieldsShown !== true) return;
  const isFirst = !hasUpdated(journal, target);
  const [open, known, blind] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const one of planned) {
    const { row, decision } = one;
    const { action, record, ask: registration = rows.registrationOf(row) } = decision;
    if (record === undefined) continue;
    const { persona, fields } = registration;
    const own = fieldsOf(event)(persona);
    const hidden = own.map(({ slug }) => slug).filter((slug) => !reading.fieldsListed.has(slug));
    const unseen = decision.unseen ?? [];
    for (const { field, before } of unseen)
      if (before !== undefined || hidden.includes(field))
        (action === 'update' ? known : blind).add(`${field} of ${persona}`);
    if (!isFirst || action !== 'update') continue;
    const isSaid = (slug: string): boolean =>
      Object.hasOwn(fields, slug) || unseen.some(({ field }) => field === slug);
    for (const slug of hidden) if (!isSaid(slug)) open.add(`${slug} of ${persona}`);
  }
  if (blind.size > 0)
    yield `The service does not show ${someOf([...blind])} whole: whether it is there as in the file cannot be told.`;
  if (open.size > 0)
    yield `No registration shows ${someOf([...open])}: eventreg cannot know whether they hold it. If they do, give the file such a column, or an update may empty it.`;
  if (known.size > 0)
    yield `The service does not show ${someOf([...known])} whole: each update sends what this machine has sent there last, also over what somebody has changed in the service since.`;
}

function someOf(names: readonly string[]): string {
  const named = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${named} and ${names.length - NAMED} more` : named;
}

/**
 * How many guests may be left without the messages that their registrations ask for: `enable_comms` is never sent
 * unasked, and an update is not proven to keep it. Where the list does not show it, what this machine has asked for last
 * counts.
 */
export function countTakenBack(context: Session, { rows, planned }: Planned): number {
  const { journal, target } = context;
  if (readLearned(context, 'messages')?.value === 'kept') return 0;
  const isTaken = ({ row, state, decision }: PlannedRow): boolean => {
    const { action, record, ask } = decision;
    if (state !== 'pending' || (action !== 'update' && action !== 'unknown')) return false;
    if ((ask ?? rows.registrationOf(row)).enableComms) return false;
    return record?.enableComms ?? asksForMessages(journal, target, row.key ?? '');
  };
  return planned.filter(isTaken).length;
}

/** `3 values of 2 registrations differ, and this machine cannot tell who changed them`; undefined where none do. */
export function describeUnbased(rows: readonly PlannedRow[]): string | undefined {
  const counts = rows.map(({ state, decision }) => {
    if (state !== 'pending' || decision.action !== 'update') return 0;
    // That messages are asked for has a question of its own.
    return [...decision.verdicts].filter(([key, verdict]) => verdict === 'unbased' && key !== MESSAGES.key)
      .length;
  });
  const values = counts.reduce((sum, count) => sum + count, 0);
  if (values === 0) return undefined;
  const of = plural(counts.filter((count) => count > 0).length, 'registration', 'registrations');
  const [differ, them] = values === 1 ? ['value differs', 'it'] : ['values differ', 'them'];
  return `${formatCount(values)} ${differ} in ${of}, and this machine cannot tell who changed ${them}`;
}

/** `2 tickets go to another person (a.csv:2, a.csv:3)`. */
export const describeGiven = (rows: readonly PlannedRow[]): string =>
  `${plural(rows.length, 'ticket goes', 'tickets go')} to another person (${placesOf(rows)})`;

const placesOf = (rows: readonly PlannedRow[]): string =>
  someOf(rows.map(({ row }) => formatPlace(row.place)));

/**
 * Sentences about rows that an earlier run has sent to register somebody, and that have changed somebody else instead:
 * whatever is compared now, those are not as they were until that run is undone.
 */
function overwrittenBefore({ journal, target }: Session, rows: readonly PlannedRow[]): string[] {
  const hits = overwriting(journal, target);
  if (hits.length === 0) return [];
  const byKey = new Map(rows.map(({ row }) => [row.key ?? '', row]));
  const runs = new Lookup<string, InputRow>();
  for (const { run, key } of hits) {
    const row = byKey.get(key);
    if (row !== undefined) runs.add(run, row);
  }
  return [...runs.keys()].flatMap((run) => {
    const mine = runs.of(run).toSorted((one, other) => one.seq - other.seq);
    const [first] = mine;
    if (first === undefined) return [];
    const isOne = mine.length === 1;
    const place = formatPlace(first.place);
    const some = isOne ? place : `${plural(mine.length, 'row', 'rows')} (the first is ${place})`;
    const others = isOne ? 'the registration of somebody else' : 'registrations of other people';
    return `In run ${run}, ${some} changed ${others} instead of adding one, and that is still so: eventreg runs undo ${run} brings ${isOne ? 'it' : 'them'} back.`;
  });
}
