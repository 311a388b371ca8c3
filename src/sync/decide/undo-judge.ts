import { type FieldsOf, type Aspect, fieldAspect } from '../../registration/changes/aspect.ts';
import {
  imageOf,
  type RecordImage,
  type Registration,
  type RegistrationRecord,
} from '../../registration/model/registration.ts';
import { type BarcodeFacts, hasOtherBarcode, whyOtherBarcode } from './undo-barcode.ts';
import { type KnownValues, recreating, type Restoring, restoring } from './undo-restore.ts';
import { describeUnseen, neverListed, type UndoneRow } from './undo-unseen.ts';
import { changesTo } from '../../registration/changes/field-change.ts';
import { plainValue, sameValue } from '../../registration/changes/same-value.ts';

export interface UndoFacts extends BarcodeFacts {
  row: UndoneRow;
  /** The registrations that the service lists under its id or barcode. */
  found: readonly RegistrationRecord[];
  /** The undo that has dealt with it before. */
  undoneBy: string | undefined;
  /** What that undo could not take back, as a clause. */
  leftBy?: string | undefined;
  /** A later push that has sent it, too. */
  sentAgainBy: string | undefined;
  /** Why it may be there although nothing was found of it, as a clause; undefined where it would have been found. */
  unfound: string | undefined;
  parentsShown: boolean;
  /** What is known of values that are not listed exactly as they are stored. */
  known?: KnownValues;
  /** What had been sent of it before, newest first. */
  earlier?: () => readonly Registration[];
}

/** What becomes of one row of the run that is undone. Reasons are clauses, and hold no values of persons. */
export type UndoVerdict =
  | { kind: 'delete'; record: RecordImage & { id: string } }
  | {
      kind: 'send';
      plan: 'update' | 'create';
      registration: Registration;
      record: RecordImage | undefined;
      /** What stays as the run has left it all the same. */
      unseen?: string | undefined;
    }
  /** There is nothing left to undo. */
  | { kind: 'nothing'; why: string }
  /** It is left alone. */
  | { kind: 'keep'; why: string; record: RecordImage | undefined };

/** Decides about one row: only what is still as the run has left it is undone. */
export function judgeUndo(facts: UndoFacts): UndoVerdict {
  const { row, undoneBy, leftBy } = facts;
  if (undoneBy !== undefined) {
    const why = `is undone already, by run ${undoneBy}`;
    return leftBy === undefined ? nothing(why) : keep(`${why}; ${leftBy}`);
  }
  return row.op === 'delete' ? judgeDeletion(facts) : judgeSent(facts);
}

function judgeDeletion({ row, found, unfound, fields, known }: UndoFacts): UndoVerdict {
  const [record] = found;
  if (record !== undefined) {
    if (record.id === row.remoteId) return nothing('is still listed');
    return keep(`its barcode is in use again, by registration ${idOf(record)}`, record);
  }
  if (unfound !== undefined) return keep(`it may be there again: ${unfound}`);
  if (row.before === undefined) return keep('what it was before is not known');
  return send('create', recreating(row.before, fields, known), undefined);
}

function judgeSent(facts: UndoFacts): UndoVerdict {
  const { row, found, unfound, sentAgainBy } = facts;
  const [record, another] = found;
  if (record === undefined) {
    return unfound === undefined ? nothing('is gone already') : keep(`it may be there: ${unfound}`);
  }
  if (another !== undefined) return keep(`several registrations are it: ${found.map(idOf).join(', ')}`);
  const id = row.before?.id ?? row.remoteId;
  if (id !== undefined && record.id !== undefined && record.id !== id) {
    return keep(`it was deleted and registered anew since (registration ${record.id})`, record);
  }
  if (sentAgainBy !== undefined) return keep(`it was sent again by run ${sentAgainBy} since`, record);
  if (row.state === 'pending') return keep('its run is about to send it again', record);
  return judgeRecord(facts, record);
}

function judgeRecord(facts: UndoFacts, record: RegistrationRecord): UndoVerdict {
  const { row, fields, known } = facts;
  const { before, after, sent } = row;
  const isNew = row.proof === 'new' || row.proof === 'unlisted';
  const isKnown = before !== undefined || isNew || row.plan === 'create';
  if (sent === undefined || !isKnown || row.plan === 'unchanged') return keep(NOT_COMPARED, record);
  if (record.fields === undefined || (before !== undefined && before.fields === undefined)) {
    return keep('the service does not show its values', record);
  }
  if (before === undefined && !isNew) return keep(NOT_PROVEN, record);
  // What planning has called a conflict carries what was edited as its image of before.
  if (row.plan === 'conflict') return keep(row.message ?? 'it is in conflict', record);
  const unseen = describeUnseen(facts, record);
  if (before !== undefined && isAsBefore(before, record, fields)) {
    if (asksForMessagesSince(sent, before, record))
      return keep('it asks for messages since (enable_comms), which cannot be taken back', record);
    return unseen === undefined ? nothing('is as it was before') : keep(unseen, record);
  }
  // What is never listed cannot be seen to be edited.
  const hidden = neverListed(row, record);
  const edited = editedSince({ sent, after, before }, record, facts).filter((one) => !hidden.includes(one));
  if (edited.length > 0) return keep(`edited in the service since: ${edited.join(', ')}`, record);
  if (before !== undefined) {
    const verdict = send('update', restoring({ before, now: record, sent }, fields, known), record);
    if (verdict.kind !== 'send') return verdict;
    const why = whyOtherBarcode(verdict.registration, record, facts);
    return why === undefined ? { ...verdict, unseen } : keep(why, record);
  }
  if (record.id === undefined) return keep('the service does not show its id', record);
  return { kind: 'delete', record: { ...imageOf(record), id: record.id } };
}

const isAsBefore = (before: RecordImage, record: RecordImage, fields: FieldsOf): boolean =>
  differencesOf(before, record, fields).length === 0 && !hasOtherBarcode(before, record);

/** Whether the run has asked for messages to the person that were not asked for before, and still are. */
const asksForMessagesSince = (sent: Registration, before: RecordImage, record: RecordImage): boolean =>
  sent.enableComms && before.enableComms !== true && record.enableComms !== false;

const NOT_COMPARED = 'what it was before is not known: it was not compared before it was sent';
const NOT_PROVEN =
  'it is not proven to be new: it, or who it took the place of, may have been there before it was sent';

const idOf = ({ id }: RegistrationRecord): string => id ?? 'without id';

const nothing = (why: string): UndoVerdict => ({ kind: 'nothing', why });

function keep(why: string, record?: RegistrationRecord): UndoVerdict {
  return { kind: 'keep', why, record: record && imageOf(record) };
}

function send(
  plan: 'update' | 'create',
  restored: Restoring,
  record: RegistrationRecord | undefined,
): UndoVerdict {
  if (restored.cannot !== undefined) return keep(restored.cannot, record);
  const { registration } = restored;
  return { kind: 'send', plan, registration, record: record && imageOf(record) };
}

/** What a run has left in the service of one registration. */
interface LeftBehind {
  /** What was sent. */
  sent: Registration;
  /** As it was listed since, where that is not just what was sent. */
  after: RecordImage | undefined;
  /** As it was listed before; undefined when the run created it. */
  before: RecordImage | undefined;
}

/**
 * Names of what a listed registration has otherwise than a run has left it: fields, `persona`,
 * `parent_barcode`. Values that differ only in how they are written are equal.
 */
export function editedSince(
  { sent, after, before }: LeftBehind,
  record: RecordImage,
  { fields, parentsShown }: { fields: FieldsOf; parentsShown: boolean },
): string[] {
  if (after !== undefined) return differencesOf(after, record, fields);
  const changed = (changesTo(sent, record, fields) ?? []).map(({ field }) => field);
  const own = fields(sent.persona);
  // What was not sent is as it was before, or empty in what was new; where it is empty, sending has emptied it.
  const unsent = own
    .filter(({ slug }) => !Object.hasOwn(sent.fields, slug))
    .map(({ slug }) => fieldAspect(slug, own))
    .filter((aspect) => plainValue(aspect.of(record)) !== undefined && isOther(aspect, record, before))
    .map(({ field }) => field);
  const moved =
    sent.parentBarcode === undefined &&
    record.parentBarcode !== undefined &&
    record.parentBarcode !== before?.parentBarcode;
  return [...(moved ? ['parent_barcode'] : []), ...changed, ...unsent].filter(
    (field) => field !== 'enable_comms' && (field !== 'parent_barcode' || parentsShown),
  );
}

/** Names of what two images of a registration have otherwise. */
export function differencesOf(one: RecordImage, other: RecordImage, fields: FieldsOf): string[] {
  const own = fields(one.persona ?? other.persona ?? '');
  const slugs = new Set([...Object.keys(one.fields ?? {}), ...Object.keys(other.fields ?? {})]);
  const differing = [...slugs].filter((slug) => isOther(fieldAspect(slug, own), one, other));
  const around = [
    ...(one.persona === other.persona ? [] : ['persona']),
    ...(one.parentBarcode === other.parentBarcode ? [] : ['parent_barcode']),
  ];
  return [...around, ...differing];
}

function isOther({ rules, of }: Aspect, one: RecordImage, other: RecordImage | undefined): boolean {
  return !sameValue(rules, of(one), other && of(other));
}
