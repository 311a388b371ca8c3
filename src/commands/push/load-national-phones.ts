import type { NationalPhones, ReadPhone } from '../../registration/repairs/national-phones.ts';

/** Loads what is known of the phone numbers of a country, by its alpha-2 code, or of none: 80 kB that only a push needs. */
export async function loadNationalPhones(country: string): Promise<NationalPhones> {
  const library = await import('libphonenumber-js/min');
  const {
    getCountries,
    getCountryCallingCode,
    isSupportedCountry,
    parsePhoneNumberFromString: parse,
  } = library;
  const codes = new Set(getCountries().map((code) => getCountryCallingCode(code)));
  // Numbers are looked at in every row.
  const trunk = new RegExp(`^(?:\\+|00)(?:${[...codes].join('|')})[^0-9]*0`);
  // Some countries dial abroad with digits that begin numbers of others.
  const toRead = (parsed: ReturnType<typeof parse>, own: string | undefined): ReadPhone | undefined =>
    parsed?.isValid() === true && parsed.countryCallingCode === own
      ? { international: parsed.number, callingCode: parsed.countryCallingCode }
      : undefined;
  const phonesOf = (code: string): NationalPhones => {
    const known = isSupportedCountry(code) ? code : undefined;
    const own = known && getCountryCallingCode(known);
    return {
      country: code,
      of: phonesOf,
      read: (number) => known && toRead(parse(number, known), own),
      readCoded(number) {
        const digits = number.replace(/[^0-9]/g, '');
        if (own === undefined || !digits.startsWith(own)) return undefined;
        return toRead(parse(`+${digits}`), own);
      },
      withoutTrunk(number) {
        const read = trunk.test(number) ? parse(number.replace(/^00/, '+')) : undefined;
        const written = number.replace(/^00|[^0-9]/g, '');
        const isWritten = written === `${read?.countryCallingCode}0${read?.nationalNumber}`;
        return isWritten && read?.isValid() === true ? read.number : undefined;
      },
      countryOf: (number) => parse(number.replace(/^00/, '+'))?.country,
    };
  };
  return phonesOf(country);
}
