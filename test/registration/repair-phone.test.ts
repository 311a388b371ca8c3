import { describe, expect, it } from 'vitest';
import { diallingPlan } from '../../src/registration/calling-codes.ts';
import { COUNTRY_CODES } from '../../src/registration/countries.ts';
import { readOne } from './read-cells.ts';

describe('a national phone number', () => {
  it.each([
    ['ES', '600 00 00 00', '+34600000000'],
    ['es', '600000000', '+34600000000'],
    ['IT', '06 1234 5678', '+390612345678'],
    ['IT', '391 234 5678', '+393912345678'],
    ['DE', '(030) 123-456', '+4930123456'],
    ['GB', '020 7946 0000', '+442079460000'],
    ['FR', '01.23.45.67.89', '+33123456789'],
    ['US', '(555) 010-9999', '+15550109999'],
    ['US', '1 555 010 9999', '+15550109999'],
    ['RU', '8 912 345-67-89', '+79123456789'],
    ['HU', '06 30 123 4567', '+36301234567'],
    ['BY', '8 029 123 45 67', '+375291234567'],
    ['BY', '029 123 45 67', '+375291234567'],
    ['IN', '91234 56789', '+919123456789'],
    ['CI', '01 02 03 04 05', '+2250102030405'],
  ])('of %s, %s, is sent as %s', (phoneCountry, text, value) => {
    const code = diallingPlan(phoneCountry.toUpperCase())?.callingCode;
    expect(readOne('phone', text, { phoneCountry })).toEqual({
      value,
      repair: `country code +${code} put in front`,
    });
  });

  it.each([
    ['ES', '34600000000', 'may have its country code already'],
    ['NO', '4740000000', 'may have its country code already'],
    ['IT', '39 391 234 5678', 'may have its country code already'],
    ['US', '555 0109', 'is too short or too long for a whole number of its country'],
    ['DE', '030123456789012', 'has more than 15 digits with its country code'],
    ['ES', '123', 'is too short for a phone number'],
    ['ES', '600000000 x', 'has letters inside'],
  ])('of %s, %s, is refused: %s', (phoneCountry, text, problem) => {
    expect(readOne('phone', text, { phoneCountry })).toMatchObject({ problem });
  });

  it.each(['+44 20 7946 0000', '0044 20 7946 0000'])('is not what %s is', (text) => {
    expect(readOne('phone', text, { phoneCountry: 'ES' })).toEqual({ value: text, repair: undefined });
  });

  it('without a country is kept when it is digits only, else refused naming the flag', () => {
    expect(readOne('phone', '600000000')).toEqual({ value: '600000000', repair: undefined });
    expect(readOne('phone', '600 000 000')).toMatchObject({
      remedy:
        'write it with country code, as +34 600 000 000, or name its country, as with --phone-country ES',
    });
  });

  it('tells both repairs of one cell in one note', () => {
    expect(readOne('phone', ' tel:600000000', { phoneCountry: 'ES' })).toEqual({
      value: '+34600000000',
      repair: 'spaces at the ends removed, tel: removed, country code +34 put in front',
    });
  });
});

describe('the dialling plans', () => {
  it('are known for every country', () => {
    for (const [alpha2] of COUNTRY_CODES) {
      const plan = diallingPlan(alpha2);
      expect([alpha2, plan?.callingCode]).toEqual([alpha2, expect.stringMatching(/^[1-9]\d{0,2}$/)]);
      expect(plan?.trunkPrefixes.every((prefix) => /^(?:0|1|8|06|80)$/.test(prefix))).toBe(true);
    }
    expect(diallingPlan('XX')).toBeUndefined();
    expect(diallingPlan('__proto__')).toBeUndefined();
  });

  it('have codes of which none begins with another, as E.164 has it', () => {
    const codes = [...new Set(COUNTRY_CODES.map(([alpha2]) => diallingPlan(alpha2)?.callingCode ?? ''))];
    const clashes = codes.filter((code) => codes.some((other) => other !== code && other.startsWith(code)));
    expect(clashes).toEqual([]);
  });
});
