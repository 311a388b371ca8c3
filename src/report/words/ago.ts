import { plural } from './number.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, in one unit: `22 minutes ago`, `3 days ago`. Takes milliseconds. */
export function formatAgo(ms: number): string {
  if (ms < MINUTE) return 'less than a minute ago';
  if (ms < HOUR) return `${plural(Math.floor(ms / MINUTE), 'minute', 'minutes')} ago`;
  if (ms < 2 * DAY) return `${plural(Math.floor(ms / HOUR), 'hour', 'hours')} ago`;
  return `${plural(Math.floor(ms / DAY), 'day', 'days')} ago`;
}
