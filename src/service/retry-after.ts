/** Longest wait that a Retry-After header may ask of us. */
const MOST_MS = 15 * 60_000;

/** Milliseconds that a Retry-After header asks to wait, from seconds or an HTTP date; undefined when it is nonsense. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  if (/^\d{1,10}$/.test(trimmed)) return Math.min(Number(trimmed) * 1000, MOST_MS);
  const date = /^[A-Za-z]{3},/.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MOST_MS);
}
