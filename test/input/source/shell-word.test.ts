import { expect, test } from 'vitest';
import { shellWord } from '../../../src/input/source/shell-word.ts';

test.each([
  ['First name', '"First name"', '"First name"'],
  ['C:\\Gäste\\May.xlsx', "'C:\\Gäste\\May.xlsx'", '"C:\\Gäste\\May.xlsx"'],
  ["O'Brien & $ons", `'O'\\''Brien & $ons'`, `'O''Brien & $ons'`],
  ['Really!', "'Really!'", '"Really!"'],
])('%s is the one word %s, and %s on Windows', (text, posix, windows) => {
  expect([shellWord(text, 'linux'), shellWord(text, 'win32')]).toEqual([posix, windows]);
});
