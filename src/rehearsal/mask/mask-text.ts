import { isNamePart } from '../../registration/repairs/split-name.ts';
import { readSign, type Sign } from './alphabets.ts';
import { permute } from './permute.ts';

/**
 * The text with other letters and digits: of the same scripts, as large, with the accents, spaces and signs where they
 * were. Texts that differ only in case, spaces or width are masked alike.
 */
export function maskText(key: string, text: string): string {
  return replaceSigns(text, (signs) => permute(key, signs));
}

/** Puts what `replace` makes of the letters and digits of a text in their place. */
export function replaceSigns(text: string, replace: (signs: readonly Sign[]) => readonly string[]): string {
  const characters = Array.from(text.normalize('NFC'));
  const read = characters.map(readSign);
  const replaced = replace(read.flatMap((one) => (one === undefined ? [] : [one.sign])));
  let at = 0;
  const masked = read.map((one, index) => {
    if (one === undefined) return characters[index];
    at += 1;
    return `${replaced[at - 1] ?? ''}${one.accents}`;
  });
  return masked.join('').normalize('NFC');
}

/** A name, word by word, so that a full name still splits into the first and the last one: there, and nowhere else. */
export function maskName(key: string, name: string): string {
  return name
    .normalize('NFC')
    .replace(/[^\s,]+/gu, (word) => (isNamePart(word) ? word : maskWord(key, word)));
}

function maskWord(key: string, word: string): string {
  let masked = word;
  // Walking on keeps it a permutation; it ends at the word itself at the latest.
  do masked = masked.replace(/[\p{L}\p{M}\p{N}]+/gu, (part) => maskText(key, part));
  while (isNamePart(masked));
  return masked;
}

const ZEROS = /^0+/;

/** A barcode: zeros in front stay, and none come there, since spreadsheets lose them. */
export function maskBarcode(key: string, barcode: string): string {
  const zeros = ZEROS.exec(barcode)?.[0] ?? '';
  let masked = barcode.slice(zeros.length);
  // As with a name that would be none.
  do masked = maskText(key, masked);
  while (masked.startsWith('0'));
  return zeros + masked;
}
