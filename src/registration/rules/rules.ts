import { checkChoice } from './choice-rule.ts';
import { checkDate } from './date-rule.ts';
import { checkEmail } from './email-rule.ts';
import { faultOf, type Faults, type Finding, findingOf } from '../model/row.ts';
import type { Field, FieldKind } from '../model/persona.ts';
import { checkText, describeCharacter, isScientificNotation, LOST_DIGITS } from './text-rule.ts';
import { checkUpload, checkWebsite } from './url-rule.ts';
import { countryCodeOf } from './country-names.ts';
import { isCountryCode } from './countries.ts';

export { checkChoice, checkCountry, checkDate, checkEmail, checkNumeric };
export { checkText, checkUpload, checkWebsite };

/** The rule of each kind that looks at the text alone. None of them expects white space at the ends. */
const TEXT_RULES: Readonly<Record<Exclude<FieldKind, 'choice'>, (text: string) => Finding | undefined>> = {
  name: checkText,
  email: checkEmail,
  phone: checkPhone,
  country: checkCountry,
  website: checkWebsite,
  upload: checkUpload,
  date: checkDate,
  numeric: checkNumeric,
  text: checkText,
};

/** What the field's rule has against a value; undefined when it may be sent. The text is trimmed and not empty. */
export function checkValue(
  text: string,
  field: Pick<Field, 'kind' | 'choices' | 'multiple'>,
): Finding | undefined {
  return field.kind === 'choice' ? checkChoice(text, field) : TEXT_RULES[field.kind](text);
}

const REMEDY = 'write digits only';
const THOUSANDS = /^\d{1,3}(?:[ ,'’\u00A0\u202F]\d{3})+$/u;
const DECIMALS = /^(\d+)[.,]0+$/;
const NUMBER_FAULTS: Faults = [
  [/^[-\u2212][0-9]/u, 'is negative, and only digits are accepted', REMEDY],
  [/^\d*[.,]\d+$/, 'is not a whole number', REMEDY],
  [/^\p{Nd}+$/u, 'has digits other than 0 to 9', 'type it with 0 to 9'],
  [/^/, 'holds something other than digits', REMEDY],
];

/** ASCII digits only: no sign, no separators, no decimals. */
function checkNumeric(text: string): Finding | undefined {
  if (/^[0-9]+$/.test(text)) return undefined;
  if (isScientificNotation(text)) return LOST_DIGITS;
  const own: Faults = [
    [THOUSANDS, 'has thousands separators', `write ${text.replace(/[^0-9]/g, '')}`],
    // 12.000 is twelve to some and twelve thousand to others: no number is suggested.
    [/^\d{1,3}(?:\.\d{3})+$/, 'has dots inside', REMEDY],
    [DECIMALS, 'has decimals', `write ${text.replace(DECIMALS, '$1')}`],
  ];
  return faultOf(text, [...own, ...NUMBER_FAULTS], 'number-invalid');
}

/** An assigned ISO 3166-1 code of 2 or 3 letters, in any case. */
function checkCountry(text: string): Finding | undefined {
  if (isCountryCode(text)) return undefined;
  const code = countryCodeOf(text);
  return findingOf(
    'country-unknown',
    /^[A-Za-z]{2,3}$/.test(text)
      ? 'is not an assigned ISO 3166 country code'
      : 'is not an ISO 3166 country code of 2 or 3 letters',
    code === undefined ? 'write the code, for example ES or ESP' : `write ${code}`,
  );
}

const PHONE_FAULTS: Faults = [
  // As the service counts: the + is one.
  [/^.{0,4}$/s, 'is too short for a phone number', 'write at least 5 characters'],
  [/^(?:00)?[^0-9]*$/, 'has no digits', 'write the number, or empty the cell'],
];

/**
 * A phone number: digits only, or beginning with `+` or `00` and then digits, spaces and ( ) - . /
 * with at least 5 characters in all.
 */
export function checkPhone(text: string): Finding | undefined {
  const bad = (problem: string, remedy: string): Finding => findingOf('phone-invalid', problem, remedy);
  if (isScientificNotation(text)) return LOST_DIGITS;
  if (/\p{L}/u.test(text)) return bad('has letters inside', 'keep the number only');
  const stranger = /[^0-9 ()./-]/u.exec(text.startsWith('+') ? text.slice(1) : text)?.[0];
  if (stranger === '+') return bad('has a + inside', 'write one number, with + in front only');
  if (stranger !== undefined) {
    return bad(`has ${describeCharacter(stranger)} inside`, 'delete that character');
  }
  const fault = faultOf(text, PHONE_FAULTS, 'phone-invalid');
  if (fault !== undefined || /^(?:\+|00)/.test(text) || /^[0-9]+$/.test(text)) return fault;
  return findingOf(
    'phone-country',
    'is a phone number in local format, without + or 00',
    'write it with country code, as +34 600 000 000, or name its country, as with --set phone-country=ES',
  );
}
