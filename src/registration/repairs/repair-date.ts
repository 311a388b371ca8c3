import { checkDate } from '../rules/date-rule.ts';
import {
  type DateOrder,
  isBareSerial,
  isYearLast,
  LONGEST_DATE,
  readDay,
  shownOrder,
  splitTime,
} from '../rules/date-forms.ts';
import { type Checked, type Finding, refuse, findingOf } from '../model/row.ts';
import { mend, type Mended } from './clean-text.ts';
import type { ColumnDecision, HiddenTimes } from './repair-options.ts';
import { nextDay, serialDate, shownDay } from './serial-date.ts';

const PLAIN = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;

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
  const time = text.length > LONGEST_DATE ? undefined : splitTime(withoutZone(text)).time;
  return time !== undefined && shownDay(time) === undefined ? time : undefined;
}

/** `1989-05-12T22:00:00.000Z`: JSON has local dates so. */
function withoutZone(text: string): string {
  return text.replace(/(\d)Z$/, '$1');
}

function mendForm(text: Mended, decisions: DateDecisions): Checked<Mended> {
  const { value } = text;
  if (value.length > LONGEST_DATE || PLAIN.test(value)) return { ok: true, value: text };
  if (isBareSerial(value)) return mendSerial(text, decisions.serials);
  const { date, time } = splitTime(value);
  const finding = isYearLast(date) ? checkDecided(date, decisions) : undefined;
  if (finding !== undefined) return { ok: false, finding };
  const day = readDay(date, decisions.order);
  if (day === undefined) return { ok: true, value: text };
  const form = time === undefined ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:MM:ss';
  const mended = time === undefined ? day : `${day} ${time}`;
  return { ok: true, value: mend(text, mended, `date written as ${form}`) };
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
  if (order === undefined || shown !== (order === 'dmy' ? 'mdy' : 'dmy')) return undefined;
  const first = order === 'dmy' ? 'day' : 'month';
  return findingOf(
    'date-order',
    `has no ${first} in front, as dates of its column have`,
    'write it as yyyy-mm-dd',
  );
}
