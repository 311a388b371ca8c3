import {
  type Aspect,
  aspectsOf,
  BARCODE,
  differs,
  MESSAGES,
  PARENT,
  PERSONA,
  unsaidAspects,
} from '../../registration/changes/aspect.ts';
import type { Difference, RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { changesTo, toChange } from '../../registration/changes/field-change.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { severalFound } from './plan-decision.ts';
import type { FoundFacts } from './judge-found.ts';
import { isSpelling } from './decide.ts';
import type { Sight } from './base.ts';

/** What is known of a row that the service is said to hold. */
export interface AuditFacts extends Omit<FoundFacts, 'by'> {
  /** As it was right before it was sent, where `before` is what it was earlier. */
  ownBefore?: RecordImage | undefined;
  /** What became of each value that was to change, by key of the aspect; undefined where that is not known. */
  verdicts?: Readonly<Record<string, unknown>> | undefined;
  sight?: Sight | undefined;
  /** Slugs of the personas of the event: a registration that was moved may keep fields of the one before. */
  personas: readonly string[];
  /** False when the service shows no parents at all. */
  parentsShown: boolean;
  /** Whether no registration of a persona is listed with a value in a field. */
  isNeverStored: (persona: string, slug: string) => boolean;
  /** Every update has given its registration another id: it tells nobody apart then. */
  givesNewIds?: () => boolean;
  /** Somebody has said that what the service makes of a value counts: that is its own way then. */
  takesOther?: boolean | undefined;
  /** It was said beforehand that an update may take messages to people back. */
  mayTakeBack?: boolean;
}

export type AuditFinding =
  | { kind: 'missing' }
  /** `why` names the ids. */
  | { kind: 'doubled'; why: string; found: readonly RegistrationRecord[] }
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
  const { plan, found, before, registration } = facts;
  const [record, another] = found;
  if (record === undefined) return { kind: 'missing' };
  if (another !== undefined) return { kind: 'doubled', why: severalFound(found, 'this barcode'), found };
  const asked = [BARCODE, ...aspectsOf(registration, facts.fields)].filter(
    (aspect) => aspect !== MESSAGES && isShown(aspect, facts, record),
  );
  const otherwise = asked.map((aspect) => compare(aspect, facts, record)).filter((one) => one !== undefined);
  const had = plan === 'update' ? (facts.ownBefore ?? before) : undefined;
  const isUnmoved = had !== undefined && asked.every((aspect) => !differs(aspect, had, record));
  const isTaken = facts.takesOther === true && !isUnmoved;
  const own = otherwise.filter((one) => isTaken || isOwnWay(one, facts, otherwise));
  const stored = otherwise.filter((one) => !own.includes(one));
  const hidden = own.flatMap(({ difference: { field, found: listed } }) =>
    listed === undefined ? field : [],
  );
  // Of messages it is never said that they were sent.
  const asksForGroup = registration.parentBarcode !== undefined || registration.leavesGroup === true;
  const isAroundHidden =
    (asksForGroup && !isShown(PARENT, facts, record)) ||
    (registration.enableComms && record.enableComms !== true);
  const isSeen =
    before === undefined ||
    asked.some((aspect) => differs(aspect, registration, before) && !hidden.includes(aspect.field));
  return {
    kind: 'there',
    record,
    differences: [
      ...registeredAnew(facts, record),
      ...stored.map(({ difference }) => difference),
      ...changedOtherwise(facts, record),
    ],
    spelling: own.map(({ difference: { field } }) => field),
    hidden,
    isOld: stored.length > 0 && isUnmoved,
    isUnseen:
      record.fields === undefined || (plan === 'update' && !isSeen && (isAroundHidden || hidden.length > 0)),
  };
}

/** An update of a registration that somebody had deleted meanwhile has registered another one. */
function registeredAnew(
  { plan, before, givesNewIds }: AuditFacts,
  { id: found }: RegistrationRecord,
): Difference[] {
  const expected = before?.id;
  const isOther = expected !== undefined && found !== undefined && expected !== found;
  if (plan !== 'update' || !isOther || givesNewIds?.() === true) return [];
  return [{ field: 'id', kind: 'changed', expected, found }];
}

/** What is listed otherwise than it was sent. */
interface Otherwise {
  difference: Difference;
  /** Written otherwise, or in part; or left empty, for nobody of the persona has anything there, or otherwise before. */
  way: 'spelt' | 'not kept' | undefined;
}

function compare(aspect: Aspect, facts: AuditFacts, record: RecordImage): Otherwise | undefined {
  const { registration, before, isNeverStored, verdicts, sight } = facts;
  if (!differs(aspect, registration, record)) return undefined;
  const { field, before: found, after: expected } = toChange(aspect, registration, record);
  const difference: Difference = { field, kind: 'stored', expected, found };
  if (isSpelling(found, expected) || sight?.mayBe(aspect, record, registration) === true)
    return { difference, way: 'spelt' };
  const isKnown = verdicts !== undefined && verdicts[aspect.key] === undefined;
  const isAsKnown = isKnown && before !== undefined && !differs(aspect, before, record);
  // What was kept before is no field that the service has no room for.
  const wasEmpty = before === undefined || plainValue(aspect.of(before)) === undefined;
  const isEmptyField = aspect !== PERSONA && aspect !== PARENT && found === undefined && wasEmpty;
  const isKept = !isAsKnown && !(isEmptyField && isNeverStored(registration.persona, field));
  return { difference, way: isKept ? undefined : 'not kept' };
}

/** Whether the service writes a value its own way, or has no room for it: of an unknown row an empty field tells nothing. */
function isOwnWay({ way }: Otherwise, { plan, before }: AuditFacts, all: readonly Otherwise[]): boolean {
  const isKnown = plan === 'create' || before !== undefined;
  return way === 'spelt' || (way !== undefined && (isKnown || all.every((one) => one.way !== undefined)));
}

function isShown(
  aspect: Aspect,
  { before, parentsShown, registration }: AuditFacts,
  record: RecordImage,
): boolean {
  if (aspect === BARCODE) return registration.barcode !== undefined;
  if (aspect === PERSONA) return true;
  if (aspect === PARENT) return parentsShown || before?.parentBarcode !== undefined;
  return record.fields !== undefined;
}

/** What was not sent, and is not as it was before. */
function changedOtherwise(facts: AuditFacts, record: RecordImage): Difference[] {
  const { registration, before, fields, personas, mayTakeBack = false } = facts;
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
  const changed = [...unsaid.values()].filter(
    (aspect) =>
      !asked.has(aspect.key) && (aspect === PARENT || fieldsShown) && differs(aspect, before, record),
  );
  const areMessagesShown = before.enableComms !== undefined && record.enableComms !== undefined;
  const isToldOf = registration.enableComms || (mayTakeBack && record.enableComms === false);
  const around = areMessagesShown && !isToldOf && differs(MESSAGES, before, record) ? [MESSAGES] : [];
  return [...around, ...changed].map(
    ({ field, of }): Difference => ({
      field,
      kind: 'changed',
      expected: plainValue(of(before)),
      found: plainValue(of(record)),
    }),
  );
}

/** What went alone before the others of its kind, and what is listed of it since. */
interface FirstFacts extends AuditFacts {
  outcome: { state: RowState; remoteId?: string | undefined };
  /** What is looked at although the row does not say it: slugs, `parent_barcode`. */
  watched: ReadonlySet<string>;
}

/** What became of it. */
export type FirstVerdict =
  | { kind: 'as expected' }
  /** Listed otherwise than it was sent, or than it was before where that was sent back. */
  | { kind: 'otherwise'; differences: readonly Difference[] }
  /** There is another one beside it now. */
  | { kind: 'doubled' }
  /** All is as before: the list may be late, or the service ignores it. `fields`: what was to change. */
  | { kind: 'as before'; fields: readonly string[]; isLate: boolean }
  /** It is not listed yet. */
  | { kind: 'not there' }
  /** Nothing can be seen of what it changes. */
  | { kind: 'cannot say' };

/** Judges what is listed of the first of a kind after it was sent. */
export function judgeFirst(facts: FirstFacts): FirstVerdict {
  const { found, before, outcome, watched } = facts;
  const [record, another] = found;
  if (record === undefined) return { kind: 'not there' };
  if (another !== undefined) return before === undefined ? { kind: 'not there' } : { kind: 'doubled' };
  if (record.fields === undefined) {
    const isKnown = before?.id !== undefined && outcome.remoteId === before.id;
    return { kind: isKnown || before === undefined ? 'cannot say' : 'not there' };
  }
  const finding = judgeAudit(facts);
  const all = finding.kind === 'there' ? finding.differences : [];
  // Messages to people are never sent along.
  const differences = all.filter(
    ({ field, kind }) => field !== MESSAGES.field && (kind === 'stored' || watched.has(field)),
  );
  const isOnlyStored = differences.every(({ kind }) => kind === 'stored');
  if (before !== undefined && isOnlyStored && isAsBefore(facts, before, record)) {
    const fields = visibleChanges(facts, before);
    const isLate = differences.length > 0;
    return fields.length === 0 && !isLate ? { kind: 'cannot say' } : { kind: 'as before', fields, isLate };
  }
  return differences.length === 0 ? { kind: 'as expected' } : { kind: 'otherwise', differences };
}

function isAsBefore({ registration, fields }: FirstFacts, before: RecordImage, record: RecordImage): boolean {
  return aspectsOf(registration, fields).every((aspect) => !differs(aspect, before, record));
}

/** What was to change, and is shown, unless the service may just write all of it its own way. */
function visibleChanges(facts: FirstFacts, before: RecordImage): string[] {
  const { registration, fields, parentsShown, isNeverStored } = facts;
  const wanted = (changesTo(registration, before, fields) ?? []).filter(({ field }) =>
    field === PARENT.field ? parentsShown : !isNeverStored(registration.persona, field),
  );
  return wanted.every(({ before: was, after }) => isSpelling(was, after))
    ? []
    : wanted.map(({ field }) => field);
}
