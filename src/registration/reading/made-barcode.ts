import { hash } from 'node:crypto';
import type { Field } from '../model/persona.ts';
import type { FieldValue } from '../model/registration.ts';

/** Letters and digits that nobody takes for each other, as Crockford's Base32 has them. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 12;
const MADE = /^GUEST-.{4}-.{4}-.{4}$/;

/** Whether a barcode looks like one that was made. */
export const isMade = (barcode: string): boolean => MADE.test(barcode);

/** The barcode that a row was given, and that was not made for it. */
export const givenBarcode = ({ barcode }: { barcode?: string | undefined }): string | undefined =>
  barcode === undefined || isMade(barcode) ? undefined : barcode;

/**
 * The barcode of a person who has none: made from the e-mail address, else from the name, and from nothing else, so
 * that the same person has the same one in any order of the rows, in any file, and whatever else is mended.
 * Undefined for somebody who has neither.
 */
export function makeBarcode(
  values: ReadonlyMap<string, FieldValue>,
  fields: readonly Field[],
): { barcode: string; from: 'e-mail' | 'name' } | undefined {
  const [email] = textsOf('email', values, fields);
  const name = textsOf('name', values, fields).join(' ');
  if (email === undefined && name === '') return undefined;
  const from = email === undefined ? 'name' : 'e-mail';
  const bytes = hash('sha256', `barcode of ${from} ${email ?? name}`, 'buffer').subarray(0, LETTERS);
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('');
  return { barcode: letters.replace(/^(.{4})(.{4})/, 'GUEST-$1-$2-'), from };
}

/** Values of a kind as they are compared, in the order of the fields. */
function textsOf(
  kind: 'email' | 'name',
  values: ReadonlyMap<string, FieldValue>,
  fields: readonly Field[],
): string[] {
  return fields.flatMap((field) => {
    const value = field.kind === kind ? values.get(field.slug) : undefined;
    const text =
      typeof value === 'string' ? value.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim() : '';
    return text === '' ? [] : [text];
  });
}
