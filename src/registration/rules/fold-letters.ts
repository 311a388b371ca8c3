/** Letters that are written out in plain ASCII rather than stripped of an accent. */
const WRITTEN_OUT: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
]);
const ACCENTS = /[\u0300-\u036f]/g;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]/gu;

/**
 * Letters and digits only, in lower case, Latin, Greek and Cyrillic ones without accents: apostrophes, hyphens and
 * spaces are left out.
 */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(/[ßæœþøłđðħı]/g, (letter) => WRITTEN_OUT.get(letter) ?? letter)
    .replace(NEITHER_LETTER_NOR_DIGIT, '');
}

/** The words of a name as people look for it: without case, accents, apostrophes and hyphens. */
export function nameWords(name: string): string[] {
  return name.split(/[\s,]+/u).flatMap((word) => foldLetters(word) || []);
}
