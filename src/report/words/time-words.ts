const DAY_MS = 24 * 3_600_000;

/** Whose day it is: now, in milliseconds since 1970, and the time zone, that of the machine unless given. */
export interface Here {
  nowMs: number;
  timeZone?: string | undefined;
}

/** A moment for programs; null for none. */
export const isoTime = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** A moment in UTC, as long as it is said: `2027-03-01 08:15:02`, or to the minute or the millisecond. */
export const utcTime = (ms: number, part: 'minute' | 'second' | 'ms' = 'second'): string =>
  new Date(ms).toISOString().slice(0, LENGTHS[part]).replace('T', ' ');

/** For people: `2027-03-01 08:15`, in UTC as everywhere. */
export const utcMinute = (ms: number): string => utcTime(ms, 'minute');

const LENGTHS = { minute: 16, second: 19, ms: 23 };

/** A moment for people, as their clock shows it: `today 10:58`, `yesterday 17:02`, `21 Nov`, `3 Dec 2025`. */
export function timeInWords(ms: number, here: Here): string {
  const then = partsOf(ms, here);
  const now = partsOf(here.nowMs, here);
  if (then.date === now.date) return `today ${then.time}`;
  const day = Date.parse(`${now.date}T00:00:00Z`) - Date.parse(`${then.date}T00:00:00Z`);
  if (day === DAY_MS) return `yesterday ${then.time}`;
  return then.year === now.year ? then.day : `${then.day} ${then.year}`;
}

interface Parts {
  /** `2026-11-22` */
  date: string;
  time: string;
  /** `22 Nov` */
  day: string;
  year: string;
}

function partsOf(ms: number, { timeZone }: Here): Parts {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const found = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const { year = '', month = '', day = '', hour = '', minute = '' } = found;
  return {
    date: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    time: `${hour}:${minute}`,
    day: `${Number(day)} ${MONTHS[Number(month) - 1]}`,
    year,
  };
}

/** Some releases of Node write `Sept`. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
