/** What is known of the phone numbers of one country. */
export interface NationalPhones {
  /** Alpha-2 code of the country. */
  country: string;
  /** What is known of another country. */
  of(country: string): NationalPhones;
  /**
   * A number as it is dialled inside the country, with + and its calling code: `+34600000000`. Undefined
   * when it is no complete number of the country.
   */
  read(number: string): { international: string; callingCode: string } | undefined;
}
