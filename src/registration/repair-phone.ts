import { type DiallingPlan, diallingPlan } from './calling-codes.ts';
import { type Checked, refuse } from './finding.ts';
import { type Mended, mend } from './mended.ts';

const SCHEME = /^tel:\s?/i;
const INTERNATIONAL = /^(?:\+|00)/;
const NATIONAL = /^[0-9 ()./-]+$/;
/** E.164 allows 15 digits, the calling code included. */
const MOST_DIGITS = 15;
const FEWEST_DIGITS = 5;
/** Digits of a national number in North America, area code included. */
const AMERICAN_DIGITS = 10;
/** Digits that are left behind a calling code when the whole may be a number with its code. */
const WHOLE_DIGITS = 7;
/** Countries where shorter numbers do not exist: there a number may begin with the digits of the code. */
const LONG_NUMBERS: ReadonlyMap<string, number> = new Map([
  ...['AR', 'BR', 'CN', 'IN', 'IR', 'KZ', 'MX', 'NG', 'PH', 'PK', 'RU', 'TR'].map(
    (code) => [code, 10] as const,
  ),
  ...['IT', 'VN'].map((code) => [code, 9] as const),
]);

/** Takes off `tel:`, and writes national numbers with the calling code of `--phone-country`. */
export function mendPhone(text: Mended, country: string | undefined): Checked<Mended> {
  const number = mend(text, text.value.replace(SCHEME, ''), 'tel: removed');
  const plan = country === undefined ? undefined : diallingPlan(country.toUpperCase());
  if (country === undefined || plan === undefined) return { ok: true, value: number };
  if (INTERNATIONAL.test(number.value) || !NATIONAL.test(number.value)) return { ok: true, value: number };
  return addCallingCode(number, plan, LONG_NUMBERS.get(country.toUpperCase()) ?? WHOLE_DIGITS);
}

function addCallingCode(number: Mended, plan: DiallingPlan, wholeDigits: number): Checked<Mended> {
  const { callingCode, trunkPrefixes } = plan;
  const digits = number.value.replace(/[^0-9]/g, '');
  if (digits.length < FEWEST_DIGITS) return { ok: true, value: number };
  const trunk = trunkPrefixes.find((prefix) => digits.startsWith(prefix)) ?? '';
  const national = digits.slice(trunk.length);
  if (trunk === '' && digits.startsWith(callingCode) && digits.length >= callingCode.length + wholeDigits) {
    return refuse('may have its country code already', 'write + in front, or leave the country code out');
  }
  const american = callingCode === '1';
  if ((american && national.length !== AMERICAN_DIGITS) || national.length < FEWEST_DIGITS - 1) {
    return refuse('is too short or too long for a whole number of its country', 'write it with area code');
  }
  if (callingCode.length + national.length > MOST_DIGITS) {
    return refuse(`has more than ${MOST_DIGITS} digits with its country code`, 'write one number');
  }
  return {
    ok: true,
    value: mend(number, `+${callingCode}${national}`, `country code +${callingCode} put in front`),
  };
}
