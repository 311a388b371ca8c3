import { expect, test } from 'vitest';
import { Repeats } from '../../../src/registration/model/repeats.ts';

test('what comes again is made once, and what comes after very many others is made each time', () => {
  const made: string[] = [];
  const repeats = new Repeats<string>();
  const read = (text: string): string =>
    repeats.of(text, (own) => {
      made.push(own);
      return `${own}!`;
    });
  expect([read('a'), read('a'), made]).toEqual(['a!', 'a!', ['a']]);
  for (let n = 0; n < 1000; n += 1) read(`other ${n}`);
  made.length = 0;
  expect([read('a'), read('other 999'), read('other 999'), made]).toEqual([
    'a!',
    'other 999!',
    'other 999!',
    ['other 999', 'other 999'],
  ]);
});
