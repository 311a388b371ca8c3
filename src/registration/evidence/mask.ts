import { mayBeName, meansNothing } from './nothing-words.ts';
import { cut } from '../model/cut.ts';

const MAX_CHARACTERS = 60;
const MAX_DIGITS = 2;
const PIECE = /(\p{L}\p{M}*)((?:\p{L}\p{M}*)+)|[\p{L}\p{N}]\p{M}*/gu;
const DIGIT = /\p{N}/gu;

/** A personal value for whoever may see it as it is, or not. */
export const maskUnless = (isShown: boolean, value: string): string => (isShown ? value : mask(value));

/**
 * Hides a personal value but keeps its shape, so that a mistake can still be seen: every run of
 * letters keeps its first letter, the value its first two digits, the rest become `•`. Never all of a
 * run of letters, nor all digits, however they are set apart. Punctuation and spaces stay. Cut at 60 characters. What
 * says that there is nothing, such as `n/a`, is of nobody and stays.
 */
export function mask(value: string): string {
  if (meansNothing(value) && !mayBeName(value)) return value;
  // Cut first with room to spare: marks within the runs count as characters but are masked away.
  const text = value.slice(0, MAX_CHARACTERS * 8);
  let digitsLeft = Math.min(MAX_DIGITS, (text.match(DIGIT)?.length ?? 0) - 1);
  const masked = text.replace(PIECE, (piece: string, letter?: string, letters?: string) => {
    if (letter !== undefined) return letter + dots(letters);
    if (!/^\p{N}/u.test(piece) || digitsLeft <= 0) return '•';
    digitsLeft -= 1;
    return piece;
  });
  const rest = value.length > MAX_CHARACTERS * 8 ? '…' : '';
  return cut(masked + rest, MAX_CHARACTERS);
}

function dots(run = ''): string {
  return '•'.repeat(Array.from(run.replace(/\p{M}/gu, '')).length);
}

/** As a UUID, in hex, or as a ULID. */
const MADE = /^(?:req[-_])?(?:[0-9a-f-]{16,64}|[0-9A-HJKMNP-TV-Z]{26})$/;

/** Whether an id that a service gives a request looks made, and so names nobody: some quote what they were asked. */
export const isMadeId = (id: string): boolean => MADE.test(id);
