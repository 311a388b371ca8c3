import { foldLetters } from './fold-letters.ts';

/** Which of two numbers of a date is the day. */
export type DateOrder = 'dmy' | 'mdy';

/** No date is longer, in any language; the cap keeps hostile text cheap. */
export const LONGEST_DATE = 64;
const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/;
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/;
const COMPACT = /^(\d{4})()(\d{2})(\d{2})$/;
/** A time behind a date; fractions only of nothing. */
const TIME = /^(.+?)(?:,? {1,3}|T)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]0{1,9})?)?$/;
const SERIAL = /^\d{5}(?:\.\d{1,15})?$/;

/** Whether a text is what a spreadsheet stores for a date: days since 1900 or 1904, five digits for 1927 to 2173. */
export function isBareSerial(text: string): boolean {
  return SERIAL.test(text);
}

/** Whether the year of a text stands at its end, behind two other numbers. */
export const isYearLast = (text: string): boolean => YEAR_LAST.test(text);

/** With a year of two digits, which is refused, but shows the order of its column. */
const SHORT_YEAR_LAST = /^(\d{1,2})([/.])(\d{1,2})\2\d{2}$/;

/**
 * Which order of day and month a cell shows: a part above 12 is the day. `either` shows none,
 * `dotted` has dots between its parts, with which hardly anybody writes the month first, and undefined is for texts that are no
 * such date, or the same in both orders.
 */
export function shownOrder(text: string): DateOrder | 'either' | 'dotted' | undefined {
  if (text.length > LONGEST_DATE) return undefined;
  const { date } = splitTime(text);
  const whole = YEAR_LAST.exec(date);
  const parts = whole ?? SHORT_YEAR_LAST.exec(date);
  if (parts === null) return undefined;
  const [first, second] = [Number(parts[1]), Number(parts[3])];
  if (first === second || (first > 12 && second > 12)) return undefined;
  if (first > 12) return 'dmy';
  if (second > 12) return 'mdy';
  if (whole === null) return undefined;
  return whole[2] === '.' ? 'dotted' : 'either';
}

/** The three parts as yyyy-mm-dd; undefined when the calendar has no such day. Years begin with 1. */
export function dayOf(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Of a day too many in its month it makes one of the next.
  const isDay = Number(year) > 0 && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return isDay ? text : undefined;
}

/** The day of a text as yyyy-mm-dd; undefined where it names none, or leaves open which. */
export function readDay(date: string, order: DateOrder | undefined): string | undefined {
  const last = YEAR_LAST.exec(date);
  if (last !== null) return readYearLast(last, order);
  const parts = YEAR_FIRST.exec(date) ?? COMPACT.exec(date);
  return parts === null ? readWords(date) : dayOf(parts[1], parts[3], parts[4]);
}

/** The same number twice is certain without any decision. */
function readYearLast(parts: RegExpExecArray, order: DateOrder | undefined): string | undefined {
  const [, first, , second, year] = parts;
  if (order === undefined && Number(first) !== Number(second)) return undefined;
  return order === 'mdy' ? dayOf(year, first, second) : dayOf(year, second, first);
}

/** A date, and the time behind it as hh:MM:ss, whether or not there is such a time. */
export function splitTime(text: string): { date: string; time: string | undefined } {
  const parts = TIME.exec(text);
  if (parts === null) return { date: text, time: undefined };
  const [, date = '', hours = '', minutes = '', seconds = '00'] = parts;
  return { date, time: `${hours.padStart(2, '0')}:${minutes}:${seconds}` };
}

const TIME_OF_DAY = /^([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?(?: ?(?:uhr|h|(am|pm)))?$/i;

/** A time in a cell of its own as hh:MM:ss: `8:30`, `14.30 Uhr`, `2:30 pm`. */
export function readTime(text: string): string | undefined {
  const [, hours, minutes = '', half] = TIME_OF_DAY.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}:00`;
}

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
  MONTHS.flatMap((names, index) => names.split(' ').map((name) => [foldLetters(name), index + 1] as const)),
);

/** Words that stand between the parts of a date and say nothing. */
const FILLERS: ReadonlySet<string> = new Set(['de', 'del', 'di', 'do', 'of', 'the']);
const DAY = /^(\d{1,2})(?:st|nd|rd|th|er|re|[oºª°])?$/i;
const YEAR = /^\d{4}$/;

/** A date whose month is a word: `26 de febrero de 2026`; undefined for anything else. */
function readWords(text: string): string | undefined {
  const words = text.split(/[\s.,/-]+/).filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()));
  const [first = '', second = '', third = ''] = words;
  if (words.length !== 3) return undefined;
  if (YEAR.test(first)) return dayInWords(first, second, third);
  return dayInWords(third, second, first) ?? dayInWords(third, first, second);
}

function dayInWords(year: string, monthWord: string, dayWord: string): string | undefined {
  const month = MONTH_BY_NAME.get(foldLetters(monthWord));
  const isYear = YEAR.test(year) && month !== undefined;
  return isYear ? dayOf(year, String(month), DAY.exec(dayWord)?.[1]) : undefined;
}
