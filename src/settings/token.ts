import { UsageError } from '../errors.ts';

const LONGEST = 8192;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * The token as it is sent: one trailing line break (of `echo` or an editor) taken off, otherwise
 * 1 to 8192 visible ASCII characters. Throws a UsageError that never contains the token.
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
  return trimmed;
}
