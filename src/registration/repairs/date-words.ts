/**
 * Names of the months in English, Spanish, French, German, Italian and Portuguese, with their usual
 * abbreviations; one list a month, without case, accents and dots.
 */
const MONTHS: readonly string[] = [
  'january jan enero ene janvier janv januar janner gennaio gen janeiro',
  'february feb febrero fevrier fevr fev februar feber febbraio febb fevereiro',
  'march mar marzo mars marz maerz mrz março marco',
  'april apr abril abr avril avr aprile',
  'may mayo mai maggio mag maio',
  'june jun junio juin juni giugno giu junho',
  'july jul julio juillet juil juli luglio lug julho',
  'august aug agosto ago aout',
  'september sep sept septiembre setiembre septembre settembre set setembro',
  'october oct octubre octobre oktober okt ottobre ott outubro out',
  'november nov noviembre novembre',
  'december dec diciembre dic decembre dezember dez dicembre dezembro',
];

const MONTH_BY_NAME: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((names, index) => names.split(' ').map((name) => [foldWord(name), index + 1] as const)),
);

/** Words that stand between the parts of a date and say nothing. */
const FILLERS: ReadonlySet<string> = new Set(['de', 'del', 'di', 'do', 'of', 'the']);
const DAY = /^(\d{1,2})(?:st|nd|rd|th|er|re|[oºª°])?$/;
const YEAR = /^\d{4}$/;

/** Year, month and day of a date whose month is a word: `26 de febrero de 2026`; undefined for anything else. */
export function readWordDate(text: string): { year: string; month: string; day: string } | undefined {
  const words = text
    .split(/[\s.,/-]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '' && !FILLERS.has(word));
  const [first = '', second = '', third = ''] = words;
  if (words.length !== 3) return undefined;
  if (YEAR.test(first)) return partsOf(first, second, third);
  return partsOf(third, second, first) ?? partsOf(third, first, second);
}

function partsOf(
  year: string,
  monthWord: string,
  dayWord: string,
): { year: string; month: string; day: string } | undefined {
  const month = MONTH_BY_NAME.get(foldWord(monthWord));
  const day = DAY.exec(dayWord)?.[1];
  if (month === undefined || day === undefined || !YEAR.test(year)) return undefined;
  return { year, month: String(month), day };
}

function foldWord(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}
