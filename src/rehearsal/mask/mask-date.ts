import type { DateOrder } from '../../registration/rules/date-forms.ts';
import { keyed } from './permute.ts';

const DAY_MS = 24 * 60 * 60_000;
/** About three years. */
const MOST_DAYS = 1000;
const LEAST_DAYS = 15;

const YEAR_FIRST = /^(\s*)(\d{4})([-/.]?)(\d{1,2})\3(\d{1,2})(?!\d)/;
const YEAR_LAST = /^(\s*)(\d{1,2})([-/.])(\d{1,2})\3(\d{4})(?!\d)/;
const SERIAL = /^(\s*)(\d{5})(?=(?:\.\d+)?\s*$)/;

/** By how many days all dates are earlier. */
export function daysOf(key: string): number {
  return LEAST_DAYS + (keyed(key, 'dates').readUInt32BE() % MOST_DAYS);
}

/** A date so many days earlier, written as it was; undefined for what is none. A time behind it stays. */
export function shiftDate(text: string, days: number, order: DateOrder = 'dmy'): string | undefined {
  const serial = SERIAL.exec(text);
  if (serial !== null) return text.replace(SERIAL, `$1${Number(serial[2]) - days}`);
  const first = YEAR_FIRST.exec(text);
  if (first !== null) {
    const [whole, space = '', year = '', sign = '', month = '', day = ''] = first;
    const [y, m, d] = shifted([year, month, day], days) ?? [];
    return y === undefined ? undefined : `${space}${y}${sign}${m}${sign}${d}${text.slice(whole.length)}`;
  }
  const last = YEAR_LAST.exec(text);
  if (last === null) return undefined;
  const [whole, space = '', one = '', sign = '', other = '', year = ''] = last;
  const isDayFirst = order === 'dmy';
  const [y, m, d] = shifted(isDayFirst ? [year, other, one] : [year, one, other], days) ?? [];
  if (y === undefined) return undefined;
  const pair = isDayFirst ? `${d}${sign}${m}` : `${m}${sign}${d}`;
  return `${space}${pair}${sign}${y}${text.slice(whole.length)}`;
}

type Parts = readonly [year: string, month: string, day: string];

/** Undefined where the calendar has no such day. Each part is as wide as it was, where it may be narrower. */
function shifted([year, month, day]: Parts, days: number): string[] | undefined {
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const earlier = new Date(date.getTime() - days * DAY_MS);
  const wide = (number: number, like: string): string => String(number).padStart(like.length, '0');
  return [
    wide(earlier.getUTCFullYear(), year),
    wide(earlier.getUTCMonth() + 1, month),
    wide(earlier.getUTCDate(), day),
  ];
}
