import { COUNTRY_CODES } from './countries.ts';

/**
 * Names and codes in common use that Intl does not give, by alpha-2 code; also what cars of a country have on them, where
 * it is no code of a country: lists of addresses still say `D` for Germany.
 */
const ALIASES: Readonly<Record<string, string>> = {
  AE: 'uae, eau, emirates, emiratos arabes, vae',
  BA: 'bosnia, bosnie, bosnien, bosnia y herzegovina',
  BO: 'bolivia, plurinational state of bolivia',
  BY: 'bielorrusia, weissrussland, bielorussie',
  CD: 'democratic republic of the congo, dr congo, drc, congo kinshasa, rdc, republica democratica del congo',
  CG: 'republic of the congo, congo brazzaville',
  CI: 'ivory coast, costa de marfil, costa do marfim, elfenbeinkuste',
  CN: "people's republic of china, prc, mainland china",
  CV: 'cape verde, cabo verde, kapverden',
  CZ: 'czech republic, republica checa, republique tcheque, tschechische republik, repubblica ceca, cechia',
  DE: 'd, federal republic of germany, bundesrepublik deutschland, brd',
  ES: 'e, espana, reino de espana',
  FK: 'falklands, malvinas, islas malvinas',
  FM: 'federated states of micronesia',
  GB:
    'uk, great britain, england, scotland, wales, northern ireland, britain, gran bretana, grande bretagne, ' +
    'grossbritannien, gran bretagna, gra bretanha, inglaterra, angleterre, inghilterra, escocia, schottland, ' +
    'united kingdom of great britain and northern ireland',
  GR: 'el, hellas',
  HK: 'hong kong, hongkong',
  IE: 'republic of ireland, eire',
  IR: 'islamic republic of iran',
  KP: 'north korea, democratic peoples republic of korea, dprk',
  KR: 'south korea, republic of korea',
  LA: "lao people's democratic republic, lao pdr",
  LY: 'libyan arab jamahiriya',
  MD: 'republic of moldova',
  MK: 'macedonia, fyrom, republic of north macedonia',
  MM: 'burma, birmania, birmanie, birma, myanmar',
  MO: 'macau, macao',
  NL: 'holland, the netherlands, holanda, hollande, olanda, kingdom of the netherlands, niederlande, nederland',
  PS: 'palestine, state of palestine, palestina',
  RU: 'russian federation, federacion rusa',
  SK: 'slovak republic, republica eslovaca',
  SY: 'syrian arab republic',
  SZ: 'swaziland, swasiland, suazilandia',
  TL: 'east timor, timor oriental, osttimor',
  TR: 'turkey, turkiye',
  TW: 'taiwan province of china, republic of china',
  TZ: 'united republic of tanzania',
  US:
    'usa, united states of america, estados unidos de america, etats unis damerique, eeuu, eua, ' +
    'vereinigte staaten von amerika, stati uniti damerica, estados unidos da america, the united states',
  VA: 'vatican, holy see, vaticano, vatikan, santa sede',
  VE: 'bolivarian republic of venezuela',
  AT: 'a, osterreich',
  BE: 'b, belgique, belgie',
  CA: 'cdn',
  FR: 'f',
  LI: 'fl',
  HU: 'h',
  IT: 'i',
  LU: 'l',
  NO: 'n',
  PT: 'p',
  SE: 's',
  SI: 'slo',
};

/** Names of two countries, whatever one of the languages says. */
const SHARED: readonly string[] = ['congo', 'korea', 'corea', 'coree', 'coreia'];
const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'nb', 'sv', 'da', 'fi', 'pl', 'cs'] as const;
const LONGEST = 100;

/** What no name of a country has: it is not the name alone, or it is damaged. */
const STRANGE = /[^\p{L}\p{M}\p{Zs}.:,'’`´&()/-]/u;

/**
 * The alpha-2 code of a country's name in one of the languages, or of a common other name or code (`UK`, `D`). Undefined for other texts, and for names that two countries share.
 */
export function countryCodeOf(name: string): string | undefined {
  if (STRANGE.test(name)) return undefined;
  if (name.length > LONGEST) return undefined;
  const folded = fold(name);
  // `Iran, Islamic Republic of`, as lists of ISO have it.
  return namesOf().get(folded) ?? namesOf().get(fold(name.split(',').reverse().join(' ')));
}

/** All these languages of names take some twenty milliseconds, so they are read when the first name turns up. */
const namesOf = once(() => {
  const codes = new Map<string, string | undefined>();
  const add = (name: string, code: string): void => {
    const folded = fold(name);
    if (folded !== '') codes.set(folded, (codes.get(folded) ?? code) === code ? code : undefined);
  };
  for (const language of LANGUAGES) addLanguage(language, add);
  for (const [code, aliases] of Object.entries(ALIASES)) {
    for (const alias of aliases.split(', ')) add(alias, code);
  }
  for (const name of SHARED) codes.delete(name);
  return codes;
});

const englishNames = once(() => new Intl.DisplayNames('en', { type: 'region' }));

/** The English name of a country, by its alpha-2 code. */
export function countryName(code: string): string {
  return englishNames().of(code) ?? code;
}

const WITH_THE =
  /^(?:United|Netherlands|Philippines|Bahamas|Maldives|Central|Dominican R)|(?:Islands|Territories)$/;

/** The same inside a sentence: `the United Kingdom`. */
export function countryInSentence(code: string): string {
  const name = countryName(code);
  return WITH_THE.test(name) ? `the ${name}` : name;
}

function addLanguage(language: string, add: (name: string, code: string) => void): void {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  for (const [code] of COUNTRY_CODES) {
    const name = names.of(code);
    if (name === undefined) continue;
    add(name, code);
    // `Myanmar (Burma)` is known by its first word too.
    if (name.includes('(')) add(name.replace(/\([^)]*\)/, ''), code);
  }
}

/** Letters only, without case and accents, so that `Côte d’Ivoire` and `cote d'ivoire` meet. */
function fold(name: string): string {
  return name
    .replaceAll('&', ' and ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\b(?:saint|sankt)\b/g, 'st')
    .replace(/[^\p{L}]/gu, '');
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
