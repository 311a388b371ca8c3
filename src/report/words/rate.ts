import { formatDuration } from './duration.ts';
import { formatCount, plural } from './number.ts';

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
