import { isWrittenAlike } from '../registration/aspect.ts';
import { changesTo, type FieldChange, type FieldsOf } from '../registration/field-change.ts';
import type { RecordImage, Registration } from '../registration/registration.ts';
import type { RowState } from '../registration/row-state.ts';
import type { UnsentRule, UpdateRule } from './learned.ts';
import { type OwnWay, ownWayOfAll } from './own-way.ts';
import { holdsAny, lostValues, unsentValues } from './unsent-fields.ts';

/** An update that was sent first, and what was seen of it. */
export interface PilotFacts {
  registration: Registration;
  before: RecordImage;
  outcome: { state: RowState; remoteId?: string | undefined };
  /** What the service lists under its barcode since. */
  found: readonly RecordImage[];
  fields: FieldsOf;
}

/**
 * What an update has shown. `look`: nothing yet, it may show later. `harmless`: it made no second
 * registration, and nothing else can be seen of it. `spelling`, `dropped`: it changed nothing, as it would if
 * the service stores what was sent its own way.
 */
export interface PilotVerdict {
  rule: UpdateRule | 'look' | 'harmless' | OwnWay;
  /** Undefined when the registration had no other fields, or they are not shown. */
  unsent: UnsentRule | undefined;
}

/** Judges what is listed after an update that the service did not refuse. */
export function judgePilot({ registration, before, outcome, found, fields }: PilotFacts): PilotVerdict {
  const [record, another] = found;
  if (another !== undefined) return { rule: 'double', unsent: undefined };
  if (record === undefined) return LOOK;
  const wanted = changesTo(registration, before, fields);
  if (wanted === undefined || wanted.length === 0 || record.fields === undefined) {
    const same = outcome.remoteId !== undefined && outcome.remoteId === before.id;
    return same ? { rule: 'harmless', unsent: undefined } : LOOK;
  }
  if (!hasMoved(wanted, changesTo(registration, record, fields) ?? [])) return LOOK;
  const others = unsentValues(registration, before, fields);
  const unsent = lostValues(others, record).length > 0 ? 'replace' : 'merge';
  return { rule: 'update', unsent: holdsAny(others) ? unsent : undefined };
}

const LOOK: PilotVerdict = { rule: 'look', unsent: undefined };

/** Whether anything that was to change has: a value that the service writes its own way counts. */
function hasMoved(wanted: readonly FieldChange[], open: readonly FieldChange[]): boolean {
  return wanted.some(
    ({ field, before }) => !open.some((one) => one.field === field && isWrittenAlike(one.before, before)),
  );
}

/** What an update has shown by the last look, when nothing can land or be listed late any more. */
export function judgeLastLook(facts: PilotFacts): PilotVerdict {
  const verdict = judgePilot(facts);
  if (verdict.rule !== 'look') return verdict;
  const { registration, before, outcome, found, fields } = facts;
  const [record] = found;
  // Without a certain answer it may just not have landed.
  if (record === undefined || outcome.state === 'uncertain') return LOOK;
  const wanted = changesTo(registration, before, fields) ?? [];
  if (record.fields === undefined || wanted.length === 0) return { rule: 'harmless', unsent: undefined };
  const another = outcome.remoteId !== undefined && before.id !== undefined && outcome.remoteId !== before.id;
  return { rule: another ? 'double' : (ownWayOfAll(wanted) ?? 'ignore'), unsent: undefined };
}
