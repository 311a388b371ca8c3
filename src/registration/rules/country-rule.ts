import { countryCodeOf } from './country-names.ts';
import { isCountryCode } from './countries.ts';
import type { Finding } from '../model/finding.ts';

/** An assigned ISO 3166-1 code of 2 or 3 letters, in any case. */
export function checkCountry(text: string): Finding | undefined {
  if (isCountryCode(text)) return undefined;
  const code = countryCodeOf(text);
  return {
    problem: /^[A-Za-z]{2,3}$/.test(text)
      ? 'is not an assigned ISO 3166 country code'
      : 'is not an ISO 3166 country code of 2 or 3 letters',
    remedy: code === undefined ? 'write the code, for example ES or ESP' : `write ${code}`,
  };
}
