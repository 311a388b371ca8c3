import { HEADING_MARKS } from './aliases.ts';

/** Letters that are written out in plain ASCII rather than stripped of an accent. */
const WRITTEN_OUT: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
]);
const ACCENTS = /[\u0300-\u036f]/g;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]/gu;

/** Longer texts are no names of columns; the cap keeps hostile cells cheap. */
const LONGEST_NAME = 300;

/**
 * A name as headings are compared when they are not equal to a slug or label: without case, accents,
 * punctuation, and a trailing mark such as "(required)". Empty when nothing is left, or far too long.
 */
export function looseName(name: string): string {
  return name.length > LONGEST_NAME ? '' : lettersOf(withoutMark(name.normalize('NFKC')));
}

/** Letters and digits only, lower case, Latin, Greek and Cyrillic ones without accents. */
function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(/[ßæœøłđ]/g, (letter) => WRITTEN_OUT.get(letter) ?? letter)
    .replace(NEITHER_LETTER_NOR_DIGIT, '');
}

const MARKS: ReadonlySet<string> = new Set(HEADING_MARKS.map(lettersOf));

/** A name without a mark such as "(required)" at its end. */
export function withoutMark(name: string): string {
  const bracket = Math.max(name.lastIndexOf('('), name.lastIndexOf('['));
  return bracket > 0 && MARKS.has(lettersOf(name.slice(bracket))) ? name.slice(0, bracket) : name;
}
