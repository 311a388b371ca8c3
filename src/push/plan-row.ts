import { type Aspect, aspectsOf, differs, isWrittenAlike, PARENT } from '../registration/aspect.ts';
import { type FieldChange, type FieldsOf, toChange } from '../registration/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../registration/registration.ts';
import { sameValue } from '../registration/same-value.ts';
import type { PlanAction } from './plan-action.ts';

/** What we last knew the service to hold of a row. */
export interface Base {
  sent: Registration;
  /** As the service listed it since, where that is not just what was sent. */
  shown: RecordImage | undefined;
}

export interface PlanFacts {
  registration: Registration;
  /** The registrations that the service lists for the row. */
  found: readonly RegistrationRecord[];
  /** Undefined when the service is not known to have held the row. */
  base: Base | undefined;
  /** The file wins over what was edited or deleted in the service. */
  overwrite: boolean;
  fields: FieldsOf;
  /** False when the service shows no parents at all. */
  parentsShown?: boolean;
}

export interface PlanDecision {
  action: PlanAction;
  /** The one record that was found. */
  record: RegistrationRecord | undefined;
  changes: readonly FieldChange[];
  /** Why nothing is sent, as a clause; holds no values of persons. */
  why: string | undefined;
}

/** What becomes of one row, from what the service lists now and what it is known to have held before. */
export function planRow(facts: PlanFacts): PlanDecision {
  const [record, another] = facts.found;
  if (another !== undefined) return conflict(severalFound(facts.found, 'this barcode'));
  if (record === undefined) {
    if (facts.base === undefined || facts.overwrite) return { ...NOTHING, action: 'create' };
    const gone = 'it was sent before and has been deleted in the service since';
    return conflict(`${gone}; --overwrite creates it again`);
  }
  if (record.fields === undefined) return { ...NOTHING, action: 'unknown', record };
  const compared = { ...facts, record };
  const changed = changedAspects(compared);
  if (changed.length === 0) return { ...NOTHING, action: 'unchanged', record };
  const changes = changed.map((aspect) => toChange(aspect, facts.registration, record));
  const edited = facts.overwrite ? [] : changed.filter((aspect) => isEdited(aspect, compared));
  if (edited.length === 0) return { action: 'update', record, changes, why: undefined };
  const names = edited.map(({ field }) => field).join(', ');
  const why = `edited in the service since it was sent: ${names}; --overwrite sends the file's values`;
  return { action: 'conflict', record, changes, why };
}

const NOTHING = { record: undefined, changes: [], why: undefined };

function conflict(why: string): PlanDecision {
  return { ...NOTHING, action: 'conflict', why };
}

/** `3 registrations in the service have this barcode: reg-1, reg-2, reg-3`. */
export function severalFound(found: readonly RecordImage[], what: string): string {
  const ids = found.map(({ id }) => id ?? 'one without id').join(', ');
  return `${found.length} registrations in the service have ${what}: ${ids}`;
}

type CompareFacts = Pick<PlanFacts, 'registration' | 'base' | 'fields' | 'parentsShown'> & {
  record: RecordImage;
};

/** What sending a row would change of a record that shows its fields. */
export function plannedChanges(facts: CompareFacts): FieldChange[] {
  return changedAspects(facts).map((aspect) => toChange(aspect, facts.registration, facts.record));
}

function changedAspects(facts: CompareFacts): Aspect[] {
  return aspectsOf(facts.registration, facts.fields).filter((aspect) =>
    differs(aspect, facts.registration, facts.record)
      ? !isServicesWay(aspect, facts)
      : isRespelled(aspect, facts),
  );
}

/** The service lists otherwise what was sent to it, and neither it nor the row has changed since. */
function isServicesWay(aspect: Aspect, { registration, record, base, parentsShown }: CompareFacts): boolean {
  const { rules, of } = aspect;
  if (base === undefined || !sameValue(rules, of(registration), of(base.sent))) return false;
  const listed = of(record);
  if (aspect === PARENT && parentsShown === false) return listed === undefined;
  return base.shown?.fields !== undefined && sameValue(rules, listed, of(base.shown));
}

/**
 * The row has been mended in a way that means the same, and the service has to the letter what was sent
 * before: it does not write values its own way, so that the mended spelling has to be sent.
 */
function isRespelled({ rules, of }: Aspect, { registration, record, base }: CompareFacts): boolean {
  if (base === undefined || rules.kind === 'choice') return false;
  const sent = of(base.sent);
  return isWrittenAlike(of(record), sent) && !isWrittenAlike(of(registration), sent);
}

/** Whether the service holds another value than it is known to have held. */
function isEdited(aspect: Aspect, { record, base, parentsShown }: CompareFacts): boolean {
  if (base === undefined || (aspect === PARENT && parentsShown === false)) return false;
  const { rules, of } = aspect;
  // What was never sent, and never looked at, may always have been as it is.
  const held = base.shown?.fields === undefined ? of(base.sent) : of(base.shown);
  if (held === undefined && base.shown?.fields === undefined) return false;
  return !sameValue(rules, of(record), held);
}
