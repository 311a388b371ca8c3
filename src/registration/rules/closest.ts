import { editDistance } from './edit-distance.ts';

/** Longer words are no typing errors of short names; the cap also keeps hostile text cheap. */
const LONGEST_WORD = 100;

/**
 * The candidate a mistyped word most likely means, or undefined when none is close: at most one edit
 * for every three characters (but one edit is always allowed, unless it replaces the whole word).
 * Case is ignored; a swap of two neighbours is one edit. Of equally close ones the first wins.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  const letters = Array.from(word.toLowerCase());
  let limit = Math.max(1, Math.floor(letters.length / 3));
  let best: string | undefined;
  for (const candidate of candidates) {
    const other = Array.from(candidate.toLowerCase());
    if (Math.abs(other.length - letters.length) > limit) continue;
    const distance = editDistance(letters, other);
    if (distance > limit || (distance > 0 && distance >= letters.length)) continue;
    best = candidate;
    limit = distance - 1;
    if (distance === 0) break;
  }
  return best;
}
