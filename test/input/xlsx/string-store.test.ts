import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StringStore } from '../../../src/input/xlsx/string-store.ts';

test('A store gives back every text under its number', () => {
  const length = fc.oneof(fc.nat(20), fc.constantFrom(1024 * 1024, 1024 * 1024 - 1, 999_999));
  const texts = fc.array(fc.tuple(fc.constantFrom('a', 'é', '€', '💥'), length), { maxLength: 40 });
  fc.assert(
    fc.property(texts, (plan) => {
      const store = new StringStore();
      const all = plan.map(([character, count]) => character.repeat(count / character.length));
      for (const text of all) expect(store.add(text)).toBe(true);
      expect(store.count).toBe(all.length);
      expect(all.every((text, at) => store.get(at) === text)).toBe(true);
      expect(store.get(all.length)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test('Texts that fill a page to its end are followed by empty ones', () => {
  const store = new StringStore();
  const mebibyte = 'a'.repeat(1024 * 1024);
  const texts = [mebibyte, mebibyte, mebibyte, mebibyte.slice(1), '', '', 'b', ''];
  for (const text of texts) store.add(text);
  expect(texts.map((_, at) => store.get(at) === texts[at])).toEqual(texts.map(() => true));
});

test('A text longer than a page is not taken', () => {
  const store = new StringStore();
  expect(store.add('a'.repeat(5 * 1024 * 1024))).toBe(false);
  expect(store.count).toBe(0);
});
