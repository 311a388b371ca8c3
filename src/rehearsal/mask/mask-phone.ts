import { replaceSigns } from './mask-text.ts';
import { permute } from './permute.ts';

/** The country of a complete international number, given as its digits; undefined of any other. */
export type CountryOfPhone = (digits: string) => string | undefined;

/** What is in front of them is kept, so that a number is masked alike with and without its country code. */
const MASKED_DIGITS = 6;
/** Of a short number. */
const KEPT_DIGITS = 2;
/** Most numbers of a country are complete whatever their last digits are. */
const MOST_STEPS = 1000;
const SCHEME = /^\s*tel:/i;

/** A phone number of the same country and length, complete where it was. */
export function maskPhone(key: string, countryOf: CountryOfPhone, text: string): string {
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const number = text.slice(scheme.length);
  const country = countryOf(digitsOf(number));
  const step = (from: string): string => replaceSigns(from, (signs) => maskLast(key, signs));
  let masked = step(number);
  if (country === undefined) return scheme + masked;
  for (let steps = 1; steps < MOST_STEPS; steps += 1) {
    if (countryOf(digitsOf(masked)) === country) break;
    masked = step(masked);
  }
  return scheme + masked;
}

type Signs = Parameters<typeof permute>[1];

/** Digits but the last ones stay; letters are somebody's remark. */
function maskLast(key: string, signs: Signs): string[] {
  const isDigit = ({ alphabet }: Signs[number]): boolean => alphabet.length === 10;
  const digits = signs.filter(isDigit);
  const kept = Math.max(Math.min(KEPT_DIGITS, digits.length), digits.length - MASKED_DIGITS);
  const masked = [
    ...digits.slice(0, kept).map(({ alphabet, place, write }) => write(alphabet[place] ?? '')),
    ...permute(key, digits.slice(kept)),
  ];
  const letters = permute(
    key,
    signs.filter((sign) => !isDigit(sign)),
  );
  return signs.map((sign) => (isDigit(sign) ? masked : letters).shift() ?? '');
}

const digitsOf = (number: string): string =>
  number
    .normalize('NFKC')
    .replace(/\D/g, '')
    .replace(/^(?:00)+/, '');

/** Loads what is known of the numbers of all countries. */
export async function loadCountryOfPhone(): Promise<CountryOfPhone> {
  const { parsePhoneNumberFromString: parse } = await import('libphonenumber-js/min');
  return (digits) => {
    const parsed = parse(`+${digits}`);
    return parsed?.isValid() === true ? (parsed.country ?? parsed.countryCallingCode) : undefined;
  };
}
