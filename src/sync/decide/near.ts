import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { emailOf, nameKeyOf } from '../../registration/changes/person.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';

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

/** Whether a registration shows a name that is not the row's, beyond case, accents and what is no letter or digit. */
export function isNamedOtherwise(
  { persona, fields }: Registration,
  { fields: listed = {} }: RecordImage,
  fieldsOf: FieldsOf,
): boolean {
  return fieldsOf(persona)
    .filter(({ kind }) => kind === 'name')
    .some(({ slug }) => {
      const [own, shown] = [fields, listed].map((values) =>
        Object.hasOwn(values, slug) ? lettersOf(values[slug]) : '',
      );
      return own !== '' && shown !== '' && own !== shown;
    });
}

/** A text without case, accents and all that is no letter or digit. */
export const lettersOf = (value: unknown): string =>
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
