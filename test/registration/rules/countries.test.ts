import { describe, expect, it } from 'vitest';
import { alpha2Of, COUNTRY_CODES, isCountryCode } from '../../../src/registration/rules/countries.ts';
import { listed, paired } from '../../support/tables.ts';

describe('country codes', () => {
  it('are the 249 assigned pairs, each code once', () => {
    expect(COUNTRY_CODES).toHaveLength(249);
    expect(new Set(COUNTRY_CODES.map(([alpha2]) => alpha2)).size).toBe(249);
    expect(new Set(COUNTRY_CODES.map(([, alpha3]) => alpha3)).size).toBe(249);
    expect(COUNTRY_CODES.every(([alpha2, alpha3]) => /^[A-Z]{2}-[A-Z]{3}$/.test(`${alpha2}-${alpha3}`))).toBe(
      true,
    );
  });

  it('are all regions that Intl knows; what else it knows is reserved, not assigned', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const known = letters
      .flatMap((first) => letters.map((second) => first + second))
      .filter((code) => names.of(code) !== undefined);
    const ours = COUNTRY_CODES.map(([alpha2]) => alpha2);
    expect(ours.filter((code) => !known.includes(code))).toEqual([]);
    const canonical = known.filter((code) => new Intl.Locale(`und-${code}`).region === code);
    const others = canonical.filter((code) => !ours.includes(code));
    const reserved = listed('AC | CP | CQ | DG | EA | EU | EZ | IC | TA | UN | XA | XB | XK | QO | ZZ');
    expect(others.filter((code) => !reserved.includes(code))).toEqual([]);
  });

  it.each(['XK', 'UK', 'EL', 'EU', 'AN', 'SU', 'YU', 'ZZ', 'XKX', 'ROM', 'E', 'ESPA', '', '__proto__'])(
    'do not include %j',
    (code) => {
      expect(isCountryCode(code)).toBe(false);
    },
  );

  it.each(
    paired(`
      AT → AUT | AU → AUS | CH → CHE | CN → CHN | CG → COG | CD → COD | KP → PRK | KR → KOR | RO → ROU |
      RS → SRB | SK → SVK | SI → SVN | ZA → ZAF
    `),
  )('pair %s with %s', (alpha2, alpha3) => {
    expect(COUNTRY_CODES.find(([code]) => code === alpha2)?.[1]).toBe(alpha3);
  });

  it('are known by the short code of each, in any case', () => {
    expect(['ESP', 'es', 'Gbr', 'ZW'].map(alpha2Of)).toEqual(['ES', 'ES', 'GB', 'ZW']);
    expect(['XX', 'ESPA', 'E', '', 'ß'].filter((code) => alpha2Of(code) !== undefined)).toEqual([]);
    expect([isCountryCode('esp'), isCountryCode('xx')]).toEqual([true, false]);
  });
});
