import { changesTo, type FieldChange } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { type PlanAction, severalFound } from './plan-decision.ts';

/** What is known of a row whose request may or may not have landed. */
export interface FoundFacts {
  registration: Registration;
  /** What comparing came to before it was sent; undefined when nothing was compared. */
  plan: PlanAction | undefined;
  /** The registration as the service listed it then. */
  before: RecordImage | undefined;
  /** The registrations that the service lists for the row now. */
  found: readonly RegistrationRecord[];
  /** By what they were found; the barcode unless it is given. */
  by?: 'barcode' | 'e-mail' | 'id';
  fields: FieldsOf;
}

export type Verdict =
  /** The service holds the row as it was sent. */
  | { kind: 'done'; id: string | undefined }
  /** There is none, and there was none before. */
  | { kind: 'absent' }
  /** It is as it was before: nothing of the row has landed. */
  | { kind: 'untouched' }
  /** There is one, and what it holds is not shown. */
  | { kind: 'hidden' }
  /** Only people can judge what is there. `why` is a clause without values of persons. */
  | { kind: 'conflict'; why: string };

/** What the registrations that are listed for an uncertain row say about it. */
export function judgeFound(facts: FoundFacts): Verdict {
  const { found, before, plan, by = 'barcode' } = facts;
  const [record, another] = found;
  if (another !== undefined) return { kind: 'conflict', why: severalFound(found, `this ${by}`) };
  if (record === undefined) {
    return before === undefined
      ? { kind: 'absent' }
      : { kind: 'conflict', why: 'it has been deleted in the service since it was compared' };
  }
  const changes = stillToChange(facts, record);
  if (changes === undefined) {
    // What was not there before the request, and is there after it, came by it.
    return plan === 'create' ? { kind: 'done', id: record.id } : { kind: 'hidden' };
  }
  if (changes.length === 0) return { kind: 'done', id: record.id };
  if (isUntouched(facts, changes)) return { kind: 'untouched' };
  return { kind: 'conflict', why: otherValues(changes) };
}

/** `the service holds other values in: company, phone`. */
export function otherValues(changes: readonly FieldChange[]): string {
  return `the service holds other values in: ${changes.map(({ field }) => field).join(', ')}`;
}

/**
 * What sending the row would still change. Whether people get a message is no value that a registration
 * keeps, and a parent that a new registration does not show may be one that is never shown.
 */
function stillToChange(
  { registration, plan, fields }: FoundFacts,
  record: RecordImage,
): FieldChange[] | undefined {
  return changesTo(registration, record, fields)?.filter(
    ({ field, before }) =>
      field !== 'enable_comms' && !(field === 'parent_barcode' && plan === 'create' && before === undefined),
  );
}

/** Everything that the row was to change still has the value that was read before the row was sent. */
function isUntouched(facts: FoundFacts, changes: readonly FieldChange[]): boolean {
  // An image that was not read for the row's own plan may be from after its request.
  if (facts.plan !== 'update' || facts.before === undefined) return false;
  const wanted = stillToChange(facts, facts.before);
  return JSON.stringify(wanted) === JSON.stringify(changes);
}

/** What to write about a row of which this was found. */
export function outcomeOf(verdict: Verdict): RowOutcome {
  switch (verdict.kind) {
    case 'done':
      return { state: 'done', remoteId: verdict.id, message: 'found in the service as sent' };
    case 'absent':
      return { state: 'pending', message: 'not in the service' };
    case 'untouched':
      return { state: 'pending', message: 'in the service as it was before' };
    case 'hidden':
      return {
        state: 'uncertain',
        message: 'there is a registration with its barcode, but the service does not show its fields',
      };
    default:
      return { state: 'conflict', message: verdict.why };
  }
}

/** What to write about a row once its fate is known. */
export interface RowOutcome {
  state: RowState;
  status?: number | undefined;
  remoteId?: string | undefined;
  action?: string | undefined;
  message?: string | undefined;
  /** Id of the request that settled it, as the service's log has it. */
  requestId?: string | undefined;
}
