import { describe, expect, test } from 'vitest';
import { checkErrorText, mendCell } from '../../../src/registration/repairs/mend-value.ts';
import { DEFAULT_REPAIRS } from '../../../src/registration/repairs/repair-options.ts';

describe('a text that is the error of a spreadsheet program', () => {
  test.each(['#N/A', ' #REF! ', '#DIV/0!', '#NAME?', '#NV', '#BEZUG!', '#¡VALOR!', '#¿NOMBRE?', 'Err:502'])(
    '%s is damage',
    (text) => {
      expect(checkErrorText(text)?.problem).toBe(
        'is an error of the spreadsheet that the file was made with',
      );
    },
  );

  test('is told from signs of a column that is too narrow', () => {
    expect(checkErrorText('########')?.problem).toBe(
      'is what a spreadsheet shows when a column is too narrow',
    );
  });

  test.each(['', '#', '###', '#1 Sons', '#N/A Records', '#n/a', 'N/A', 'Err:5', 'see #REF! below', '####x'])(
    '%j is none',
    (text) => {
      expect(checkErrorText(text)).toBeUndefined();
    },
  );

  test.each(['barcode', 'phone', 'numeric', 'date', 'text', 'name', 'email', 'country'] as const)(
    'is refused in %s',
    (kind) => {
      const at = { column: 'A', cell: '#N/A' };
      const read = mendCell(at, { kind, name: 'a' }, DEFAULT_REPAIRS);
      expect(read).toMatchObject({ ok: false, finding: checkErrorText('#N/A') });
    },
  );

  test('is found in no more time than its length takes', () => {
    for (const text of [' '.repeat(200_000), '#'.repeat(200_000), `${'#'.repeat(200_000)} x`]) {
      expect(() => checkErrorText(text)).not.toThrow();
    }
  });
});
