import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { checkToken } from '../../src/settings/credentials.ts';

describe('checkToken', () => {
  test.each([
    ['abcdefgh', 'abcdefgh'],
    ['abcdefgh\n', 'abcdefgh'],
    ['abcdefgh\r\n', 'abcdefgh'],
    ['!~!~!~!~', '!~!~!~!~'],
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

  test('refuses one so short that ordinary words would be hidden with it', () => {
    expect(() => checkToken('t\n')).toThrow('The token has fewer than 8 characters');
    expect(() => checkToken('1234567')).toThrow('The token has fewer than 8 characters');
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
