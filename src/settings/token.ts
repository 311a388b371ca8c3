import { UsageError } from '../errors.ts';

const LONGEST = 8192;
/** A shorter one is part of ordinary words, which would be hidden with it wherever they are printed. */
const SHORTEST = 8;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * The token as it is sent: one trailing line break (of `echo` or an editor) taken off, otherwise
 * 8 to 8192 visible ASCII characters. Throws a UsageError that never contains the token.
 */
export function checkToken(token: string): string {
  const trimmed = token.replace(/\r?\n$/, '');
  if (trimmed === '') throw new UsageError('The token is empty.');
  if (trimmed.length > LONGEST) {
    throw new UsageError(`The token is longer than ${LONGEST} characters, so it cannot be a token.`);
  }
  if (!VISIBLE_ASCII.test(trimmed)) {
    throw new UsageError('The token contains a space, a line break or a character that is not ASCII.', {
      hint: 'Copy the token again, without quotes, spaces or line breaks.',
    });
  }
  if (isTooShort(trimmed)) {
    throw new UsageError(`The token has fewer than ${SHORTEST} characters, so it cannot be a token.`, {
      hint: 'Copy the whole token again.',
    });
  }
  return trimmed;
}

/** Whether it cannot be a token, and is hidden nowhere, since it is refused wherever one is used. */
export function isTooShort(token: string): boolean {
  return token.length < SHORTEST;
}
