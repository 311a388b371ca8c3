import { type Finding, findingOf } from '../model/row.ts';
import type { Field } from '../model/persona.ts';

const wrong = (problem: string, remedy: string): Finding => findingOf('date-invalid', problem, remedy);

const FORM = 'write it as yyyy-mm-dd, for example 2026-02-26';
const NOT_THE_FORM = 'is not in the format yyyy-mm-dd';
const NO_DAY: Finding = wrong(
  'names a day that does not exist',
  'write a day of the calendar, as yyyy-mm-dd',
);

/** A day of the calendar as `yyyy-mm-dd`, or with a time as `yyyy-mm-dd hh:MM:ss`. */
export function checkDate(text: string): Finding | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/.exec(text);
  if (parts === null) return checkOtherForm(text);
  const [, year = '', month = '', day = '', time] = parts;
  if (!isDay(year, month, day)) {
    const swapped = Number(month) > 12 && isDay(year, day, month);
    return wrong(
      'names a day that does not exist',
      swapped ? `write ${year}-${day}-${month}` : 'write a day of the calendar',
    );
  }
  return time === undefined || isTime(time)
    ? undefined
    : wrong('names a time that does not exist', 'write a time from 00:00:00 to 23:59:59');
}

/** Dates of birth, by the names of the field in six languages. */
const BIRTH =
  /birth|geburt|geboren|nacimiento|fecha[ _]nac|naissance|nascita|nascimento|data[ _]nasc|(?:^|[ _])(?:dob|born)(?:$|[ _])/i;

/** Whether a field is a date of birth: it has no time, and is not in the future. */
export function isBirthDate({ kind, slug, label }: Pick<Field, 'kind' | 'slug' | 'label'>): boolean {
  return kind === 'date' && BIRTH.test(`${slug} ${label}`);
}

/** Days of one's guests and of their stay: whatever lies before or after was never meant. */
const [FIRST_YEAR, LAST_YEAR] = ['1900', '2199'];

/** What is wrong with the year of a day of the calendar; `lastBirth` is the last day on which anybody can be born. */
export function checkYear(date: string, field: Field, lastBirth: string | undefined): Finding | undefined {
  const year = date.slice(0, 4);
  const digits = year.slice(2);
  if (year < '0100')
    return wrong(
      `has the year ${year}, made of two digits`,
      `write the whole year, as 19${digits} or 20${digits}`,
    );
  if (year < FIRST_YEAR || year > LAST_YEAR)
    return wrong(
      `has the year ${year}`,
      `write a year from ${FIRST_YEAR} to ${LAST_YEAR}, or empty the cell`,
    );
  if (lastBirth === undefined || date.slice(0, 10) <= lastBirth || !isBirthDate(field)) return undefined;
  return wrong(`is a birth in the future, in ${year}`, 'write the year of birth');
}

/** Forms that people and programs write instead, each with the remedy that is certain. */
function checkOtherForm(text: string): Finding {
  if (/^\d{5}$/.test(text)) {
    return wrong(
      'is the number by which a spreadsheet stores a date',
      'format the column as yyyy-mm-dd and export again',
    );
  }
  return checkTimeForm(text) ?? checkYearFirst(text) ?? checkYearLast(text) ?? other(undefined);
}

/** `2026-02-26T10:00:00`, with or without zone, and times without seconds. */
function checkTimeForm(text: string): Finding | undefined {
  const parts =
    /^(\d{4}-\d{2}-\d{2})([T ])(\d{2}:\d{2})(:\d{2})?(?:[.,]\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text);
  if (parts === null) return undefined;
  const [, day = '', separator, minutes = '', seconds = ':00', zone] = parts;
  if (zone !== undefined) {
    return wrong('has a time zone', 'write it as yyyy-mm-dd hh:MM:ss in the time of the event');
  }
  const mended = `${day} ${minutes}${seconds}`;
  const remedy = checkDate(mended) === undefined ? `write ${mended}` : FORM;
  if (separator !== ' ') return wrong('has a T between date and time', remedy);
  return wrong('is not in the format yyyy-mm-dd hh:MM:ss', remedy);
}

/** `2026/2/6`, `2026.02.26`, `20260226`. */
function checkYearFirst(text: string): Finding | undefined {
  const parts = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^(\d{4})()(\d{2})(\d{2})$/.exec(text);
  return parts === null ? undefined : other(dayOf(parts[1], parts[3], parts[4]));
}

/** `26/02/2026` and `02/26/2026`: the day is certain only when the other part cannot be a month. */
function checkYearLast(text: string): Finding | undefined {
  if (/^(\d{1,2})([/.-])\d{1,2}\2\d{2}$/.test(text)) {
    return wrong('has a year of two digits', 'write the year with 4 digits');
  }
  const parts = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(text);
  if (parts === null) return undefined;
  const dayFirst = dayOf(parts[4], parts[3], parts[1]);
  const monthFirst = dayOf(parts[4], parts[1], parts[3]);
  if (dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst) {
    return findingOf(
      'date-order',
      `${NOT_THE_FORM}, and day and month cannot be told apart`,
      'write it as yyyy-mm-dd, or say with --set date-order which comes first',
    );
  }
  const day = dayFirst ?? monthFirst;
  return day === undefined ? NO_DAY : other(day);
}

function other(mended: string | undefined): Finding {
  return wrong(NOT_THE_FORM, mended === undefined ? FORM : `write ${mended}`);
}

/** The three parts as yyyy-mm-dd; undefined when there is no such day. */
export function dayOf(year = '', month = '', day = ''): string | undefined {
  if (!isDay(year, month, day)) return undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Whether the calendar has the day; years begin with 1. */
function isDay(yearText: string, monthText: string, dayText: string): boolean {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** `hh:MM:ss`, two digits each. */
function isTime(time: string): boolean {
  const [hours = 24, minutes = 60, seconds = 60] = time.split(':').map(Number);
  return hours <= 23 && minutes <= 59 && seconds <= 59;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
