import type { Meaning, Paint } from './paint.ts';

/** A whole number with English grouping, whatever the locale of the machine: `12,345`. */
export function formatCount(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A count with its noun: `1 row`, `12 rows`. */
export function plural(n: number, one: string, many: string): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/** A count, what it is of, and what that means for whoever reads it. */
export type CountRow = readonly [count: number, text: string, meaning?: Meaning];

/** Lines such as `  3 rejected, left out`, in the colours of their meanings; none of nothing. */
export const countLines = (paint: Paint, rows: readonly CountRow[], indent?: string): string[] =>
  rows.flatMap(([count, text, meaning]) =>
    countLine(count, text, indent).map((line) => paint(meaning, line)),
  );

/** `3 new, 2 updated`: what there is of several kinds. */
export const countWords = (kinds: readonly CountRow[]): string =>
  kinds.flatMap(([count, what]) => countLine(count, what, '')).join(', ');

/** `  3 rejected, left out`; no line of nothing. */
export function countLine(count: number, text: string, indent = '  '): string[] {
  return count > 0 ? [`${indent}${formatCount(count)} ${text}`] : [];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A shorter wait, in milliseconds, is the usual gap between two requests and not worth a word. */
export const SHOWN_WAIT_MS = 5 * SECOND;

/**
 * A length of time for people, in its two largest units: `0.8 s`, `12 s`, `2 min 5 s`, `2 h 47 min`,
 * `3 d 4 h`. A second unit of zero is left out. Takes milliseconds; negative ones count as none.
 */
export function formatDuration(ms: number): string {
  const tenths = Math.round(Math.max(0, ms) / 100);
  if (tenths === 0) return '0 s';
  if (tenths < 10) return `0.${tenths} s`;
  const seconds = roundTo(ms, SECOND);
  if (seconds < MINUTE) return `${seconds / SECOND} s`;
  if (seconds < HOUR) return pair(seconds, MINUTE, 'min', SECOND, 's');
  const minutes = roundTo(ms, MINUTE);
  if (minutes < DAY) return pair(minutes, HOUR, 'h', MINUTE, 'min');
  return pair(roundTo(ms, HOUR), DAY, 'd', HOUR, 'h');
}

/** A length of time that is only an estimate: `8 s`, `1 min 30 s`, `2 min`, `2 h 47 min`. Takes milliseconds. */
export function formatRough(ms: number): string {
  if (ms < 10 * SECOND) return formatDuration(Math.max(SECOND, roundTo(ms, SECOND)));
  return formatDuration(roundTo(ms, ms < 2 * MINUTE ? 5 * SECOND : MINUTE));
}

function roundTo(ms: number, unit: number): number {
  return Math.round(ms / unit) * unit;
}

function pair(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.round((ms % large) / small);
  const first = `${Math.floor(ms / large)} ${largeName}`;
  return rest === 0 ? first : `${first} ${rest} ${smallName}`;
}

/** How long ago something was, in one unit: `22 minutes ago`, `3 days ago`. Takes milliseconds. */
export function formatAgo(ms: number): string {
  if (ms < MINUTE) return 'less than a minute ago';
  if (ms < HOUR) return `${plural(Math.floor(ms / MINUTE), 'minute', 'minutes')} ago`;
  if (ms < 2 * DAY) return `${plural(Math.floor(ms / HOUR), 'hour', 'hours')} ago`;
  return `${plural(Math.floor(ms / DAY), 'day', 'days')} ago`;
}

const HOUR_MS = 3_600_000;
const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [1_000, 'a second'],
  [60_000, 'a minute'],
  [HOUR_MS, 'an hour'],
  [24 * HOUR_MS, 'a day'],
];
/** A learned window this near to a unit is meant to be one. */
const NEAR = 0.02;

/**
 * How many in what time: `30 a minute`, `300 every 10 s`; `30 a window` while its length is not known. With
 * the name of one and of many, `30 requests a minute`.
 */
export function formatRate(
  count: number,
  windowMs: number | undefined,
  noun?: readonly [one: string, many: string],
): string {
  const some = noun === undefined ? formatCount(count) : plural(count, ...noun);
  return `${some} ${formatWindow(windowMs)}`;
}

function formatWindow(windowMs: number | undefined): string {
  if (windowMs === undefined) return 'a window';
  const unit = UNITS.find(([ms]) => Math.abs(windowMs - ms) <= ms * NEAR);
  return unit === undefined ? `every ${formatDuration(windowMs)}` : unit[1];
}

/** How many that is an hour, rounded down. */
export function perHour(count: number, windowMs: number): number {
  return Math.floor((count * HOUR_MS) / windowMs);
}
