import { changesTo, type FieldChange, type FieldsOf } from '../registration/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../registration/registration.ts';
import type { PlanAction } from './plan-action.ts';
import { type OwnWay, ownWayOfAll } from './own-way.ts';
import { severalFound } from './plan-row.ts';

/** What is known of a row that the service is said to hold. */
export interface AuditFacts {
  registration: Registration;
  plan: PlanAction | undefined;
  /** The registration as the service listed it before the row was sent. */
  before: RecordImage | undefined;
  /** The registrations that the service lists for the row now. */
  found: readonly RegistrationRecord[];
  fields: FieldsOf;
  /** False when the service shows no parents at all. */
  parentsShown: boolean;
  /** What may keep a service that takes an update from listing other values than before. */
  ownWays: readonly OwnWay[];
}

export type AuditFinding =
  | { kind: 'missing' }
  /** `why` names the ids. */
  | { kind: 'doubled'; why: string }
  /** The service lists everything that was to change as it was before. */
  | { kind: 'unapplied'; fields: readonly string[] }
  /** Listed; `different` is where it holds other values than were sent, as far as it shows them. */
  | { kind: 'there'; record: RegistrationRecord; different: readonly string[] };

/** Holds what the service lists for a row against what was sent. */
export function judgeAudit(facts: AuditFacts): AuditFinding {
  const { registration, plan, before, found } = facts;
  const [record, another] = found;
  if (record === undefined) return { kind: 'missing' };
  if (another !== undefined) return { kind: 'doubled', why: severalFound(found, 'this barcode') };
  const changes = openChanges(facts, registration, record);
  if (plan === 'update' && before !== undefined && changes.length > 0) {
    const wanted = openChanges(facts, registration, before);
    const way = ownWayOfAll(changes);
    const isOwn = way !== undefined && facts.ownWays.includes(way);
    if (!isOwn && JSON.stringify(wanted) === JSON.stringify(changes))
      return { kind: 'unapplied', fields: namesOf(changes) };
  }
  return { kind: 'there', record, different: namesOf(changes) };
}

const namesOf = (changes: readonly FieldChange[]): string[] => changes.map(({ field }) => field);

/** Where a listed registration is not as the row has it. Messages to people are no value that it keeps. */
function openChanges(
  { fields, parentsShown }: AuditFacts,
  registration: Registration,
  record: RecordImage,
): FieldChange[] {
  return (changesTo(registration, record, fields) ?? []).filter(
    ({ field }) => field !== 'enable_comms' && (field !== 'parent_barcode' || parentsShown),
  );
}
