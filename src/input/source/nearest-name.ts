import { nearest as closest } from '../../registration/rules/closest.ts';

/** A name without the differences that people do not mean: case, width, spaces, `_` and `-`. */
export function normaliseName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]/gu, '');
}

/** The candidate that `word` was most likely meant to be, by normalised names; undefined when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const names = candidates.map(normaliseName);
  const found = closest(normaliseName(word), names);
  return found === undefined ? undefined : candidates[names.indexOf(found)];
}
