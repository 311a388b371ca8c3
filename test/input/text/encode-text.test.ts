import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeSingleBytes,
  encodeText,
  NO_CHARACTER,
  SINGLE_BYTE_ENCODINGS,
  UPPER_HALVES,
} from '../../../src/input/text/encoding.ts';

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

test.each(SINGLE_BYTE_ENCODINGS)('What %s has comes back the same', (encoding) => {
  const characters = Array.from(UPPER_HALVES[encoding]).filter((character) => character !== NO_CHARACTER);
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '"', ...characters) });
  fc.assert(fc.property(text, (given) => decodeSingleBytes(encodeText(given, encoding), encoding) === given));
});
