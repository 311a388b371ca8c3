import { type CountryCode, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { loadNationalPhones } from '../../../src/commands/push/push-repairs.ts';
import { mendPhone } from '../../../src/registration/repairs/repair-phone.ts';

const COUNTRIES =
  'AE AR AT AU BE BR CA CH CN CZ DE DK ES FI FR GB GR IE IL IN IT JP KR MX NL NO PL PT SE US'.split(
    ' ',
  ) as CountryCode[];
const phones = await loadNationalPhones('DE');
const numberOf = (country: CountryCode) => {
  const example = getExampleNumber(country, examples);
  if (example === undefined) throw new Error(country);
  return example;
};

describe.each(COUNTRIES)('a number of %s as it is dialled there', (country) => {
  const example = numberOf(country);
  const forms = [example.formatNational(), example.formatNational().replace(/[^0-9]/g, '')];
  const mended = (text: string, elseOf: string, rows: readonly string[]) =>
    mendPhone({ value: text, done: [] }, { phones: phones.of(elseOf) }, rows);

  it.each(forms)('is one of it in a row that names it, whatever the column is: %s', (text) => {
    for (const elseOf of ['DE', 'AT', '']) {
      const read = mended(text, elseOf, [country]);
      // Some may have their calling code already, or not: these are asked about.
      if (read.ok) expect(read.value.value).toBe(example.number);
      else expect(read.finding.code).toBe('phone-country');
    }
  });

  it.each([...forms, ...forms.map((text) => text.slice(0, -1))])(
    'is refused in rows of others, or one of theirs: %s',
    (text) => {
      for (const row of COUNTRIES) {
        for (const elseOf of ['DE', 'AT', country, '']) {
          const read = mended(text, elseOf, [row]);
          const own = `+${getCountryCallingCode(row)}`;
          if (read.ok)
            expect(read.value.value.startsWith(own), `${text} in ${row}, else ${elseOf}`).toBe(true);
          else
            expect(read.finding.problem).toMatch(
              /^(?:is too (?:short|long) for |is not a complete |begins with )/,
            );
        }
      }
    },
  );
});
