import { checkDate, dayOf } from '../rules/date-rule.ts';
import { type Checked, type Finding, refuse, findingOf } from '../model/row.ts';
import { mend, type Mended } from './clean-text.ts';
import type { ColumnDecision, DateOrder, HiddenTimes } from './repair-options.ts';
import { nextDay, serialDate, shownDay } from './serial-date.ts';

/** No date is longer, in any language; the cap keeps hostile text cheap. */
const LONGEST = 64;
const PLAIN = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;
const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/;
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
/** A time behind a date; fractions only of nothing. */
const TIME = /^(.+?)(?:,? {1,3}|T)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]0{1,9})?)?$/;
const SERIAL = /^\d{5}(?:\.\d{1,15})?$/;

/** What decides about dates that a single cell leaves open. */
interface DateDecisions {
  order: DateOrder | undefined;
  conflict: ColumnDecision['dateConflict'];
  serials: '1900' | '1904' | undefined;
  /** Whether a time is none that anybody meant: of a birth, or hidden by the number format. */
  isDay: boolean;
  hidden: HiddenTimes | undefined;
}

/**
 * Writes a date as yyyy-mm-dd, with a time as yyyy-mm-dd hh:MM:ss. Forms that are not certain stay as
 * they are, for the rule to refuse.
 */
export function mendDate(text: Mended, decisions: DateDecisions): Checked<Mended> {
  if (!decisions.isDay) return mendForm(text, decisions);
  const read = mendForm({ ...text, value: withoutZone(text.value) }, decisions);
  return read.ok ? mendDay(read.value, decisions.hidden) : read;
}

/** Takes off a time that nobody meant; refused where that leaves open which day is meant. */
function mendDay(text: Mended, hidden: HiddenTimes | undefined): Checked<Mended> {
  const [day = '', time] = text.value.split(' ');
  if (time === undefined || checkDate(text.value) !== undefined) return { ok: true, value: text };
  const shown = shownDay(time) ?? hidden;
  if (shown === undefined) {
    const problem = `has a time of day, ${time}, that leaves open which day is meant`;
    return refuse('date-invalid', problem, 'write the day alone, or say which it is with --set hidden-times');
  }
  return shown === 'shown'
    ? { ok: true, value: mend(text, day, 'time of day left out') }
    : { ok: true, value: mend(text, nextDay(day), 'last hours of a day taken as midnight of the next') };
}

/** The time behind a date, as programs write it for midnight elsewhere, where it leaves open which day is meant. */
export function openTime(text: string): string | undefined {
  const time = text.length > LONGEST ? undefined : splitTime(withoutZone(text)).time;
  return time !== undefined && shownDay(time) === undefined ? time : undefined;
}

/** `1989-05-12T22:00:00.000Z`: JSON has local dates so. */
function withoutZone(text: string): string {
  return text.replace(/(\d)Z$/, '$1');
}

function mendForm(text: Mended, decisions: DateDecisions): Checked<Mended> {
  const { value } = text;
  if (value.length > LONGEST || PLAIN.test(value)) return { ok: true, value: text };
  if (isBareSerial(value)) return mendSerial(text, decisions.serials);
  const { date, time } = splitTime(value);
  const finding = YEAR_LAST.test(date) ? checkDecided(date, decisions) : undefined;
  if (finding !== undefined) return { ok: false, finding };
  const day = readDay(date, decisions.order);
  if (day === undefined) return { ok: true, value: text };
  const form = time === undefined ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:MM:ss';
  const mended = time === undefined ? day : `${day} ${time}`;
  return { ok: true, value: mend(text, mended, `date written as ${form}`) };
}

/** Whether a text is what a spreadsheet stores for a date: days since 1900 or 1904, five digits for 1927 to 2173. */
export function isBareSerial(text: string): boolean {
  return SERIAL.test(text);
}

/**
 * Which order of day and month a cell shows: a part above 12 is the day. `either` shows none, and
 * undefined is for texts that are no such date, or the same in both orders.
 */
export function shownOrder(text: string): DateOrder | 'either' | undefined {
  if (text.length > LONGEST) return undefined;
  const parts = YEAR_LAST.exec(splitTime(text).date);
  if (parts === null) return undefined;
  const [first, second] = [Number(parts[1]), Number(parts[3])];
  if (first === second || (first > 12 && second > 12)) return undefined;
  if (first > 12) return 'dmy';
  return second > 12 ? 'mdy' : 'either';
}

function mendSerial(text: Mended, serials: DateDecisions['serials']): Checked<Mended> {
  if (serials === undefined) return { ok: true, value: text };
  const day = serialDate(Number(text.value), serials === '1904', 'date');
  return day.ok ? { ok: true, value: mend(text, day.value, 'number of a day written as its date') } : day;
}

/** Why a date with the year at its end cannot be told, whatever it shows itself. */
function checkDecided(date: string, { order, conflict }: DateDecisions): Finding | undefined {
  if (order === undefined && conflict !== undefined) {
    const [dayFirst, monthFirst] = conflict;
    return findingOf(
      'date-order',
      `stands in a column with both orders of day and month, as ${dayFirst} and ${monthFirst} show`,
      'write the dates of the column as yyyy-mm-dd',
    );
  }
  const shown = shownOrder(date);
  if (order === undefined || shown === undefined || shown === 'either' || shown === order) return undefined;
  const first = order === 'dmy' ? 'day' : 'month';
  return findingOf(
    'date-order',
    `has no ${first} in front, as dates of its column have`,
    'write it as yyyy-mm-dd',
  );
}

function readDay(date: string, order: DateOrder | undefined): string | undefined {
  const last = YEAR_LAST.exec(date);
  if (last !== null) return readYearLast(last, order);
  const parts = YEAR_FIRST.exec(date);
  if (parts !== null) return dayOf(parts[1], parts[3], parts[4]);
  const compact = COMPACT.exec(date);
  if (compact !== null) return dayOf(compact[1], compact[2], compact[3]);
  const words = readWordDate(date);
  return words === undefined ? undefined : dayOf(words.year, words.month, words.day);
}

/** The same number twice is certain without any decision. */
function readYearLast(parts: RegExpExecArray, order: DateOrder | undefined): string | undefined {
  const [, first, , second, year] = parts;
  if (order === undefined && Number(first) !== Number(second)) return undefined;
  return order === 'mdy' ? dayOf(year, first, second) : dayOf(year, second, first);
}

/** The time behind a date as hh:MM:ss; the rule judges whether there is such a time. */
function splitTime(text: string): { date: string; time: string | undefined } {
  const parts = TIME.exec(text);
  if (parts === null) return { date: text, time: undefined };
  const [, date = '', hours = '', minutes = '', seconds = '00'] = parts;
  return { date, time: `${hours.padStart(2, '0')}:${minutes}:${seconds}` };
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
  MONTHS.flatMap((names, index) => names.split(' ').map((name) => [foldWord(name), index + 1] as const)),
);

/** Words that stand between the parts of a date and say nothing. */
const FILLERS: ReadonlySet<string> = new Set(['de', 'del', 'di', 'do', 'of', 'the']);
const DAY = /^(\d{1,2})(?:st|nd|rd|th|er|re|[oºª°])?$/;
const YEAR = /^\d{4}$/;

/** Year, month and day of a date whose month is a word: `26 de febrero de 2026`; undefined for anything else. */
function readWordDate(text: string): { year: string; month: string; day: string } | undefined {
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
