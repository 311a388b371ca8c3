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

/**
 * Replaces every secret by `[token]`, in all forms in which a secret may turn up in text: as it is,
 * URL-encoded (either spelling), in base64, in base64url, and escaped as in JSON.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf))];
  if (forms.length === 0) return (text) => text;
  // Longest first: the alternation takes the first that fits, and a form may begin with another.
  forms.sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(escapePattern).join('|'), 'g');
  return (text) => text.replace(pattern, '[token]');
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const padded = bytes.toString('base64');
  const urls = [encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)];
  return [
    secret,
    ...urls,
    ...urls.map((url) => url.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())),
    padded,
    padded.replace(/=+$/, ''),
    bytes.toString('base64url'),
    ...jsonForms(secret),
  ];
}

/** Also twice escaped (JSON inside JSON), and with the slash escaped, which JSON allows. */
function jsonForms(secret: string): string[] {
  const once = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [once, twice, once.replaceAll('/', '\\/')];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
