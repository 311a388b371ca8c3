import { type Checked, refuse } from '../model/row.ts';
import { countryInSentence } from '../rules/country-names.ts';
import { mend, type Mended } from './clean-text.ts';

const SCHEME = /^(?:tel:\s?)+/i;
const INTERNATIONAL = /^(?:\+|00)/;
const NATIONAL = /^(?=.*[0-9])[0-9 ()./-]+$/;
const DIGITS = /^[0-9]+$/;
const UNTRUNKED = /^[1-9][0-9]*$/;

/** Takes off `tel:`. */
export function withoutScheme(text: Mended): Mended {
  return mend(text, text.value.replace(SCHEME, ''), 'tel: removed');
}

/**
 * The ways to read a number without + or 00: as one that is dialled inside the country, and as one that has the calling code
 * already; `coded` alone where both come to the same.
 */
export function readingsOf(number: string, phones: NationalPhones) {
  const national = phones.read(number);
  const coded = phones.readCoded(number);
  return { national: national?.international === coded?.international ? undefined : national, coded };
}

/** Whose a number without + may be: of the countries that its row names; only where it names none, of the column's. */
export function ownersOf(rowCountries: readonly string[], phones: NationalPhones): readonly NationalPhones[] {
  return rowCountries.length === 0 ? [phones] : rowCountries.map((country) => phones.of(country));
}

/**
 * Writes numbers without + or 00 with their calling code, as numbers of the country that the row names, else of the
 * column's. A number that is none of its row's own country is refused, whatever other it would fit. Where the row
 * names none, digits that do not fit stay as they are, since the service takes digits; so does what is no national
 * number at all. One that may be read in two ways is refused. Of numbers of which nobody has said anything, digits that
 * may begin with a country code stay as they are, too.
 */
export function mendPhone(
  number: Mended,
  { phones, coded = false, unsaid, blank }: PhoneWish,
  rowCountries: readonly string[],
): Checked<Mended> {
  if (phones === undefined) return { ok: true, value: number };
  if (!isNational(number.value)) {
    const mended = phones.withoutTrunk(number.value) ?? number.value;
    return { ok: true, value: mend(number, mended, 'zero behind the country code removed') };
  }
  const owners = ownersOf(rowCountries, phones);
  const [read, ...others] = owners.flatMap(
    (owner) => readAs(number, readingsOf(number.value, owner), coded) ?? [],
  );
  if (read?.ok === true && others.some((one) => !one.ok || one.value.value !== read.value.value))
    return refuse('phone-country', 'fits several countries that the row names', WITH_CODE);
  const isBare = UNTRUNKED.test(number.value);
  const stays = unsaid === true && isBare;
  const isLeft = blank === true && (isBare || rowCountries.length === 0);
  if (read !== undefined && (read.ok || !(stays || isLeft))) return read;
  if (isLeft) return { ok: true, value: mend(number, '', 'left blank, since nobody knows its country') };
  const isFree = stays || (rowCountries.length === 0 && (phones.country === '' || DIGITS.test(number.value)));
  return isFree
    ? { ok: true, value: number }
    : refuse('phone-invalid', misfitOf(number.value, owners), COMPLETE);
}

const WITH_CODE = 'write it with + and its country code';
const COMPLETE = 'write the whole number, or with + and its country code where it is of another';
/** What may be missing at the end of a number, and how much of it may be too much. */
const MORE = ['2', '22', '222', '2222'];

/** What is wrong with a number that is none of these countries, as a clause: `is too short for the United Kingdom`. */
function misfitOf(number: string, owners: readonly NationalPhones[]): string {
  const isOne = (text: string): boolean => owners.some((owner) => isNumberOf(text, owner));
  const isShort = MORE.some((more) => isOne(number + more));
  const isLong = MORE.some((more) => isOne(number.replace(/[^0-9]/g, '').slice(0, -more.length)));
  const names = owners.map(({ country }) => countryInSentence(country)).join(' or ');
  if (isShort === isLong) return `is not a complete phone number of ${names}`;
  return `is too ${isShort ? 'short' : 'long'} for ${names}`;
}

/** Whether a number without + is a complete one of a country, with its calling code or without. */
export function isNumberOf(number: string, phones: NationalPhones): boolean {
  return phones.read(number) !== undefined || phones.readCoded(number) !== undefined;
}

function readAs(
  number: Mended,
  { national, coded }: ReturnType<typeof readingsOf>,
  isCoded: boolean,
): Checked<Mended> | undefined {
  if (coded !== undefined && (national === undefined || isCoded)) {
    const repair = `+ put in front of its country code ${coded.callingCode}`;
    return { ok: true, value: mend(number, coded.international, repair) };
  }
  if (coded !== undefined) {
    const problem = `begins with ${coded.callingCode}, which may be its country code or not`;
    return refuse('phone-country', problem, WITH_CODE);
  }
  if (national === undefined) return undefined;
  const repair = `country code +${national.callingCode} put in front`;
  return { ok: true, value: mend(number, national.international, repair) };
}

/** Whether a number has neither + nor 00 in front. */
export function isNational(number: string): boolean {
  return NATIONAL.test(number) && !INTERNATIONAL.test(number);
}

/** What is known of the phone numbers of one country, or of none: then no number is a complete one. */
export interface NationalPhones {
  /** Alpha-2 code of the country; blank for none. */
  country: string;
  /** What is known of another country. */
  of(country: string): NationalPhones;
  /**
   * A number as it is dialled inside the country, with + and its calling code: `+34600000000`. Undefined
   * when it is no complete number of the country.
   */
  read(number: string): ReadPhone | undefined;
  /** A number that begins with the country's calling code, but without +. Undefined when it is no complete one. */
  readCoded(number: string): ReadPhone | undefined;
  /** A number with + or 00, without the zero behind its calling code that is for calls inside the country. */
  withoutTrunk(international: string): string | undefined;
  /** Alpha-2 code of the country of a number with + or 00 in front, where it shows one. */
  countryOf(international: string): string | undefined;
}

/** A number with + and its calling code. */
export interface ReadPhone {
  international: string;
  callingCode: string;
}

/** Whose the numbers of a column are. */
export interface PhoneWish {
  /** Undefined: they stay as they are. */
  phones: NationalPhones | undefined;
  /** Those that begin with the calling code have it already, also where they would be complete numbers either way. */
  coded?: boolean;
  /** Those that are of no country that is known are left blank. */
  blank?: boolean;
  /** Nobody has said it: rows that name a country complete what fits it to the last digit, and nothing else is certain. */
  unsaid?: boolean;
}

/** What is said where each row names the country of its number; those of other rows stay as they are, or are left blank. */
export const BY_ROWS = 'rows';
export const ELSE_BLANK = 'blank';
