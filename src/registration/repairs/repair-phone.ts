import { type Checked, refuse } from '../model/finding.ts';
import { type Mended, mend } from './mended.ts';
import type { NationalPhones } from './national-phones.ts';

const SCHEME = /^(?:tel:\s?)+/i;
const INTERNATIONAL = /^(?:\+|00)/;
const NATIONAL = /^[0-9 ()./-]+$/;
const DIGITS = /^[0-9]+$/;

/** Takes off `tel:`. */
export function withoutScheme(text: Mended): Mended {
  return mend(text, text.value.replace(SCHEME, ''), 'tel: removed');
}

/**
 * Writes national numbers with the calling code of `--set phone-country`. Digits that are no complete number of that
 * country stay as they are, since the service takes digits; so does what is no national number at all.
 */
export function mendPhone(number: Mended, phones: NationalPhones | undefined): Checked<Mended> {
  if (phones === undefined || !isNational(number.value)) return { ok: true, value: number };
  const read = phones.read(number.value);
  if (read !== undefined) {
    const repair = `country code +${read.callingCode} put in front`;
    return { ok: true, value: mend(number, read.international, repair) };
  }
  if (DIGITS.test(number.value)) return { ok: true, value: number };
  return refuse(
    `is not a complete phone number of ${phones.country}`,
    'write it with + and its country code',
  );
}

/** Whether a number has neither + nor 00 in front. */
export function isNational(number: string): boolean {
  return NATIONAL.test(number) && !INTERNATIONAL.test(number);
}
