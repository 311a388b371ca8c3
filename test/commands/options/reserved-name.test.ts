import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deleteOptions } from '../../../src/commands/delete/delete-command.ts';
import { eventsOption, isReservedName, RESERVED } from '../../../src/commands/options/written-file.ts';
import { listed } from '../../support/tables.ts';

describe('a file that is to be written', () => {
  test.each([
    'guests ',
    ...listed(`
      CON | nul | NUL.xlsx | lists\\aux.csv | C:\\Gäste\\com1.tar.gz | LPT³ | prn .csv | conout$ | guests. |
      guests.csv:hidden
    `),
  ])('is not called %s on Windows, but may be elsewhere', (file) => {
    expect([
      isReservedName(file, 'win32'),
      isReservedName(file, 'linux'),
      isReservedName(file, 'darwin'),
    ]).toEqual([true, false, false]);
  });

  test.each(
    listed(`
      guests.xlsx | C:guests.xlsx | C:\\Users\\Jörg Müller\\Gäste 2027.xlsx |
      \\\\server\\share\\guests.csv | \\\\?\\C:\\long\\guests.csv | CON\\guests.csv | console.csv |
      com10.csv | lists/.csv
    `),
  )('may be called %s on Windows', (file) => {
    expect(isReservedName(file, 'win32')).toBe(false);
  });
});

describe('on Windows', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  beforeEach(() => void Object.defineProperty(process, 'platform', { ...platform, value: 'win32' }));
  afterEach(() => void Object.defineProperty(process, 'platform', platform));

  test.each([
    ['--events', (file: string) => eventsOption.events.safeParse(file)],
    ['--backup', (file: string) => deleteOptions.safeParse({ ids: ['1'], backup: file })],
  ])('%s takes no such name', (_flag, read) => {
    expect(read('guests.ndjson').success).toBe(true);
    expect(read('nul.ndjson').error?.issues.map(({ message }) => message)).toEqual([RESERVED]);
  });
});
