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

/**
 * Damerau-Levenshtein distance (optimal string alignment) of two words, given as text or as lists of
 * characters: insert, delete, replace and swap of neighbours count one each.
 */
export function editDistance(from: ArrayLike<string>, to: ArrayLike<string>): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replace = at(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = swapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replace, swap));
    }
    beforeLast = last;
    last = row;
  }
  return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
