import { MESSAGES, PERSONA } from '../../registration/changes/aspect.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { Lookup } from '../decide/lookup.ts';
import type { PlanDecision } from '../decide/plan-decision.ts';
import type { InputRow } from '../ingest/input-row.ts';
import { overwriting } from '../journal/earlier-runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { ComparedRow, PlannedRow } from './rows-to-plan.ts';
import { readFieldName, UnsaidFields, type UnseenFields } from './unseen-fields.ts';

/** Values that differ from those of the file, and of which nothing tells who has changed them. */
export interface Unbased {
  values: number;
  registrations: number;
}

/** A row that gives a ticket to somebody else, and the fields of which it does not speak: they stay. */
interface GivenAway {
  row: InputRow;
  fields: readonly string[];
}

/** Rows that give a ticket to somebody else, and fields, that are named. */
const NAMED = 3;

/** Said before updates are sent to a service that shows no parents. */
export const PARENTS_AT_RISK =
  'The service does not show who belongs to a group: an update may take members out of groups that this machine does not know of.';

/** What is said of a plan before it is carried out, because it may not be what is wanted. */
export class PlanRemarks {
  /** Registrations by where they move, as `visitor to exhibitor`. */
  readonly #moves = new Map<string, number>();
  /** Guests who may no longer get messages. */
  takenBack = 0;
  /** The service shows no parents. */
  parentsAtRisk = false;
  /** Rows that the service holds as the file has them now, though they were not sent from here. */
  #elsewhere = 0;
  /** What the updates leave out. */
  readonly unsaid = new UnsaidFields();
  #updates = 0;
  readonly #givenAway: GivenAway[] = [];

  /** Takes the plan of a row. */
  see(row: InputRow, { registration }: Pick<ComparedRow, 'registration'>, decision: PlanDecision): void {
    const { action, changes, verdicts, leftByAnother = [] } = decision;
    if (decision.sentElsewhere === true) this.#elsewhere += 1;
    if (action !== 'update') return;
    this.#updates += 1;
    this.unsaid.see(registration);
    if (leftByAnother.length > 0) this.#givenAway.push({ row, fields: leftByAnother });
    const move = changes.find(({ field }) => field === 'persona');
    if (move?.before === undefined || verdicts.get(PERSONA.key) === 'conflict') return;
    const fromTo = `${String(move.before)} to ${String(move.after)}`;
    this.#moves.set(fromTo, (this.#moves.get(fromTo) ?? 0) + 1);
  }

  /** One sentence each. */
  *texts(): Generator<string> {
    for (const [fromTo, count] of this.#moves) {
      yield `${plural(count, 'registration moves', 'registrations move')} from ${fromTo}.`;
    }
    if (this.#elsewhere > 0)
      yield `${plural(this.#elsewhere, 'changed row is', 'changed rows are')} in the service already, though not sent from here: somebody has entered the same there, another machine has sent it, or the state directory is older than the last push.`;
    if (this.parentsAtRisk && this.#updates > 0) yield PARENTS_AT_RISK;
    if (this.takenBack > 0) {
      const guests = plural(this.takenBack, 'guest', 'guests');
      yield `May take back messages of ${guests}: the file does not ask for them (enable_comms), and an update never does unasked.`;
    }
    for (const one of this.#givenAway.slice(0, NAMED))
      yield `${formatPlace(one.row.place)} ${describeGivenAway(one)}`;
    const more = this.#givenAway.length - NAMED;
    if (more > 0) {
      yield `${plural(more, 'more row gives its ticket', 'more rows give their tickets')} to another person, and what the file does not say of them stays as it is.`;
    }
  }
}

/** Sentences about fields that no registration shows: what the service is like, whatever the list says. */
export function* describeUnseen({ open, along }: UnseenFields): Generator<string> {
  if (open.length > 0)
    yield `No registration shows ${someOf(open)}: eventreg cannot know whether they hold it. If they do, give the file such a column, or an update may empty it.`;
  if (along.length > 0)
    yield `No registration shows ${someOf(along)}: each update sends along what this machine has sent there last.`;
}

function someOf(names: readonly string[]): string {
  const named = names.slice(0, NAMED).map(readFieldName);
  const some = named.map(({ persona, slug }) => `${slug} of ${persona}`).join(', ');
  return names.length > NAMED ? `${some} and ${names.length - NAMED} more` : some;
}

function describeGivenAway({ row: { barcode }, fields }: GivenAway): string {
  return `gives the ticket ${barcode ?? ''} to another person, by its e-mail or name, and leaves as it is what the file does not say: ${fields.join(', ')}; --blank clear empties what the file has columns for.`;
}

/** Values of updates of which nothing tells who has changed them. */
export function unbasedOf(rows: readonly PlannedRow[]): Unbased {
  const counts = rows.map(({ state, decision }) => {
    if (state !== 'pending' || decision.action !== 'update') return 0;
    // That messages are asked for has a question of its own.
    return [...decision.verdicts].filter(([key, verdict]) => verdict === 'unbased' && key !== MESSAGES.key)
      .length;
  });
  const values = counts.reduce((sum, count) => sum + count, 0);
  return { values, registrations: counts.filter((count) => count > 0).length };
}

/** `3 values of 2 registrations differ, and this machine cannot tell who changed them`. */
export function describeUnbased({ values, registrations }: Unbased): string {
  const of = plural(registrations, 'registration', 'registrations');
  const differ = values === 1 ? 'value differs' : 'values differ';
  return `${formatCount(values)} ${differ} in ${of}, and this machine cannot tell who changed ${values === 1 ? 'it' : 'them'}`;
}

/**
 * Sentences about rows that an earlier run has sent to register somebody, and that have changed somebody else instead:
 * whatever is compared now, those are not as they were until that run is undone.
 */
export function overwrittenBefore(
  { journal, target }: Pick<SendContext, 'journal' | 'target'>,
  rows: readonly PlannedRow[],
): string[] {
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
