import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { checkToken, redactor } from '../../src/settings/token.ts';

describe('checkToken', () => {
  test.each([
    ['abc', 'abc'],
    ['abc\n', 'abc'],
    ['abc\r\n', 'abc'],
    ['!~', '!~'],
    ['x'.repeat(8192), 'x'.repeat(8192)],
  ])('takes %j', (given, token) => {
    expect(checkToken(given)).toBe(token);
  });

  test.each([
    ['an empty one', ''],
    ['only a line break', '\n'],
    ['two line breaks', 'secret-part\n\n'],
    ['a space at the end', 'secret-part '],
    ['a space in front', ' secret-part'],
    ['a tab', 'secret-part\tb'],
    ['a header in it', 'secret-part\r\nX-Other: 1'],
    ['NUL', 'secret-part\0'],
    ['DEL', 'secret-part\u007f'],
    ['curly quotes', '“secret-part”'],
    ['one too long', `secret-part${'x'.repeat(8192)}`],
  ])('refuses %s without repeating it', (_what, token) => {
    const error = errorOf(() => checkToken(token));
    expect(error).toBeInstanceOf(UsageError);
    expect(inspect(error)).not.toContain('secret-part');
  });
});

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
});

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
