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
  /**
   * Whether those that begin with the calling code have it already, where they would be complete numbers either way;
   * undefined: nobody knows.
   */
  coded: boolean | undefined;
  /** Where the row names no country, they are left blank. */
  blank?: boolean;
  /** Nobody has said it: rows that name a country complete what fits it to the last digit, and nothing else is certain. */
  unsaid?: boolean;
}

/** What is said where each row names the country of its number; those of other rows stay as they are, or are left blank. */
export const BY_ROWS = 'rows';
export const ELSE_BLANK = 'blank';

const SAID = /^(?<coded>[+-]?)(?<country>[A-Za-z]{2,3}|rows|blank)$/;

/**
 * What is said of the numbers of a column: `none`, `rows`, `blank`, or a country; with + in front where numbers that begin
 * with their calling code have that already, with - where they have not. Undefined for any other text.
 */
export function readPhoneWish(
  said: string,
): { country: string | undefined; coded: boolean | undefined } | undefined {
  if (said.toLowerCase() === 'none') return { country: undefined, coded: undefined };
  const { coded, country } = SAID.exec(said)?.groups ?? {};
  if (country === undefined) return undefined;
  return { country, coded: coded === '' ? undefined : coded === '+' };
}
