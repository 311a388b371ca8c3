import { describe, expect, test } from 'vitest';
import {
  decodeSingleBytes,
  NO_CHARACTER,
  SINGLE_BYTE_ENCODINGS,
  UPPER_HALVES,
} from '../../../src/input/text/encoding.ts';

describe.each(SINGLE_BYTE_ENCODINGS)('%s', (encoding) => {
  test('has 128 characters beyond ASCII, no two alike', () => {
    const characters = Array.from(UPPER_HALVES[encoding]).filter((character) => character !== NO_CHARACTER);
    expect(UPPER_HALVES[encoding]).toHaveLength(128);
    expect(new Set(characters).size).toBe(characters.length);
  });

  test('leaves ASCII alone', () => {
    const ascii = Uint8Array.from({ length: 128 }, (_, at) => at);
    expect(decodeSingleBytes(ascii, encoding)).toBe(String.fromCharCode(...ascii));
  });
});

test.each(['windows-1250', 'macintosh'] as const)('%s is what the platform reads', (encoding) => {
  const platform = new TextDecoder(encoding);
  for (const [at, character] of Array.from(UPPER_HALVES[encoding]).entries()) {
    const other = platform.decode(Uint8Array.of(at + 0x80));
    // The platform makes control characters of bytes that stand for nothing.
    expect(character, `0x${(at + 0x80).toString(16)}`).toBe(/\p{Cc}/u.test(other) ? NO_CHARACTER : other);
  }
});

test('windows-1252 is Latin 1 but for 0x80 to 0x9F', () => {
  expect(UPPER_HALVES['windows-1252'].slice(32)).toBe(
    Buffer.from(Array.from({ length: 96 }, (_, at) => at + 0xa0)).toString('latin1'),
  );
  expect(UPPER_HALVES['windows-1252'].slice(0, 32)).toBe(
    '\u20AC\uFFFD\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\uFFFD\u017D\uFFFD' +
      '\uFFFD\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\uFFFD\u017E\u0178',
  );
});
