import { type Aspect, fieldAspect, type FieldsOf } from '../../registration/changes/aspect.ts';
import { emailOf, nameKeyOf } from '../../registration/changes/person.ts';
import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { type Base, knownByPair } from './base.ts';
import { isSpelling, MASK } from './decide.ts';

interface PersonFacts {
  registration: Registration;
  /** As the service lists it now. */
  record: RecordImage;
  base: Pick<Base, 'pairs'>;
  fields: FieldsOf;
  digest: (text: string) => string;
  /** It has another id than it was seen to have. */
  isAnew?: boolean;
}

/** A part of what tells a person: whether the service has another by now than the row, and whether only the row has. */
interface Part {
  slug: string;
  kind: 'name' | 'email';
  hasMoved: boolean;
  isMended: boolean;
}

/**
 * The fields by which the service has another person now than was seen there, where the row does not name that person
 * either; none where it is the same. A last name or an e-mail that changed alone changes nobody; a name that changed there
 * beside an e-mail that changed in the file leaves nothing to tell them by.
 */
export function otherPerson(facts: PersonFacts): readonly string[] {
  if (facts.record.fields === undefined) return [];
  const parts = partsOf(facts);
  const own = facts.fields(facts.registration.persona);
  // One of several names alone is mended, or changes with a marriage.
  const needed = own.filter(({ kind }) => kind === 'name').length > 1 && facts.isAnew !== true ? 2 : 1;
  return isOther(parts, needed) ? parts.flatMap(({ slug, hasMoved }) => (hasMoved ? slug : [])) : [];
}

/** `needed`: so many names have to have moved where no e-mail tells. */
function isOther(parts: readonly Part[], needed: number): boolean {
  const names = parts.filter(({ kind }) => kind === 'name');
  const emails = parts.filter(({ kind }) => kind === 'email');
  const moved = names.filter(({ hasMoved }) => hasMoved);
  if (emails.some(({ hasMoved }) => hasMoved)) return names.length === 0 || moved.length > 0;
  if (emails.some(({ isMended }) => isMended)) return moved.length > 0;
  const isRenamed = moved.length >= needed && moved.length === names.length;
  return isRenamed && (emails.length === 0 || moved.length > 1);
}

/**
 * By how many parts of name and e-mail the file alone gives a registration to somebody else: it has another e-mail, or
 * another name in all that makes up the name. 0 where it does not.
 */
export function givesAway(facts: PersonFacts): number {
  const parts = partsOf(facts);
  const mended = parts.filter(({ isMended }) => isMended);
  const names = (some: readonly Part[]): number => some.filter(({ kind }) => kind === 'name').length;
  const isOther = names(mended) < mended.length || names(mended) === names(parts);
  return isOther ? mended.length : 0;
}

/** The fields of a registration that is given away and that the file does not speak of: they stay as they were. */
export function leftByAnother(registration: Registration, record: RecordImage, fields: FieldsOf): string[] {
  const own = fields(record.persona ?? registration.persona);
  return own
    .map(({ slug }) => slug)
    .filter((slug) => !Object.hasOwn(registration.fields, slug))
    .filter((slug) => plainValue(fieldAspect(slug, own).of(record)) !== undefined);
}

/** Names and the first e-mail field, where something is known of them and something is listed. */
function partsOf({ registration, record, base, fields, digest }: PersonFacts): Part[] {
  const own = fields(registration.persona);
  const email = own.find(({ kind }) => kind === 'email');
  return own.flatMap((field): Part[] => {
    const { slug, kind } = field;
    if (kind !== 'name' && field !== email) return [];
    const pair = base.pairs.get(slug);
    const aspect = fieldAspect(slug, own);
    const { of } = aspect;
    const listed = of(record);
    if (pair === undefined || plainValue(listed) === undefined) return [];
    const known = knownByPair(aspect, pair, digest);
    const isAsBefore = known?.isSeen(listed) === true;
    const [said, shown] = [lettersOf(of(registration)), lettersOf(listed)];
    // What nobody has seen as it was sent may be cut.
    const isAsRow = said === shown || (pair.seen === undefined && said.startsWith(shown));
    const isNews = said !== '' && known?.isSaid(of(registration)) === false;
    const how = { hasMoved: !isAsBefore && !isAsRow, isMended: isNews && isAsBefore && !isAsRow };
    return [{ slug, kind: kind === 'name' ? 'name' : 'email', ...how }];
  });
}

/** Whether a registration has somebody else once some of its fields are otherwise: another e-mail, or another whole name. */
export function isOfAnother(changed: readonly string[], image: RecordImage, fields: FieldsOf): boolean {
  const listed = personAspects(image, fields).filter(({ of }) => plainValue(of(image)) !== undefined);
  const areChanged = (aspects: readonly Aspect[]): boolean =>
    aspects.length > 0 && aspects.every(({ field }) => changed.includes(field));
  const isEmail = ({ rules }: Aspect): boolean => rules.kind === 'email';
  return areChanged(listed.filter(isEmail)) || areChanged(listed.filter((aspect) => !isEmail(aspect)));
}

/** What tells the two people, of the row and of the service, from any others: they are told of once. */
export function personsDigest(
  registration: Registration,
  record: RecordImage,
  { fields, digest }: Pick<PersonFacts, 'fields' | 'digest'>,
): string {
  const aspects = personAspects(registration, fields);
  return digest(
    JSON.stringify([registration, record].map((one) => aspects.map(({ of }) => lettersOf(of(one))))),
  );
}

/** The fields that tell a person. */
export function personAspects({ persona = '' }: Pick<RecordImage, 'persona'>, fields: FieldsOf): Aspect[] {
  const own = fields(persona);
  return own
    .filter(({ kind }) => kind === 'name' || kind === 'email')
    .map(({ slug }) => fieldAspect(slug, own));
}

/** Whether the signs that a registration shows of a masked name or e-mail are those of a row. */
export const fitsMasks = (registration: Registration, record: RecordImage, fields: FieldsOf): boolean =>
  personAspects(registration, fields).every(({ of }) => {
    const shown = plainValue(of(record));
    return !MASK.test(String(shown)) || isSpelling(shown, plainValue(of(registration)));
  });

/** By what else than a barcode to the letter a service may know people: e-mail within a persona, or in any; barcode in any case. */
export const PERSON_KEYS = ['email', 'email-across', 'case'] as const;
export type PersonKey = (typeof PERSON_KEYS)[number];

/** Whether a service takes a row for a registration that it shares a key with; undefined: nobody has seen. */
export type Recognition = Readonly<Record<PersonKey, 'yes' | 'no' | undefined>>;

export const KEY_WORDS: Readonly<Record<PersonKey, string>> = {
  email: 'e-mail',
  'email-across': 'e-mail, whatever the persona',
  case: 'barcode, whatever its case',
};

/** A registration that the service might change when a row is sent that is to register somebody new. */
export interface Near {
  /** By what it would take the one for the other. */
  key: PersonKey;
  /** As it was listed before; undefined for one that another row of the files registers. */
  image?: RecordImage | undefined;
  /** The row of the files that registers it, or that gives it what they have in common. */
  seq?: number | undefined;
}

/** What a row and another registration have in common by which they may be taken for one; undefined: nothing. */
export function sharedKey(
  registration: Registration,
  other: Registration | RecordImage,
  fields: FieldsOf,
): PersonKey | undefined {
  const [mine, theirs] = [registration.barcode, other.barcode];
  const isFolded = mine !== theirs && mine !== undefined && theirs !== undefined;
  if (isFolded && foldBarcode(mine) === foldBarcode(theirs)) return 'case';
  if (!hasEmail(registration, other, fields)) return undefined;
  return (other.persona ?? registration.persona) === registration.persona ? 'email' : 'email-across';
}

/** Whether something of a row's person is in a registration that an id names: ids may be used again. */
export function isAlike(registration: Registration, record: RecordImage, fields: FieldsOf): boolean {
  return hasEmail(registration, record, fields) || hasName(registration, record, fields);
}

/** Whether a registration of any persona has the e-mail address that a row has. */
function hasEmail(
  registration: Registration,
  { persona = registration.persona, fields: values = {} }: Registration | RecordImage,
  fields: FieldsOf,
): boolean {
  const email = emailOf(registration, fields);
  return email !== undefined && email === emailOf({ persona, fields: values }, fields);
}

/** A barcode as it is without its case. */
export const foldBarcode = (barcode: string): string => barcode.toLowerCase();

/** A barcode in any case and without leading zeros: a spreadsheet takes it for a number. */
export const speltBarcode = (barcode: string): string => foldBarcode(barcode).replace(/^0+(?=\d+$)/, '');

type Values = Readonly<Record<string, unknown>>;

/** Whether a registration has all the names that a row has, in whatever case. */
export function hasName(registration: Registration, record: RecordImage, fieldsOf: FieldsOf): boolean {
  const nameIn = (field: Field, values: Values): string =>
    Object.hasOwn(values, field.slug) ? canonicalValue(field, values[field.slug]).toLowerCase() : '';
  return fieldsOf(registration.persona)
    .filter(({ kind }) => kind === 'name')
    .every((field) => {
      const own = nameIn(field, registration.fields);
      // A blank says nothing of who it is.
      return own === '' || own === nameIn(field, record.fields ?? {});
    });
}

/** Whether a registration shows a name that is not the row's. */
export const isNamedOtherwise = (one: Registration, record: RecordImage, fields: FieldsOf): boolean =>
  toldApartBy(one, record, fields).some(({ rules }) => rules.kind === 'name');

/** What of names and e-mails a registration shows that is not the row's, beyond case, accents and what is no letter or digit. */
export const toldApartBy = (one: Registration, record: RecordImage, fields: FieldsOf): Aspect[] =>
  personAspects(one, fields).filter(({ of }) => {
    const [own, shown] = [lettersOf(of(one)), lettersOf(of(record))];
    return own !== '' && shown !== '' && own !== shown;
  });

/** A text without case, accents and all that is no letter or digit. */
const lettersOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, '')
    : '';

/** What a person is remembered by. */
export const personOf = (
  one: { persona: string; fields: Readonly<Record<string, unknown>> },
  fieldsOf: FieldsOf,
): { email: string | undefined; name: string | undefined } => ({
  email: emailOf(one, fieldsOf),
  name: nameKeyOf(one, fieldsOf),
});
