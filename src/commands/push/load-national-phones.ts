import type { NationalPhones } from '../../registration/repairs/repair-options.ts';

/** Loads what is known of the phone numbers of a country, by its alpha-2 code: 80 kB that most runs do without. */
export async function loadNationalPhones(country: string): Promise<NationalPhones> {
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const phonesOf = (code: string): NationalPhones => ({
    country: code,
    of: phonesOf,
    read(number) {
      const parsed = isSupportedCountry(code) ? parsePhoneNumberFromString(number, code) : undefined;
      if (parsed?.isValid() !== true) return undefined;
      return { international: parsed.number, callingCode: parsed.countryCallingCode };
    },
  });
  return phonesOf(country);
}
