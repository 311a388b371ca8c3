import { describe, expect, test } from 'vitest';
import { redactor } from '../../src/settings/redactor.ts';

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** The characters as JSON writers escape them that are afraid of HTML. */
const gson = (text: string, escaped = '"\\=<>&\''): string =>
  Array.from(text, (character) =>
    escaped.includes(character) ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character,
  ).join('');

describe('redactor', () => {
  const secret = 'a"b/c+d=e\\f%g?h~i(j>>>???';
  const redact = redactor([secret]);

  test.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded in small letters', encodeURIComponent(secret).toLowerCase()],
    ['as a form', new URLSearchParams({ t: secret }).toString().slice(2)],
    ['as JSON', JSON.stringify(secret).slice(1, -1)],
    ['as JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['as JSON with an escaped slash', JSON.stringify(secret).slice(1, -1).replace('/', '\\/')],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 without padding', Buffer.from(secret).toString('base64').replace(/=/g, '')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in base64 of the header', Buffer.from(`Bearer ${secret}`).toString('base64')],
    ['in base64url of the header', Buffer.from(`Bearer ${secret}`).toString('base64url')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in hex, in capitals', Buffer.from(secret).toString('hex').toUpperCase()],
    ['as Gson writes it', gson(secret)],
    ['as .NET writes it', gson(secret, '"\\+&<>\'`').replace(/(?<=u)\w{4}/g, (code) => code.toUpperCase())],
    ['in escapes only', gson(secret, secret)],
    ['as JSON in JSON with escapes', JSON.stringify(gson(secret)).slice(1, -1)],
    ['partly percent-encoded', secret.replace('%', '%25').replace('+', '%2b')],
    ['percent-encoded in all', Array.from(secret, percent).join('')],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['percent-encoded in escapes', encodeURIComponent(secret).replaceAll('%', '\\u0025')],
    ['as HTML', secret.replace('"', '&#34;').replace('=', '&#x3D;').replaceAll('>', '&#62;')],
    ['in base64 with escapes', gson(Buffer.from(secret).toString('base64'), '=+/')],
  ])('takes out the token %s, everywhere', (_form, written) => {
    expect(redact(`x ${written} y${written}`)).toBe('x [token] y[token]');
  });

  test('leaves all other text alone', () => {
    expect(redact('a"b/c and $& and [token]')).toBe('a"b/c and $& and [token]');
    expect(redactor([])('text')).toBe('text');
    expect(redactor([''])('text')).toBe('text');
  });

  test('takes the longer of two secrets first', () => {
    expect(redactor(['abc', 'abcdef'])('abcdef abc')).toBe('[token] [token]');
  });

  test('does not look again at what it wrote', () => {
    expect(redactor(['token', 'x1'])('x1 token')).toBe('[token] [token]');
  });

  test.each([1, 2, 3])('takes out the token in base64 of something longer, %i bytes before it', (bytes) => {
    const written = Buffer.from(`${'x'.repeat(bytes)}${secret}:${'y'.repeat(bytes)}`).toString('base64');
    const [before, after = written] = redact(written).split('[token]');
    expect([before?.length, after.length]).toEqual([
      expect.toBeOneOf([2, 3, 4]),
      expect.toBeOneOf([4, 5, 6, 7, 8]),
    ]);
  });

  test('takes out a secret that is not ASCII', () => {
    const words = 'pässwörd with spaces';
    const url = encodeURIComponent(words);
    for (const written of [words, gson(words, 'äö'), url, url.toLowerCase(), url.replaceAll('%20', '+')]) {
      expect(redactor([words])(`<${written}>`)).toBe('<[token]>');
    }
  });

  test('leaves JSON what it was', () => {
    const written = `{"${gson(secret)}":["a\\n${gson(secret, secret)}","\\\\${secret.replace(/["\\]/g, '\\$&')}"]}`;
    expect(JSON.parse(redact(written))).toEqual({ '[token]': ['a\n[token]', '\\[token]'] });
  });

  test('finds the token wherever it stands in a huge text', () => {
    const written = gson(secret, '=');
    for (const before of [65_500, 65_535, 65_536, 65_570, 131_072]) {
      const text = redact(
        `${'\\"'.repeat(10)}${'x'.repeat(before)}${written}${'y'.repeat(70_000)}${written}`,
      );
      expect(text).toHaveLength(20 + before + 70_000 + 2 * '[token]'.length);
    }
  });
});
