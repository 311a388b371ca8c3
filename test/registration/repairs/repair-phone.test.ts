import { describe, expect, it } from 'vitest';
import { loadNationalPhones } from '../../../src/commands/push/push-repairs.ts';
import { COUNTRY_CODES } from '../../../src/registration/rules/countries.ts';
import { mendPhone } from '../../../src/registration/repairs/repair-phone.ts';
import { readOne } from '../read-cells.ts';
import { paired } from '../../support/tables.ts';

describe('a national phone number', () => {
  it.each([
    ['ES', '600 00 00 00', '34', '+34600000000'],
    ['IT', '06 1234 5678', '39', '+390612345678'],
    ['IT', '391 234 5678', '39', '+393912345678'],
    ['DE', '(030) 123-456', '49', '+4930123456'],
    ['GB', '020 7946 0000', '44', '+442079460000'],
    ['FR', '01.23.45.67.89', '33', '+33123456789'],
    ['US', '(212) 555-0123', '1', '+12125550123'],
    ['RU', '8 912 345-67-89', '7', '+79123456789'],
    ['HU', '06 30 123 4567', '36', '+36301234567'],
    ['BY', '8 029 123 45 67', '375', '+375291234567'],
    ['IN', '91234 56789', '91', '+919123456789'],
    ['CI', '01 02 03 04 05', '225', '+2250102030405'],
  ])('of %s, %s, is sent with its country code %s as %s', async (country, text, code, value) => {
    const phones = await loadNationalPhones(country);
    const repair = `country code +${code} put in front`;
    expect(readOne('phone', text, { phones })).toEqual({ value, repair });
  });

  it.each([
    ['US', '1 212 555 0123', '1', '+12125550123'],
    ['ES', '34 600 00 00 00', '34', '+34600000000'],
    ['NO', '4740000000', '47', '+4740000000'],
  ])('of %s, %s, has its country code %s already', async (country, text, code, value) => {
    const phones = await loadNationalPhones(country);
    const repair = `+ put in front of its country code ${code}`;
    expect(readOne('phone', text, { phones })).toEqual({ value, repair });
  });

  it.each([
    ['+49 0170 1234567', '+491701234567'],
    ['+49 (0) 170 1234567', '+491701234567'],
    ['0049 (0)170 1234567', '+491701234567'],
    ['+490170 1234567', '+491701234567'],
    ['+44 (0)20 7946 0000', '+442079460000'],
    ['+39 06 1234 5678', undefined],
    ['+4930 123456', undefined],
    ['+34 0600 12', undefined],
    ['+225 01 02 03 04 05', undefined],
  ])('with a country code and a zero behind it: %s is sent as %s', async (text, value) => {
    const phones = await loadNationalPhones('');
    const mended = { value, repair: 'zero behind the country code removed' };
    const kept = { value: text.replace(/^00/, '+'), repair: undefined };
    expect(readOne('phone', text, { phones })).toEqual(value === undefined ? kept : mended);
  });

  it.each(['912345678', '912 345 679', '0912345678', '11987654322'])(
    'is left blank where nobody knows its country: %s',
    async (text) => {
      const repair = 'left blank, since nobody knows its country';
      const phones = await loadNationalPhones('');
      expect(mendPhone({ value: text, done: [] }, { phones, blank: true }, [])).toEqual({
        ok: true,
        value: { value: '', done: [repair] },
      });
      const ofRow = mendPhone({ value: text, done: [] }, { phones, blank: true }, ['AD']);
      const isBare = /^[1-9]\d*$/.test(text);
      // A slip in a number of a country that is known is for people to mend.
      expect(ofRow.ok ? ofRow.value.value : ofRow.finding.code).toBe(isBare ? '' : 'phone-invalid');
    },
  );

  it('that may have its country code already is never guessed', async () => {
    const phones = await loadNationalPhones('DE');
    const read = (text: string, coded?: true) => {
      const decision = { dateOrder: undefined, dateConflict: undefined, ...(coded && { coded }) };
      return readOne('phone', text, { phones, decisions: new Map([['phone', decision]]) });
    };
    expect(read('491711234567')).toMatchObject({
      problem: 'begins with 49, which may be its country code or not',
    });
    expect(read('491711234567', true)).toMatchObject({ value: '+491711234567' });
    expect(read('0171 1234567')).toMatchObject({ value: '+491711234567' });
    expect(read('0171 1234567', true)).toMatchObject({ value: '+491711234567' });
  });

  it('is of the country that its row names, else of that of its column', async () => {
    const phones = await loadNationalPhones('DE');
    const read = (text: string, ...rowCountries: string[]) =>
      readOne('phone', text, { phones, rowCountries });
    expect(read('06 12 34 56 78', 'FR')).toMatchObject({ value: '+33612345678' });
    expect(read('0171 1234567')).toMatchObject({ value: '+491711234567' });
    expect(read('0171 1234567', 'FR')).toMatchObject({ problem: 'is too long for France' });
  });

  it('stays as it is where that is said of its column', async () => {
    const phones = await loadNationalPhones('ES');
    const phonesOf = new Map([['phone', { phones: undefined }]]);
    expect(readOne('phone', '600000000', { phones, phonesOf })).toEqual({
      value: '600000000',
      repair: undefined,
    });
  });

  it.each([
    ['RU', '800 555 35 35', '+78005553535'],
    ['GA', '06 03 12 34', '+24106031234'],
    ['ES', '34600000000', '+34600000000'],
    ['NO', '4740000000', '+4740000000'],
  ])('of %s keeps digits that only look like a prefix: %s is %s', async (country, text, value) => {
    const phones = await loadNationalPhones(country);
    expect(readOne('phone', text, { phones })).toMatchObject({ value });
  });

  it.each(paired('US → 5550109 | DE → 0301234567890123456 | ES → 12345 | AQ → 600000000'))(
    'that cannot be one of %s stays as it is: %s',
    async (country, text) => {
      const phones = await loadNationalPhones(country);
      expect(readOne('phone', text, { phones })).toEqual({ value: text, repair: undefined });
    },
  );

  it.each([
    ['US', '555 0109', 'is not a complete phone number of the United States'],
    ['ES', '600 000 000 / 611 111 111', 'is not a complete phone number of Spain'],
    ['GB', '07911 12345', 'is too short for the United Kingdom'],
    ['NO', '40 61 23 451', 'is too long for Norway'],
    ['ES', '123', 'is too short for a phone number'],
    ['ES', '600000000 x', 'has letters inside'],
  ])('of %s, %s, is refused: %s', async (country, text, problem) => {
    const phones = await loadNationalPhones(country);
    expect(readOne('phone', text, { phones })).toMatchObject({ problem });
  });

  it.each(['+44 20 7946 0000', '0044 20 7946 0000'])('is not what %s is', async (text) => {
    const phones = await loadNationalPhones('ES');
    expect(readOne('phone', text, { phones })).toEqual({ value: text, repair: undefined });
  });

  it('without a country is kept when it is digits only, else refused naming the flag', () => {
    expect(readOne('phone', '600000000')).toEqual({ value: '600000000', repair: undefined });
    expect(readOne('phone', '600 000 000')).toMatchObject({
      remedy:
        'write it with country code, as +34 600 000 000, or name its country, as with --set phone-country=ES',
    });
  });

  it('tells both repairs of one cell in one note', async () => {
    const phones = await loadNationalPhones('ES');
    expect(readOne('phone', ' tel:600000000', { phones })).toEqual({
      value: '+34600000000',
      repair: 'spaces at the ends removed, tel: removed, country code +34 put in front',
    });
  });
});

it('Any country can be named, whether its numbers are known or not', async () => {
  for (const [alpha2] of COUNTRY_CODES) {
    const phones = await loadNationalPhones(alpha2);
    expect(phones.read('1')).toBeUndefined();
    expect(phones.read('9'.repeat(100_000))).toBeUndefined();
  }
});
