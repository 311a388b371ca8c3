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
import type { Sight } from './base.ts';
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

/** What this machine knows of a registration beside what is listed of it. */
export interface SaidFacts {
  fields: FieldsOf;
  /** What had been sent of it before, newest first. */
  earlier?: (() => readonly EarlierSend[]) | undefined;
  sight?: Sight | undefined;
}

/** What a list may not show of a registration that a run has sent. */
export interface UnseenFacts extends Pick<SaidFacts, 'earlier'> {
  row: SentRow;
  parentsShown: boolean;
}

/**
 * What a run has sent of a registration that was there, and the service does not list: whether that is as it was before
 * cannot be told, nor can it be taken back. Nothing where no list hides anything but what an earlier run had sent just so.
 */
export function unseenFields(
  { row, parentsShown, earlier = () => [] }: UnseenFacts,
  now: RecordImage,
): readonly string[] {
  const { sent, before } = row;
  if (sent === undefined) return [];
  const isOtherParent = sent.parentBarcode !== undefined && lastParent(earlier()) !== sent.parentBarcode;
  const isAsked = sent.enableComms && before !== undefined && earlier()[0]?.enableComms !== true;
  const isAskedUnseen = isAsked && (before.enableComms ?? now.enableComms) === undefined;
  const isOther = (slug: string): boolean =>
    JSON.stringify(lastSaid(slug, earlier())?.fields?.[slug]) !== JSON.stringify(sent.fields[slug]);
  return [
    ...(!parentsShown && isOtherParent ? [PARENT.field] : []),
    ...(isAskedUnseen ? [MESSAGES.field] : []),
    ...neverListed(row, now).filter(isOther),
  ];
}

/** What was sent last with something in a field. */
export const lastSaid = (slug: string, newestFirst: readonly EarlierSend[]): EarlierSend | undefined =>
  newestFirst.find(({ fields = {} }) => Object.hasOwn(fields, slug));

/** The same as a clause; undefined where there is none. */
export function describeUnseen(fields: readonly string[]): string | undefined {
  if (fields.length === 0) return undefined;
  return `whether ${fields.join(', ')} is as it was before cannot be told: the service does not list what was sent`;
}

/** The parent that was sent last, which rows that name none have left as it is; undefined where it was taken away since. */
export const lastParent = (newestFirst: readonly Partial<Registration>[]): string | undefined =>
  newestFirst.find(({ parentBarcode, leavesGroup }) => parentBarcode !== undefined || leavesGroup === true)
    ?.parentBarcode;

/** Fields in which a run has sent something, and no list has shown anything: not before, not since, not now. */
function neverListed({ sent, before, after, isReadBack }: SentRow, now: RecordImage): string[] {
  const wasSeen = isReadBack && after === undefined;
  if (sent === undefined || before === undefined || wasSeen) return [];
  const slugs = Object.keys(sent.fields).filter((slug) => sent.fields[slug]?.length !== 0);
  return slugs.filter((slug) => !isShown([before, after, now], slug));
}

/** What this machine has sent of a registration, and how that was listed since where it is not just what was sent. */
export type EarlierSend = Partial<Registration> & { after?: RecordImage | undefined };

/** What an image shows in a field; undefined where that is no value. */
export function valueOf(image: RecordImage | undefined, slug: string): unknown {
  const value =
    image?.fields !== undefined && Object.hasOwn(image.fields, slug) ? image.fields[slug] : undefined;
  return plainValue(value) === undefined ? undefined : value;
}

/** Whether any of some images shows a value in a field. */
export const isShown = (images: readonly (RecordImage | undefined)[], slug: string): boolean =>
  images.some((image) => valueOf(image, slug) !== undefined);

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
export function restoring(images: Images, facts: SaidFacts) {
  const { before, now, sent } = images;
  const { fields } = facts;
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
    .map((slug) => ({ slug, value: valueBack(slug, before, own, facts) }));
  const isToClear = (slug: string): boolean => now !== undefined && valueOf(now, slug) !== undefined;
  const back = values.flatMap(({ slug, value }): [string, FieldValue][] => {
    if (value === undefined || (value.length === 0 && !isToClear(slug))) return [];
    return [[slug, value.length > 0 ? value : '']];
  });
  const left = values.flatMap(({ slug, value }) => (value === undefined ? [slug] : []));
  const cannot = now === undefined && back.length === 0 ? notSentBack(left) : undefined;
  if (cannot !== undefined) return { cannot };
  // fromEntries defines keys, so that a field called __proto__ is a key like any other.
  const { parentBarcode } = before;
  const registration = {
    persona,
    fields: Object.fromEntries(back),
    barcode,
    parentBarcode,
    enableComms: false,
  };
  return { registration, left };
}

/** Why some of it is left, as a clause; undefined for nothing. */
export const notSentBack = (left: readonly string[]): string | undefined =>
  left.length > 0 ? `what ${left.join(', ')} held cannot be sent back exactly as it is listed` : undefined;

/** What a field held, as it can be sent, whatever was sent there once just so; undefined where it cannot. */
function valueBack(
  slug: string,
  before: RecordImage,
  own: readonly Field[],
  { earlier = () => [], sight }: SaidFacts,
): FieldValue | undefined {
  const shown = valueOf(before, slug);
  const field = own.find((one) => one.slug === slug);
  const said = earlier().map((one) => one.fields?.[slug]);
  return sendBack(shown, field, sight) ?? said.find((one) => one === shown);
}

/** What the event names for the persona, and what the run has sent beside it: fields of another persona go with it. */
function slugsOf({ before, sent }: Images, persona: string, own: readonly Field[]): readonly string[] {
  const isOfAll = own.length === 0 || persona === sent?.persona;
  const others = sent === undefined ? (own.length === 0 ? before.fields : {}) : isOfAll ? sent.fields : {};
  return [...new Set([...own.map(({ slug }) => slug), ...Object.keys(others ?? {})])];
}
