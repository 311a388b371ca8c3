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
  /** Where the row names no country, they are left blank. */
  blank?: boolean;
  /** Nobody has said it: rows that name a country complete what fits it to the last digit, and nothing else is certain. */
  unsaid?: boolean;
}

/** What is said where each row names the country of its number; those of other rows stay as they are, or are left blank. */
export const BY_ROWS = 'rows';
export const ELSE_BLANK = 'blank';
