import {
  type Aspect,
  aspectsOf,
  differs,
  MESSAGES,
  PARENT,
  PERSONA,
  unsaidAspects,
} from '../../registration/changes/aspect.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { toChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { plainValue, sameValue } from '../../registration/changes/same-value.ts';
import { severalFound } from './plan-decision.ts';
import type { FoundFacts } from './judge-found.ts';
import { isSpelling } from './spelling.ts';

/** What is known of a row that the service is said to hold. */
export interface AuditFacts extends Omit<FoundFacts, 'by'> {
  /** As it was right before it was sent, where `before` is what it was earlier. */
  ownBefore?: RecordImage | undefined;
  /** Slugs of the personas of the event: a registration that was moved may keep fields of the one before. */
  personas: readonly string[];
  /** False when the service shows no parents at all. */
  parentsShown: boolean;
  /** Whether no registration of a persona is listed with a value in a field. */
  isNeverStored: (persona: string, slug: string) => boolean;
  /** It was said beforehand that an update may take messages to people back. */
  mayTakeBack?: boolean;
}

export type AuditFinding =
  | { kind: 'missing' }
  /** `why` names the ids. */
  | { kind: 'doubled'; why: string }
  | AuditThere;

/** Listed; compared as far as the service shows it. */
export interface AuditThere {
  kind: 'there';
  record: RegistrationRecord;
  differences: readonly Difference[];
  /** Fields that the service writes its own way, or has no room for. */
  spelling: readonly string[];
  /** Of these, the ones of which the service shows nothing: no registration of the persona has a value there. */
  hidden: readonly string[];
  /** Everything that was to change is as it was before. */
  isOld: boolean;
  /** Nothing that the service shows was to change, so that nobody can tell whether it took the change. */
  isUnseen: boolean;
}

/** Whether the service only said that it took the change, as far as one request can tell. */
export const isUnapplied = ({ differences, isOld }: AuditThere): boolean =>
  isOld && differences.some(({ kind }) => kind === 'stored');

/** Holds what the service lists for a row against what was sent, and what was not sent against what it was before. */
export function judgeAudit(facts: AuditFacts): AuditFinding {
  const { plan, found } = facts;
  const before = facts.ownBefore ?? facts.before;
  const [record, another] = found;
  if (record === undefined) return { kind: 'missing' };
  if (another !== undefined) return { kind: 'doubled', why: severalFound(found, 'this barcode') };
  const compared = storedOtherwise(facts, record);
  const isDoubtful = mayBeIgnored(facts, compared);
  const all = compared.map((one) =>
    isDoubtful && one.difference.found === undefined ? { ...one, isOwn: false } : one,
  );
  const own = all.filter(({ isOwn }) => isOwn).map(({ difference }) => difference);
  const stored = all.filter(({ isOwn }) => !isOwn).map(({ difference }) => difference);
  const wanted =
    plan === 'update' && before !== undefined
      ? storedOtherwise(facts, before).filter(({ difference: { field } }) =>
          all.every((one) => !one.isOwn || one.difference.field !== field),
        )
      : [];
  return {
    kind: 'there',
    record,
    differences: [...registeredAnew(facts, record), ...stored, ...changedOtherwise(facts, record)],
    spelling: own.map(({ field }) => field),
    hidden: own.filter(({ found }) => found === undefined).map(({ field }) => field),
    isOld:
      stored.length > 0 &&
      JSON.stringify(wanted.map(({ difference }) => difference)) === JSON.stringify(stored),
    isUnseen: isUnseen(facts, record),
  };
}

/** Of what no list shows, the parent alone is looked at: of messages it is never said that they were sent. */
function isUnseen(facts: AuditFacts, record: RecordImage): boolean {
  const { plan, before, registration } = facts;
  if (plan !== 'update' || before === undefined || registration.parentBarcode === undefined) return false;
  return !isShown(PARENT, facts, record) && storedOtherwise(facts, before).length === 0;
}

/** An update of a registration that somebody had deleted meanwhile has registered another one. */
function registeredAnew({ plan, before }: AuditFacts, { id: found }: RegistrationRecord): Difference[] {
  const expected = before?.id;
  if (plan !== 'update' || expected === undefined || found === undefined || expected === found) return [];
  return [{ field: 'id', kind: 'changed', expected, found }];
}

interface Stored {
  difference: Difference;
  isOwn: boolean;
}

/**
 * Whether the service may just not have taken a row of which it is not known what it was to change: where one value
 * did not arrive, a field that is empty tells nothing of what the service has room for.
 */
function mayBeIgnored({ plan, before }: AuditFacts, all: readonly Stored[]): boolean {
  return plan !== 'create' && before === undefined && all.some(({ isOwn }) => !isOwn);
}

/** Where a registration is not as the row has it. Messages to people are no value that a service keeps. */
function storedOtherwise(facts: AuditFacts, record: RecordImage): Stored[] {
  const { registration, fields, isNeverStored } = facts;
  return aspectsOf(registration, fields)
    .filter((aspect) => aspect !== MESSAGES && isShown(aspect, facts, record))
    .filter((aspect) => differs(aspect, registration, record))
    .map((aspect) => {
      const { field, before: found, after: expected } = toChange(aspect, registration, record);
      const isField = aspect !== PERSONA && aspect !== PARENT;
      const isOwn =
        isSpelling(found, expected) ||
        (isField &&
          found === undefined &&
          !hadBefore(aspect, facts) &&
          isNeverStored(registration.persona, field));
      return { difference: { field, kind: 'stored', expected, found }, isOwn };
    });
}

/** What was kept before is no field that the service has no room for. */
const hadBefore = ({ of }: Aspect, { before }: AuditFacts): boolean =>
  before !== undefined && plainValue(of(before)) !== undefined;

function isShown(aspect: Aspect, { before, parentsShown }: AuditFacts, record: RecordImage): boolean {
  if (aspect === PERSONA) return true;
  if (aspect === PARENT) return parentsShown || before?.parentBarcode !== undefined;
  return record.fields !== undefined;
}

/** What was not sent, and is not as it was before. */
function changedOtherwise(
  { registration, before, fields, personas, mayTakeBack = false }: AuditFacts,
  record: RecordImage,
): Difference[] {
  if (before === undefined) return [];
  const asked = new Set(aspectsOf(registration, fields).map(({ key }) => key));
  const own = [registration.persona, before.persona ?? registration.persona];
  // Of fields alike of several personas, its own comes last and counts.
  const unsaid = new Map(
    [...personas, ...own.reverse()]
      .flatMap((slug) => unsaidAspects(slug, fields))
      .map((aspect) => [aspect.key, aspect]),
  );
  const fieldsShown = before.fields !== undefined && record.fields !== undefined;
  const isToldOf = registration.enableComms || (mayTakeBack && record.enableComms === false);
  const around = isToldOf ? [] : changedMessages(before, record);
  const changed = [...unsaid.values()]
    .filter((aspect) => !asked.has(aspect.key) && (aspect === PARENT || fieldsShown))
    .filter(({ rules, of }) => !sameValue(rules, of(before), of(record)))
    .map(
      ({ field, of }): Difference => ({
        field,
        kind: 'changed',
        expected: plainValue(of(before)),
        found: plainValue(of(record)),
      }),
    );
  return [...around, ...changed];
}

function changedMessages(
  { enableComms: then }: RecordImage,
  { enableComms: now }: RecordImage,
): Difference[] {
  if (then === undefined || now === undefined || then === now) return [];
  return [{ field: MESSAGES.field, kind: 'changed', expected: String(then), found: String(now) }];
}
