import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { emailOf, hasName } from './match-email.ts';

/** By what else than a barcode to the letter a service may know people: e-mail within a persona, or in any; barcode in any case. */
export const PERSON_KEYS = ['email', 'email-across', 'case'] as const;
export type PersonKey = (typeof PERSON_KEYS)[number];

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
  if (mine !== undefined && theirs !== undefined && mine !== theirs) {
    if (foldBarcode(mine) === foldBarcode(theirs)) return 'case';
  }
  const persona = other.persona ?? registration.persona;
  const email = emailOf(registration, fields);
  if (email === undefined || email !== emailOf({ persona, fields: other.fields ?? {} }, fields))
    return undefined;
  return persona === registration.persona ? 'email' : 'email-across';
}

/** Whether something of a row's person is in a registration that an id names: ids may be used again. */
export function isAlike(registration: Registration, record: RecordImage, fields: FieldsOf): boolean {
  const key = sharedKey(registration, record, fields);
  return key === 'email' || key === 'email-across' || hasName(registration, record, fields);
}

/** A barcode as it is without its case. */
export const foldBarcode = (barcode: string): string => barcode.toLowerCase();
