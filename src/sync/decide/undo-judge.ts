import {
  type FieldValue,
  imageOf,
  type RecordImage,
  type Registration,
  type RegistrationRecord,
} from '../../registration/model/registration.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { decide, mayStay } from './decide.ts';
import { isOfAnother, type Recognition, sharedKey } from './judge-person.ts';
import type { PlanAction } from './plan-decision.ts';
import { aspectsLeft, describeUnseen, leftBehind, type SentRow, unseenFields } from './left-behind.ts';
import { type EarlierSend, isShown, lastParent, lastSaid, valueOf } from './left-behind.ts';
import { notSentBack, restoring, type SaidFacts } from './left-behind.ts';
import { sendBack } from './what-is-sent.ts';

/** Of a row of which a run has asked something of the service, what is judged by. */
export interface UndoneRow extends SentRow {
  op: 'send' | 'delete';
  state: RowState;
  plan: PlanAction | 'delete' | undefined;
  proof: string | undefined;
  remoteId: string | undefined;
  message: string | undefined;
}

export interface UndoFacts extends SaidFacts {
  row: UndoneRow;
  /** The registrations that the service lists under its id or barcode. */
  found: readonly RegistrationRecord[];
  undoneBy: string | undefined;
  /** What that undo could not take back, as a clause. */
  leftBy?: string | undefined;
  sentAgainBy: string | undefined;
  /** Why it may be there although nothing was found of it, as a clause; undefined where it would have been found. */
  unfound: string | undefined;
  parentsShown: boolean;
  /** The service gives a registration a new id with each update: an id tells nobody apart. */
  givesNewIds?: boolean;
  recognition?: Recognition | undefined;
  /** Who is listed that may be somebody, and was not there before. */
  alike?: (one: Registration) => RegistrationRecord | undefined;
  /** Whether a registration with a barcode is listed. */
  isTaken?: ((barcode: string) => boolean) | undefined;
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

function judgeDeletion(facts: UndoFacts): UndoVerdict {
  const { row, found, unfound } = facts;
  const [record] = found;
  if (record !== undefined) {
    if (record.id === row.remoteId) return nothing('is still listed');
    return keep(`its barcode is in use again, by registration ${idOf(record)}`, record);
  }
  if (unfound !== undefined) return keep(`it may be there again: ${unfound}`);
  if (row.before === undefined) return keep('what it was before is not known');
  const { before = row.before } = completed(row, undefined, facts);
  const { registration, cannot, left = [] } = restoring({ before }, facts);
  if (registration === undefined) return keep(cannot);
  const other = facts.alike?.(registration);
  if (other !== undefined) return keep(`it may be there again, as registration ${idOf(other)}`, other);
  return { kind: 'send', plan: 'create', registration, record: undefined, unseen: notSentBack(left) };
}

function judgeSent(facts: UndoFacts): UndoVerdict {
  const { row, found, unfound, sentAgainBy } = facts;
  const [record, another] = found;
  const again = sentAgainBy && `it was sent again by run ${sentAgainBy} since`;
  const unsure = again ?? (unfound && `it may be there: ${unfound}`);
  if (record === undefined) return unsure === undefined ? nothing('is gone already') : keep(unsure);
  const ids = found.map((one) => idOf(one, row.before));
  if (another !== undefined) return keep(`several registrations are it: ${ids.join(', ')}`);
  const id = facts.givesNewIds === true ? undefined : (row.before?.id ?? row.remoteId);
  if (id !== undefined && record.id !== undefined && record.id !== id)
    return keep(`it was deleted and registered anew since (registration ${record.id})`, record);
  if (again !== undefined) return keep(again, record);
  const why = whyUnknown(row, record);
  return why === undefined ? judgeRecord(facts, record) : keep(why, record);
}

/** Why what a registration was before, or is now, is not known, as a clause. */
function whyUnknown(row: UndoneRow, record: RecordImage): string | undefined {
  const { state, plan, proof, before, sent, message } = row;
  if (state === 'pending') return 'its run is about to send it again';
  const isNew = proof === 'new' || proof === 'unlisted';
  const isKnown = before !== undefined || isNew || plan === 'create';
  if (sent === undefined || !isKnown || plan === 'unchanged')
    return 'what it was before is not known: it was not compared before it was sent';
  if (record.fields === undefined || (before !== undefined && before.fields === undefined))
    return 'the service does not show its values';
  if (before === undefined && !isNew)
    return 'it is not proven to be new: it, or who it took the place of, may have been there before it was sent';
  // What planning has called a conflict carries what was edited as its image of before.
  return plan === 'conflict' ? (message ?? 'it is in conflict') : undefined;
}

/** What it was before is wanted, where it is as the run has left it. */
function judgeRecord(facts: UndoFacts, record: RegistrationRecord): UndoVerdict {
  const { fields, parentsShown } = facts;
  const { now, ...images } = completed(facts.row, record, facts);
  const row = { ...facts.row, ...images };
  const { before, sent } = row;
  if (sent === undefined) return nothing('was not sent');
  const aspects = aspectsLeft(row, facts, now);
  const had = leftBehind(row, sent, fields);
  const { action, values } = decide({ want: before, have: now, had, aspects, parentsShown });
  if (before !== undefined && action === 'same' && !hasOtherBarcode(before, record))
    return judgeAsBefore({ ...facts, row }, now);
  const edited = values.flatMap(({ aspect, decision }) => (decision === 'conflict' ? aspect.field : []));
  if (edited.length > 0) return keep(`edited in the service since: ${edited.join(', ')}`, record);
  if (before === undefined) {
    if (record.id === undefined) return keep('the service does not show its id', record);
    return { kind: 'delete', record: { ...imageOf(record), id: record.id } };
  }
  const { registration, cannot, left = [] } = restoring({ before, now, sent }, facts);
  if (registration === undefined) return keep(cannot, record);
  const why = whyOtherBarcode(registration, record, facts);
  if (why !== undefined) return keep(why, record);
  const changed = values.flatMap(({ aspect, decision }) => (decision === 'same' ? [] : aspect.field));
  const lost = changed.filter((field) => left.includes(field));
  const hidden = unseenFields({ ...facts, row }, now);
  const clauses = [notSentBack(lost), describeUnseen(hidden)].filter((one) => one !== undefined);
  const unseen = clauses.length > 0 ? clauses.join('; ') : undefined;
  const isMixed = [...lost, ...hidden].some((field) => Object.hasOwn(sent.fields, field));
  if (isMixed && isOfAnother(changed, before, fields))
    return keep(`${unseen}, and a person comes back whole or not at all: push a list that has them`, record);
  const isAll = lost.length === changed.length && !hasOtherBarcode(before, record);
  if (unseen !== undefined && lost.length > 0 && isAll) return keep(unseen, record);
  return { kind: 'send', plan: 'update', registration, record: imageOf(record), unseen };
}

function judgeAsBefore(facts: UndoFacts, record: RegistrationRecord): UndoVerdict {
  const { sent, before } = facts.row;
  // Messages that the run has asked for, that were not asked for before, and still are.
  if (sent?.enableComms === true && before?.enableComms !== true && record.enableComms !== false)
    return keep('it asks for messages since (enable_comms), which cannot be taken back', record);
  const unseen = describeUnseen(unseenFields(facts, record));
  return unseen === undefined ? nothing('is as it was before') : keep(unseen, record);
}

/**
 * What was listed of a registration before and since, and is now, as far as this machine knows more than the list shows:
 * what that masks or cuts is as it was sent last, and so are what it never shows and the parent where none is shown.
 */
export function completed<Image extends RecordImage | undefined>(
  { sent, before, after }: Omit<SentRow, 'isReadBack'>,
  now: Image,
  facts: SaidFacts & Pick<UndoFacts, 'parentsShown'>,
): { before: RecordImage | undefined; after: RecordImage | undefined; now: Image } {
  const { parentsShown, earlier = () => [] } = facts;
  const images = [before, after, now];
  const wasHidden: IsHidden = (slug, { after: since }) =>
    since?.fields !== undefined && !isShown([...images, since], slug);
  const parentBarcode = before?.parentBarcode ?? (parentsShown ? undefined : lastParent(earlier()));
  const was = asSaid(before && { ...before, parentBarcode }, earlier(), facts, wasHidden);
  const sends = [{ ...sent }, ...earlier()];
  const isHidden: IsHidden = (slug) => isShown([was], slug) && !isShown(images, slug);
  return {
    before: was,
    after: asSaid(after, sends, facts, isHidden),
    now: asSaid(now, sends, facts, isHidden),
  };
}

/** Whether a list that shows nothing of a field hides what was sent there. */
type IsHidden = (slug: string, said: EarlierSend) => boolean;

/** An image with what was said last, newest first, in the place of what it does not show, or not as it is. */
function asSaid<Image extends RecordImage | undefined>(
  image: Image,
  sends: readonly EarlierSend[],
  { fields, sight }: SaidFacts,
  isHidden: IsHidden,
): Image {
  if (image?.fields === undefined) return image;
  const own = fields(image.persona ?? '');
  sight?.learn({ image, own, say: (slug) => lastSaid(slug, sends)?.fields?.[slug] });
  const values = own.flatMap((field): [string, FieldValue][] => {
    const { slug } = field;
    const said = lastSaid(slug, sends);
    const word = said?.fields?.[slug];
    if (said === undefined || word === undefined) return [];
    const shown = valueOf(image, slug);
    const change = { field: slug, before: plainValue(shown), after: word };
    const isOther =
      shown === undefined
        ? isHidden(slug, said)
        : sendBack(shown, field, sight) === undefined && mayStay(change);
    return isOther ? [[slug, word]] : [];
  });
  return { ...image, fields: { ...image.fields, ...Object.fromEntries(values) } };
}

/** Whether a registration is listed under another barcode than it is to have, or had. */
const hasOtherBarcode = ({ barcode }: Pick<RecordImage, 'barcode'>, now: RecordImage): boolean =>
  barcode !== undefined && now.barcode !== undefined && barcode !== now.barcode;

/**
 * Why sending a registration does not give the listed one its barcode, as a clause. Undefined where it has that, or
 * gets it: nobody else has it, and the service knows the person by what both have in common.
 */
function whyOtherBarcode(
  sent: Registration,
  now: RecordImage,
  { fields, recognition, isTaken }: Pick<UndoFacts, 'fields' | 'recognition' | 'isTaken'>,
): string | undefined {
  const { barcode } = sent;
  if (barcode === undefined || !hasOtherBarcode(sent, now)) return undefined;
  const key = sharedKey(sent, now, fields);
  const isKnown = key !== undefined && recognition?.[key] === 'yes';
  if (isKnown && isTaken?.(barcode) !== true) return undefined;
  return `its barcode is ${now.barcode} now, and was ${barcode}, which cannot be brought back`;
}

const idOf = ({ id = 'without id' }: RegistrationRecord, before?: RecordImage): string =>
  id === before?.id ? `${id} (there before)` : id;

const nothing = (why: string): UndoVerdict => ({ kind: 'nothing', why });

const keep = (why: string, record?: RegistrationRecord): UndoVerdict => ({
  kind: 'keep',
  why,
  record: record && imageOf(record),
});
