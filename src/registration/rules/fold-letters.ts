/** Letters that are written out in plain ASCII rather than stripped of an accent. */
const WRITTEN_OUT = new Map(
  'ßss æae œoe þth øo łl đd ðd ħh ıi'.split(' ').map((pair) => [pair.charAt(0), pair.slice(1)]),
);
const ACCENTS = /[\u0300-\u036f]/g;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]/gu;
const IS_PLAIN = /^[\0-\x7f]*$/;

/**
 * Letters and digits only, in lower case, Latin, Greek and Cyrillic ones without accents: apostrophes, hyphens and
 * spaces are left out.
 */
export function foldLetters(text: string): string {
  if (IS_PLAIN.test(text)) return text.toLowerCase().replaceAll(/[^a-z\d]/g, '');
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

/** Words and phrases of a list with commas between them, as `foldLetters` has them. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(', ').map(foldLetters));

/** Runs of at most so many words, from one up to another, the longest first: longer names hide those within them. */
export function* runsOf(words: readonly string[], longest: number): Generator<{ from: number; to: number }> {
  for (let length = Math.min(longest, words.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) yield { from, to: from + length };
  }
}
