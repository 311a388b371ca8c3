import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeSingleBytes,
  encodeText,
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
    const ascii = String.fromCharCode(...Array.from({ length: 128 }).keys());
    expect(decodeSingleBytes(ascii, encoding)).toBe(ascii);
  });

  test('comes back the same', () => {
    const characters = Array.from(UPPER_HALVES[encoding]).filter((character) => character !== NO_CHARACTER);
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '"', ...characters) });
    const again = (given: string): string =>
      decodeSingleBytes(encodeText(given, encoding).toString('latin1'), encoding);
    fc.assert(fc.property(text, (given) => again(given) === given));
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

test.each([
  ['utf-8', 'é€', 'c3a9e282ac'],
  ['utf-16le', 'é€', 'e900ac20'],
  ['utf-16be', 'é€💥', '00e920acd83ddca5'],
  ['windows-1252', 'é€’ž', 'e980929e'],
  ['windows-1250', 'é€’žł', 'e980929eb3'],
  ['macintosh', 'é€’', '8edbd5'],
] as const)('%s of %s', (encoding, text, hex) => {
  expect(encodeText(text, encoding).toString('hex')).toBe(hex);
});

test('A character that the encoding lacks becomes one question mark', () => {
  expect(encodeText('Ł💥ő\u0081\uFFFD!', 'windows-1252').toString()).toBe('?????!');
});
