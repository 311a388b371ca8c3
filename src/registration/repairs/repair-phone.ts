import { refuse } from '../model/row.ts';
import { mend, type Mended } from './clean-text.ts';
import type { Checked } from '../model/row.ts';
import type { NationalPhones, PhoneWish, ReadPhone } from './national-phones.ts';

const SCHEME = /^(?:tel:\s?)+/i;
const INTERNATIONAL = /^(?:\+|00)/;
const NATIONAL = /^(?=.*[0-9])[0-9 ()./-]+$/;
const DIGITS = /^[0-9]+$/;

/** Takes off `tel:`. */
export function withoutScheme(text: Mended): Mended {
  return mend(text, text.value.replace(SCHEME, ''), 'tel: removed');
}

/** The ways in which a number without + is a complete one of a country. */
interface Readings {
  /** As one that is dialled inside the country. */
  national: ReadPhone | undefined;
  /** As one that has the calling code already. */
  coded: ReadPhone | undefined;
}

/** The ways to read a number without + or 00; `coded` alone where both come to the same. */
export function readingsOf(number: string, phones: NationalPhones): Readings {
  const national = phones.read(number);
  const coded = phones.readCoded(number);
  return { national: national?.international === coded?.international ? undefined : national, coded };
}

/**
 * Writes numbers without + or 00 with their calling code, as numbers of the country that the row names, else of the
 * column's. Digits that are no complete number of either stay as they are, since the service takes digits; so does
 * what is no national number at all. One that may have its calling code already, or not, is refused.
 */
export function mendPhone(
  number: Mended,
  { phones, coded }: PhoneWish,
  rowCountry: string | undefined,
): Checked<Mended> {
  if (phones === undefined || !isNational(number.value)) return { ok: true, value: number };
  const own = rowCountry === undefined || rowCountry === phones.country ? phones : phones.of(rowCountry);
  const countries = own === phones ? [phones] : [own, phones];
  for (const country of countries) {
    const read = readAs(number, readingsOf(number.value, country), coded);
    if (read !== undefined) return read;
  }
  if (DIGITS.test(number.value)) return { ok: true, value: number };
  const names = countries.map(({ country }) => country).join(' or ');
  return refuse(
    'phone-invalid',
    `is not a complete phone number of ${names}`,
    'write it with + and its country code',
  );
}

function readAs(
  number: Mended,
  { national, coded }: Readings,
  isCoded: boolean | undefined,
): Checked<Mended> | undefined {
  if (coded !== undefined && (national === undefined || isCoded === true)) {
    const repair = `+ put in front of its country code ${coded.callingCode}`;
    return { ok: true, value: mend(number, coded.international, repair) };
  }
  if (coded !== undefined && isCoded === undefined) {
    const problem = `begins with ${coded.callingCode}, which may be its country code or not`;
    return refuse('phone-country', problem, 'write it with + and its country code');
  }
  if (national === undefined) return undefined;
  const repair = `country code +${national.callingCode} put in front`;
  return { ok: true, value: mend(number, national.international, repair) };
}

/** Whether a number has neither + nor 00 in front. */
export function isNational(number: string): boolean {
  return NATIONAL.test(number) && !INTERNATIONAL.test(number);
}
