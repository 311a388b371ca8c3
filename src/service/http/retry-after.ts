/** Longest wait that a Retry-After header may ask of us. */
const MOST_MS = 15 * 60_000;

/**
 * Milliseconds that Retry-After asks to wait, from seconds or an HTTP date, at most 15 minutes. A date
 * is measured from the answer's own Date when there is one: the two clocks need not agree. Undefined
 * when it is nonsense or asks for no wait at all, so that the caller backs off instead of hammering.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  const wait = /^\d{1,10}$/.test(value)
    ? Number(value) * 1000
    : parseHttpDate(value) - (parseHttpDate(headers['date'] ?? '') || now);
  return wait > 0 ? Math.min(wait, MOST_MS) : undefined;
}

/** NaN for anything that does not begin like an HTTP date: `Date.parse` reads far too much. */
function parseHttpDate(text: string): number {
  return /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
}
