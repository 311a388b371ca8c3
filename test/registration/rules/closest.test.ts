import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/registration/rules/closest.ts';
import { paired } from '../../support/tables.ts';

describe('nearest', () => {
  it.each(
    paired(`
      visitr → visitor | vistior → visitor | VISITOR → visitor | exibitors → exhibitor | speeker → speaker
    `),
  )('takes %s for %s', (word, expected) => {
    expect(nearest(word, ['exhibitor', 'visitor', 'speaker'])).toBe(expected);
  });

  it.each(['guest', '', 'visitorvisitor', 'xx'])('leaves %j alone', (word) => {
    expect(nearest(word, ['exhibitor', 'visitor', 'speaker'])).toBeUndefined();
  });

  it('allows one edit for three letters, and no more', () => {
    expect(nearest('abcdef', ['abcdxx'])).toBe('abcdxx');
    expect(nearest('abcdef', ['abcxxx'])).toBeUndefined();
  });

  it('does not replace a whole word', () => {
    expect(nearest('a', ['b'])).toBeUndefined();
    expect(nearest('ab', ['ac'])).toBe('ac');
  });

  it('counts a swap as one edit', () => {
    expect(nearest('ba', ['ab'])).toBe('ab');
    expect(nearest('emial', ['exxil', 'email'])).toBe('email');
  });

  it('takes the closest, and of equals the first', () => {
    expect(nearest('colour', ['colors', 'color', 'colour2'])).toBe('color');
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
  });

  it('finds nothing for very long words, however similar', () => {
    const long = 'x'.repeat(101);
    expect(nearest(long, [long, `${long}y`])).toBeUndefined();
    expect(nearest('word', ['word'.repeat(100_000)])).toBeUndefined();
  });

  it('gives one of the candidates or nothing', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (word, candidates) => {
        const found = nearest(word, candidates);
        expect(found === undefined || candidates.includes(found)).toBe(true);
      }),
    );
  });
});
