import { describe, expect, test } from 'vitest';
import { isReservedName } from '../../../src/commands/terminal/output-file.ts';

describe('a file that is to be written', () => {
  test.each([
    'CON',
    'nul',
    'NUL.xlsx',
    'lists\\aux.csv',
    'C:\\Gäste\\com1.tar.gz',
    'LPT³',
    'prn .csv',
    'conout$',
    'guests.',
    'guests ',
    'guests.csv:hidden',
  ])('is not called %s on Windows, but may be elsewhere', (file) => {
    expect([
      isReservedName(file, 'win32'),
      isReservedName(file, 'linux'),
      isReservedName(file, 'darwin'),
    ]).toEqual([true, false, false]);
  });

  test.each([
    'guests.xlsx',
    'C:guests.xlsx',
    'C:\\Users\\Jörg Müller\\Gäste 2027.xlsx',
    '\\\\server\\share\\guests.csv',
    '\\\\?\\C:\\long\\guests.csv',
    'CON\\guests.csv',
    'console.csv',
    'com10.csv',
    'lists/.csv',
  ])('may be called %s on Windows', (file) => {
    expect(isReservedName(file, 'win32')).toBe(false);
  });
});
