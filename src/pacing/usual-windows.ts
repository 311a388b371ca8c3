const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Lengths that services choose for their windows. */
export const USUAL_MS = [
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 4, 6, 12, 24].map((n) => n * HOUR),
];

/** When to look whether the window is over: fewer than there are lengths, as each look that finds nothing costs. */
const LOOKS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 4].map((n) => n * HOUR),
];

/** Ages are measured from a first answer that may have been slow: one so little below a look's was that look. */
const LOOKED = 1.02;

/** The usual lengths above one and not above the other. */
export function usualWithin(aboveMs: number, atMostMs: number): number[] {
  return USUAL_MS.filter((ms) => ms > aboveMs && ms <= atMostMs);
}

/** The usual length nearest to a measured one, when it is within the error of the measurement. */
export function usualNear(measuredMs: number, error: number): number {
  const off = (ms: number) => Math.abs(ms / measuredMs - 1);
  const nearest = USUAL_MS.toSorted((a, b) => off(a) - off(b))[0] ?? measuredMs;
  return off(nearest) < error ? nearest : measuredMs;
}

/** The next usual length above this one, or twice as long when there is none. */
export function usualAbove(ms: number): number {
  return LOOKS_MS.find((usual) => usual > ms) ?? 2 * ms;
}

/** The last age of a window at which a look was worth a request. */
export function lookedAt(ageMs: number): number {
  return LOOKS_MS.findLast((ms) => ms <= LOOKED * ageMs) ?? 0;
}

/** The first age of a window above `ageMs` at which a look is worth a request, at most `gapMs` later. */
export function nextLookMs(ageMs: number, gapMs: number): number {
  return Math.min(LOOKS_MS.find((ms) => ms > LOOKED * ageMs) ?? ageMs + HOUR, ageMs + gapMs);
}
