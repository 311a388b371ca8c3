import {
  type Aspect,
  BARCODE,
  type FieldsOf,
  MESSAGES,
  PARENT,
  PERSONA,
  differs,
  fieldAspect,
} from '../../registration/changes/aspect.ts';
import { toChange } from '../../registration/changes/field-change.ts';
import { plainValue, sameValue } from '../../registration/changes/same-value.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import { type Had, mayStay } from './decide.ts';
import { sendBack } from './what-is-sent.ts';

/** Of one registration, what a run has sent, and what was listed of it. */
export interface SentRow {
  /** Undefined for a deletion. */
  sent: Registration | undefined;
  /** As it was listed before; undefined when the run created it. */
  before: RecordImage | undefined;
  /** As it was listed since, where that is not just what was sent. */
  after: RecordImage | undefined;
  /** It was seen as it was sent, or as `after` has it. */
  isReadBack: boolean;
}

/** What a list may not show of a registration that a run has sent. */
interface UnseenFacts {
  row: SentRow;
  parentsShown: boolean;
  /** What had been sent of the registration before, newest first. */
  earlier?: (() => readonly Partial<Registration>[]) | undefined;
}

/** Something that is sent; undefined where nothing is said of it. */
interface Said {
  field: string;
  of: (sent: Partial<Registration>) => unknown;
}

/**
 * What a run has sent of a registration that was there, and the service does not list, as a clause: whether that is
 * as it was before cannot be told, nor can it be taken back. Undefined where no list hides anything but what an
 * earlier run had sent just so.
 */
export function describeUnseen(
  { row, parentsShown, earlier = () => [] }: UnseenFacts,
  now: RecordImage,
): string | undefined {
  const unseen = [
    ...(parentsShown || row.sent?.parentBarcode === undefined ? [] : [SAID_PARENT]),
    ...(mayAskForMessages(row, now) ? [SAID_MESSAGES] : []),
    ...neverListed(row, now).map(saidField),
  ].filter(({ of }) => {
    const last = earlier()
      .map(of)
      .find((value) => value !== undefined);
    return row.sent !== undefined && JSON.stringify(last) !== JSON.stringify(of(row.sent));
  });
  if (unseen.length === 0) return undefined;
  const fields = unseen.map(({ field }) => field).join(', ');
  return `whether ${fields} is as it was before cannot be told: the service does not list what was sent`;
}

/** The parent that was sent last, which rows that name none have left as it is; undefined where it was taken away since. */
export const lastParent = (newestFirst: readonly Partial<Registration>[]): string | undefined =>
  newestFirst.find(({ parentBarcode, leavesGroup }) => parentBarcode !== undefined || leavesGroup === true)
    ?.parentBarcode;

const SAID_PARENT: Said = {
  field: PARENT.field,
  of: ({ parentBarcode, leavesGroup }) => parentBarcode ?? leavesGroup,
};
const SAID_MESSAGES: Said = { field: MESSAGES.field, of: ({ enableComms }) => enableComms };
const saidField = (field: string): Said => ({
  field,
  of: ({ fields = {} }) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
});

/** Whether the run has asked for messages to the person, where no list shows that. */
const mayAskForMessages = ({ sent, before }: SentRow, now: RecordImage): boolean =>
  sent?.enableComms === true && before !== undefined && (before.enableComms ?? now.enableComms) === undefined;

/** Fields in which a run has sent something, and no list has shown anything: not before, not since, not now. */
function neverListed({ sent, before, after, isReadBack }: SentRow, now: RecordImage): string[] {
  const wasSeen = isReadBack && after === undefined;
  if (sent === undefined || before === undefined || wasSeen) return [];
  const isListed = (slug: string): boolean =>
    [before, after, now].some((image) => valueOf(image, slug) !== undefined);
  return Object.entries(sent.fields)
    .filter(([slug, value]) => value.length > 0 && !isListed(slug))
    .map(([slug]) => slug);
}

/** What an image shows in a field; undefined where that is no value. */
function valueOf(image: RecordImage | undefined, slug: string): unknown {
  const value =
    image?.fields !== undefined && Object.hasOwn(image.fields, slug) ? image.fields[slug] : undefined;
  return plainValue(value) === undefined ? undefined : value;
}

/** What the event names for the persona that it was, and that it was sent as. */
function ownFields({ before, sent }: SentRow, fields: FieldsOf): Field[] {
  const personas = new Set([before?.persona ?? sent?.persona ?? '', sent?.persona ?? '']);
  return [...personas].flatMap((persona) => fields(persona));
}

/** What is compared: what is never listed cannot be seen to be edited. */
export function aspectsLeft(
  row: SentRow,
  { fields, parentsShown }: { fields: FieldsOf; parentsShown: boolean },
  record: RecordImage,
): Aspect[] {
  const { sent, after } = row;
  const own = ownFields(row, fields);
  const shown = after === undefined ? {} : { ...after.fields, ...record.fields };
  const all = [...Object.keys(sent?.fields ?? {}), ...own.map(({ slug }) => slug), ...Object.keys(shown)];
  const hidden = new Set(neverListed(row, record));
  const slugs = [...new Set(all)].filter((slug) => !hidden.has(slug));
  return [PERSONA, ...(parentsShown ? [PARENT] : []), ...slugs.map((slug) => fieldAspect(slug, own))];
}

/**
 * What a run has left in the service of one registration: what was sent, over what was there before, or empty where
 * sending has emptied it. It may be listed since as the service writes it; of an update, any other value that was
 * listed since is somebody's edit. What the event does not name, and what was new, is as it was listed since: the
 * service fills that in.
 */
export function leftBehind(row: SentRow, sent: Registration, fields: FieldsOf): Had {
  const { before, after } = row;
  const named = new Set(ownFields(row, fields).map(({ slug }) => slug));
  return (aspect) => {
    const { field, rules, of } = aspect;
    const same = (image: RecordImage | Registration | undefined, value: unknown): boolean =>
      sameValue(rules, image && of(image), value);
    const isField = Object.hasOwn(sent.fields, field);
    const isAround = field === PERSONA.field || field === PARENT.field;
    const isSent = field === PARENT.field ? sent.parentBarcode !== undefined : isAround || isField;
    const isFilledIn = before === undefined || !(isAround || isField || named.has(field));
    const isAsBefore = (value: unknown): boolean => plainValue(value) === undefined || same(before, value);
    const isSeen = (value: unknown): boolean => {
      if (after === undefined) return isSent ? same(sent, value) : isAsBefore(value);
      if (!same(after, value)) return false;
      return (
        isFilledIn || isAsBefore(value) || (isSent && (same(sent, value) || isWritten(aspect, sent, after)))
      );
    };
    return { isSaid: () => false, isSeen, wasSeen: true, isRefused: false };
  };
}

/** Whether a service that writes what it is sent its own way, or has no room for all of it, would list it so. */
function isWritten(aspect: Aspect, sent: Registration, listed: RecordImage): boolean {
  const change = toChange(aspect, sent, listed);
  return aspect.key === aspect.field && change.after !== undefined && mayStay(change);
}

/** What to send to bring a registration back, or why that cannot be done, as a clause. */
export type Restoring =
  | {
      registration: Registration;
      cannot?: undefined;
      /** Fields that held what cannot be sent back exactly as it is listed. */
      left: readonly string[];
    }
  | { registration?: undefined; cannot: string; left?: undefined };

/** Whether a text is to the letter what the file once sent in a field of the registration, however it is listed. */
export type SentByFile = (slug: string, text: string) => boolean;

interface Images {
  /** As it was listed before. */
  before: RecordImage;
  /** As it is listed now, and what a run had sent of it; undefined of one that is gone. */
  now?: RecordImage;
  sent?: Registration;
}

/**
 * The registration that brings one back to what it was before: all that it showed then of one that is gone, else what is
 * otherwise now, be it emptied; an update carries the rest. What cannot be sent back is left. Messages to people are never
 * sent again.
 */
export function restoring(images: Images, fields: FieldsOf, sentByFile?: SentByFile): Restoring {
  const { before, now, sent } = images;
  const barcode = before.barcode ?? now?.barcode ?? sent?.barcode;
  const persona = before.persona ?? sent?.persona;
  if (persona === undefined || before.fields === undefined)
    return { cannot: 'the service did not show its persona and values before it was deleted' };
  if (now !== undefined && barcode === undefined)
    return { cannot: 'it shows no barcode, without which it cannot be changed back' };
  if (before.parentBarcode === undefined && now?.parentBarcode !== undefined)
    return { cannot: 'it was made a member, and the service has no way to take that back' };
  const own = fields(persona);
  const isOther = now === undefined || [PERSONA, BARCODE].some((aspect) => differs(aspect, before, now));
  const values = slugsOf(images, persona, own)
    .filter((slug) => isOther || differs(fieldAspect(slug, own), before, now))
    .map((slug) => ({ slug, value: valueBack(slug, before, own, sentByFile) }));
  const back = values.flatMap(({ slug, value }): [string, FieldValue][] => {
    const isToClear = now !== undefined && valueOf(now, slug) !== undefined;
    if (value === undefined || (value.length === 0 && !isToClear)) return [];
    return [[slug, value.length > 0 ? value : '']];
  });
  const left = values.flatMap(({ slug, value }) => (value === undefined ? [slug] : []));
  if (now === undefined && left.length > 0 && back.length === 0) return { cannot: notSentBack(left) };
  return {
    registration: {
      persona,
      // fromEntries defines keys, so that a field called __proto__ is a key like any other.
      fields: Object.fromEntries(back),
      barcode,
      parentBarcode: before.parentBarcode,
      enableComms: false,
    },
    left,
  };
}

/** Why some of it is left, as a clause. */
export const notSentBack = (left: readonly string[]): string =>
  `what ${left.join(', ')} held cannot be sent back exactly as it is listed`;

/** What a field held, as it can be sent; undefined where it cannot. */
function valueBack(
  slug: string,
  before: RecordImage,
  own: readonly Field[],
  sentByFile: SentByFile | undefined,
): FieldValue | undefined {
  const shown = valueOf(before, slug);
  const field = own.find((one) => one.slug === slug);
  const isOwn = typeof shown === 'string' && sentByFile?.(slug, shown) === true;
  return sendBack(shown, field) ?? (isOwn ? shown : undefined);
}

/** What the event names for the persona, and what the run has sent beside it: fields of another persona go with it. */
function slugsOf({ before, sent }: Images, persona: string, own: readonly Field[]): readonly string[] {
  const isOfAll = own.length === 0 || persona === sent?.persona;
  const others = sent === undefined ? (own.length === 0 ? before.fields : {}) : isOfAll ? sent.fields : {};
  return [...new Set([...own.map(({ slug }) => slug), ...Object.keys(others ?? {})])];
}
