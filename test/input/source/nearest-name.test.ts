import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest, normaliseName } from '../../../src/input/source/nearest-name.ts';
import { editDistance } from '../../../src/registration/rules/closest.ts';

describe('the nearest name', () => {
  test.each([
    ['Emial', ['phone', 'E-mail', 'email'], 'E-mail'],
    ['Company name', ['name', 'company'], undefined],
    ['phone_numbr', ['email', 'Phone number'], 'Phone number'],
    ['exhibitr', ['visitor', 'exhibitor'], 'exhibitor'],
    ['Zip', ['email', 'phone'], undefined],
    ['id', ['identity'], undefined],
    ['', ['email'], undefined],
    ['email', [], undefined],
  ])('to %j among %j is %j', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });

  test('of a very long word is found without comparing letter by letter', () => {
    expect(nearest('x'.repeat(1_000_000), ['email'])).toBeUndefined();
  });
});

test('Names are compared without case, width, spaces, underscores and hyphens, but with accents', () => {
  expect(normaliseName(' E-Mail_Ａddress\u00A0')).toBe('emailaddress');
  expect(normaliseName('Prénom')).not.toBe(normaliseName('Prenom'));
});

describe('the distance of two words', () => {
  test.each([
    ['', '', 0],
    ['abc', '', 3],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'abxc', 1],
    ['abc', 'xbc', 1],
    ['kitten', 'sitting', 3],
  ])('%j and %j is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  test('is the same both ways, and zero only for equal words', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});
