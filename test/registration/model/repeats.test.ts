import { expect, test } from 'vitest';
import { Repeats } from '../../../src/registration/model/maps.ts';

/** Reads texts, and tells how often each was made. */
function reader() {
  const counts = new Map<string, number>();
  const repeats = new Repeats<string>();
  const make = (text: string): string => {
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return `${text}!`;
  };
  return { counts, read: (text: string): string => repeats.of(text, make) };
}

test('what comes again is made once, also among many that do not', () => {
  const { counts, read } = reader();
  for (let n = 0; n < 1000; n += 1) {
    expect(read('a')).toBe('a!');
    expect(read(`other ${n}`)).toBe(`other ${n}!`);
  }
  expect(counts.get('a')).toBe(1);
});

test('where hardly anything comes again each is made anew', () => {
  const { counts, read } = reader();
  for (let n = 0; n < 1000; n += 1) read(String(n));
  expect([read('0'), read('999'), counts.get('0'), counts.get('999')]).toEqual(['0!', '999!', 2, 2]);
});
