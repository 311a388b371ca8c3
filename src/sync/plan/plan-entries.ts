import { aspectsOf, fieldAspect, type FieldsOf } from '../../registration/changes/aspect.ts';
import { type FieldChange, goingWith, toChange } from '../../registration/changes/field-change.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { ComparedValues, LastSent, PlanEntryView, ThreeValues } from '../../report/views/plan-view.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import { deletedSince } from '../journal/delete-rows.ts';
import { wasSentSince } from '../journal/earlier-runs.ts';
import { lastSentFor } from '../journal/told-rows.ts';
import type { Journal } from '../journal/journal.ts';
import type { Target } from '../journal/runs.ts';
import type { PlannedRow, RowsToPlan } from './rows-to-plan.ts';

/** What a push is going to do about one registration. */
export interface PlanEntry extends PlanEntryView {
  /** What the row is known by, whatever its line; `d:` and the id for a deletion. */
  key: string;
}

export interface EntryOptions {
  /** Also what stays as it is. */
  all: boolean;
  /** With every value of each, as the file has it, as it was last sent, and as it is listed. */
  compared?: boolean;
}

interface EntryContext {
  journal: Journal;
  target: Target;
  fields: FieldsOf;
}

/** What is planned of rows, in their order, then of what is deleted. */
export function* planEntries(
  context: EntryContext,
  plan: { rows: RowsToPlan; planned: readonly PlannedRow[]; going: readonly RegistrationRecord[] },
  { all, compared = false }: EntryOptions,
): Generator<PlanEntry> {
  const { rows, planned, going } = plan;
  for (const one of planned) {
    if (!all && actionOf(one) === 'unchanged') continue;
    const entry = entryOf(one, rows, context.fields);
    yield compared ? { ...entry, compared: compareOf(context, one, rows) } : entry;
  }
  for (const record of going) yield removal(record);
}

function entryOf(one: PlannedRow, rows: RowsToPlan, fields: FieldsOf): PlanEntry {
  const { row, state, decision, doubt } = one;
  const { record, why = doubt?.message } = decision;
  const registration = rows.registrationOf(row);
  const action = actionOf(one);
  return {
    key: row.key ?? '',
    place: row.place,
    barcode: state === 'pending' ? (record?.barcode ?? row.barcode) : row.barcode,
    id: record?.id ?? doubt?.remoteId,
    persona: registration.persona,
    state,
    why,
    action,
    changes:
      action === 'create'
        ? aspectsOf(registration, fields)
            .map((aspect) => toChange(aspect, registration, undefined))
            .filter(({ after }) => after !== undefined)
        : [...changesOf(one), ...(action === 'update' ? (decision.unseen ?? []) : [])],
  };
}

const actionOf = ({ state, decision: { action } }: PlannedRow): PlanAction =>
  state === 'uncertain' ? 'unknown' : action;

/** With the values of both sides. */
function changesOf({ decision: { changes, verdicts } }: PlannedRow): FieldChange[] {
  const judged = [...verdicts.values()];
  return changes.map((change, at) => {
    const verdict = judged[at];
    return verdict === 'kept' || verdict === 'conflict' ? { ...change, left: verdict } : change;
  });
}

function compareOf(
  { journal, target, fields }: EntryContext,
  one: PlannedRow,
  rows: RowsToPlan,
): ComparedValues {
  const { row, state, decision } = one;
  const registration = rows.registrationOf(row);
  const sent = row.barcode === undefined ? undefined : lastSentFor(journal, target, row.barcode);
  // What is there as this machine knows it was not listed.
  const listed = decision.record ?? (state === 'unchanged' ? registration : undefined);
  return {
    lastSent: sent && { run: sent.run, at: sent.at },
    isListed: listed?.fields !== undefined,
    values: threeValues({ file: registration, sent, listed }, fields),
  };
}

function removal(record: RegistrationRecord): PlanEntry {
  const { id, barcode, persona } = record;
  const changes = goingWith(record).filter(({ before }) => before !== undefined);
  return {
    key: `d:${id ?? barcode ?? ''}`,
    place: undefined,
    barcode,
    id,
    persona,
    state: 'pending',
    why: undefined,
    action: 'delete',
    changes,
  };
}

/** Tells of entries of a plan whether runs of this machine have done them since a time, in milliseconds since 1970. */
export function carriedOutSince(
  { journal, target }: Pick<EntryContext, 'journal' | 'target'>,
  planned: readonly PlannedRow[],
  since: number,
): (entry: PlanEntry) => boolean {
  const deleted = deletedSince(journal, target, since - 1);
  const states = new Map(planned.map(({ row, state }) => [row.key, state]));
  return ({ action, key, id, barcode }) =>
    action === 'delete'
      ? deleted.has(id ?? barcode ?? '')
      : states.get(key) === 'unchanged' && wasSentSince(journal, target, key, since);
}

interface Sides {
  file: Registration;
  sent: (LastSent & { registration: Registration }) | undefined;
  /** As the service lists it, or the file, where that is all that is known of it; undefined when nothing is. */
  listed: RecordImage | undefined;
}

/** Every value of one registration, as each side has it. */
function threeValues({ file, sent, listed }: Sides, fields: FieldsOf): ThreeValues[] {
  const own = fields(file.persona);
  const said = aspectsOf(file, fields);
  // What else the service holds is not known then.
  const unsaid = listed === file ? [] : [sent?.registration, listed];
  const slugs = unsaid.flatMap((one) => Object.keys(one?.fields ?? {}));
  const others = [...new Set(slugs)].filter((slug) => !Object.hasOwn(file.fields, slug));
  return [...said, ...others.map((slug) => fieldAspect(slug, own))].map(({ field, of }) => ({
    field,
    file: plainValue(of(file)),
    sent: sent === undefined ? undefined : plainValue(of(sent.registration)),
    service: listed === undefined ? undefined : plainValue(of(listed)),
    ...(isHidden(field, sent?.registration, listed) ? { isHidden: true } : {}),
  }));
}

/** What a service shows empty is known to be empty; what it does not show at all is not. */
function isHidden(field: string, sent: Registration | undefined, listed: RecordImage | undefined): boolean {
  const wasSent = sent?.fields[field] !== undefined && sent.fields[field].length > 0;
  return wasSent && listed?.fields !== undefined && !Object.hasOwn(listed.fields, field);
}
