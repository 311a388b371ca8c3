import { type Checked, refuse } from '../model/row.ts';
import type { NumberFormat } from '../model/sheet-cell.ts';

const DAY_SECONDS = 86_400;
/** 9999-12-31 in the 1900 system. */
const LAST_SERIAL = 2_958_465;
/** Days from 1900-01-01 to 1904-01-01, with the one that the 1900 system counts too many. */
export const DAYS_TO_1904 = 1462;
/** The 1900 system holds 1900 for a leap year. */
const NO_DAY = 60;

const LEAP_DAY = refuse(
  'date-invalid',
  'is 29 February 1900, a day that never was',
  'write the day as yyyy-mm-dd',
);
const NONE = refuse('date-invalid', 'is a number for which there is no day', 'write the day as yyyy-mm-dd');

/**
 * The day that a workbook stores as a number, as yyyy-mm-dd, with its time as yyyy-mm-dd hh:MM:ss when
 * it has one or the format shows one. By UTC arithmetic, rounded to seconds.
 */
export function serialDate(serial: number, date1904: boolean, shows: 'date' | 'datetime'): Checked<string> {
  const seconds = Math.round(serial * DAY_SECONDS);
  const days = Math.floor(seconds / DAY_SECONDS) + (date1904 ? DAYS_TO_1904 : 0);
  const first = date1904 ? DAYS_TO_1904 : 1;
  // Written so that what is not a number is refused too.
  if (!(days >= first && days <= LAST_SERIAL)) return NONE;
  if (days === NO_DAY && !date1904) return LEAP_DAY;
  const shifted = days < NO_DAY ? days + 1 : days;
  const time = seconds - Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS;
  const iso = new Date(Date.UTC(1899, 11, 30) + (shifted * DAY_SECONDS + time) * 1000).toISOString();
  const day = iso.slice(0, 10);
  return { ok: true, value: time === 0 && shows === 'date' ? day : `${day} ${iso.slice(11, 19)}` };
}

/** Seconds by which programs miss midnight: local time before there were zones. */
const NEAR_SECONDS = 120;
/** Midnight of the zones furthest east is at 10:00 of the day before, by Greenwich. */
const EASTERNMOST_SECONDS = 10 * 3600;

/** Which day a time stands for that nobody meant, as 23:59:16 does for the next; undefined where nobody can tell. */
export function shownDay(time: string): 'shown' | 'next' | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const all = hours * 3600 + minutes * 60 + seconds;
  if (all >= DAY_SECONDS - NEAR_SECONDS) return 'next';
  // Programs write noon so that no zone moves the day.
  return all < EASTERNMOST_SECONDS || all === DAY_SECONDS / 2 ? 'shown' : undefined;
}

/** The day after one of the calendar; both as yyyy-mm-dd. */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

/**
 * A time of day as hh:MM:ss, without its seconds for a clock, and without its day if there is one; a span
 * with all its hours.
 */
export function serialTime(serial: number, shows: NumberFormat['kind']): Checked<string> {
  const all = Math.round(serial * DAY_SECONDS);
  if (!(all >= 0 && all <= LAST_SERIAL * DAY_SECONDS)) {
    return refuse('date-invalid', 'is a number for which there is no time', 'write it as text');
  }
  const seconds = shows === 'span' ? all : all % DAY_SECONDS;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (shows !== 'clock') parts.push(seconds % 60);
  return { ok: true, value: parts.map((part) => String(part).padStart(2, '0')).join(':') };
}
