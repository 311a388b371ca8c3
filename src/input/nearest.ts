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

/** Damerau-Levenshtein: insertions, deletions, substitutions and swaps of neighbours count one each. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
