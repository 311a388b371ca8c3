import { type Finding, findingOf } from '../model/row.ts';
import type { Field } from '../model/persona.ts';
import { dayOf, isBareSerial, isYearLast, readDay, shownOrder, splitTime } from './date-forms.ts';

const wrong = (problem: string, remedy: string): Finding => findingOf('date-invalid', problem, remedy);

const FORM = 'write it as yyyy-mm-dd, for example 2026-02-26';
const NOT_THE_FORM = 'is not in the format yyyy-mm-dd';
const NO_DAY = 'names a day that does not exist';
const ZONE = /\d:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/i;
const SHORT_YEAR = /^\d{1,2}([/.-])\d{1,2}\1\d{2}$/;

/** A day of the calendar as `yyyy-mm-dd`, or with a time as `yyyy-mm-dd hh:MM:ss`. */
export function checkDate(text: string): Finding | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/.exec(text);
  if (parts === null) return checkOtherForm(text);
  const [, year = '', month = '', day = '', time] = parts;
  if (dayOf(year, month, day) === undefined) {
    const swapped = dayOf(year, day, month);
    return wrong(NO_DAY, swapped === undefined ? 'write a day of the calendar' : `write ${swapped}`);
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
  if (isBareSerial(text)) {
    return wrong(
      'is the number by which a spreadsheet stores a date',
      'format the column as yyyy-mm-dd and export again',
    );
  }
  if (ZONE.test(text))
    return wrong('has a time zone', 'write it as yyyy-mm-dd hh:MM:ss in the time of the event');
  if (SHORT_YEAR.test(text)) return wrong('has a year of two digits', 'write the year with 4 digits');
  const { date, time } = splitTime(text);
  const order = shownOrder(date);
  if (order === 'either' || order === 'dotted') {
    return findingOf(
      'date-order',
      `${NOT_THE_FORM}, and day and month cannot be told apart`,
      'write it as yyyy-mm-dd, or say with --set date-order which comes first',
    );
  }
  const day = readDay(date, order);
  if (day === undefined && isYearLast(date))
    return wrong(NO_DAY, 'write a day of the calendar, as yyyy-mm-dd');
  const mended = time === undefined ? day : `${day} ${time}`;
  const isDate = day !== undefined && (time === undefined || isTime(time));
  const problem = time === undefined ? NOT_THE_FORM : `${NOT_THE_FORM} hh:MM:ss`;
  return wrong(problem, isDate ? `write ${mended}` : FORM);
}

/** `hh:MM:ss`, two digits each. */
function isTime(time: string): boolean {
  const [hours = 24, minutes = 60, seconds = 60] = time.split(':').map(Number);
  return hours <= 23 && minutes <= 59 && seconds <= 59;
}
