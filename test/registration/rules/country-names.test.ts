import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../../src/registration/rules/countries.ts';
import { countryCodeOf } from '../../../src/registration/rules/country-names.ts';
import { listed, paired } from '../../support/tables.ts';

describe('the code of a country', () => {
  // Names change with the ICU of Node, so that some of them may be shared; another country is never found.
  it.each(['en', 'es', 'fr', 'de', 'it', 'pt', 'nb', 'sv', 'da'])(
    'is found by its name in %s, in any case',
    (language) => {
      const names = new Intl.DisplayNames(language, { type: 'region' });
      const found = COUNTRY_CODES.map(
        ([code]) => countryCodeOf((names.of(code) ?? '').toUpperCase()) ?? code,
      );
      expect(found).toEqual(COUNTRY_CODES.map(([code]) => code));
      const lost = COUNTRY_CODES.filter(([code]) => countryCodeOf(names.of(code) ?? '') === undefined);
      expect(lost.filter(([code]) => code !== 'CG' && code !== 'CD')).toEqual([]);
    },
  );

  it.each([
    [' united STATES of america ', 'US'],
    ...paired(`
      U.S.A. → US | EE.UU. → US | U.K. → GB | Gran Bretaña → GB | grossbritannien → GB | España → ES |
      Saint Lucia → LC | St. Lucia → LC | Myanmar → MM | Iran, Islamic Republic of → IR |
      Korea, Republic of → KR | República Checa → CZ | Elfenbeinküste → CI | Holanda → NL |
      cote d'ivoire → CI | D → DE | a → AT | Norge → NO | Sverige → SE | F → FR | SLO → SI
    `),
  ])('is found by %s', (name, code) => {
    expect(countryCodeOf(name)).toBe(code);
  });

  it.each([
    '',
    ...listed(`
      Congo | Korea | America | Virgin Islands | Atlantis | constructor | X | R.U. | 724 | 12Spain |
      Spa\uFFFDin | Spain 2 | Spain;France
    `),
  ])('is not guessed for %j', (name) => {
    expect(countryCodeOf(name)).toBeUndefined();
  });

  it('is not looked for in long texts', () => {
    expect(countryCodeOf('S'.repeat(100_000))).toBeUndefined();
  });
});
