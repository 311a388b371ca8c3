import { foldLetters } from '../../registration/rules/fold-letters.ts';
import { HEADING_MARKS } from './aliases.ts';

/** Longer texts are no names of columns; the cap keeps hostile cells cheap. */
const LONGEST_NAME = 300;

/**
 * A name as headings are compared when they are not equal to a slug or label: without case, accents,
 * punctuation, and a trailing mark such as "(required)". Empty when nothing is left, or far too long.
 */
export function looseName(name: string): string {
  return name.length > LONGEST_NAME ? '' : foldLetters(withoutMark(name.normalize('NFKC')));
}

const MARKS: ReadonlySet<string> = new Set(HEADING_MARKS.map(foldLetters));

/** A name without a mark such as "(required)" at its end. */
export function withoutMark(name: string): string {
  const bracket = Math.max(name.lastIndexOf('('), name.lastIndexOf('['));
  return bracket > 0 && MARKS.has(foldLetters(name.slice(bracket))) ? name.slice(0, bracket) : name;
}
