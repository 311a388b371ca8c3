import { editDistance } from '../../registration/rules/closest.ts';

/** A name without the differences that people do not mean: case, width, spaces, `_` and `-`. */
export function normaliseName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]/gu, '');
}

/** Shorter names are part of too many others to mean anything. */
const SHORTEST_PART = 3;

/**
 * The candidate that `word` was most likely meant to be, or undefined when none is close: at most a
 * third of the letters differ, or one contains the other. Compares normalised names; the first of
 * equally close candidates wins.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = normaliseName(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = closeness(wanted, normaliseName(candidate));
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** Edits from one to the other; infinite when they are not close. */
function closeness(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const difference = long.length - short.length;
  if (short.length >= SHORTEST_PART && long.includes(short)) return difference;
  const limit = long.length / 3;
  if (difference > limit) return Number.POSITIVE_INFINITY;
  const distance = editDistance(short, long);
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}
