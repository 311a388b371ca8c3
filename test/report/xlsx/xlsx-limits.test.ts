import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkColumns, legalSheetName } from '../../../src/report/xlsx/sheet-writer.ts';
import { columnLetters } from '../../../src/registration/model/sheet-cell.ts';
import { anyText } from '../arbitrary-text.ts';

describe('legalSheetName', () => {
  it.each([
    ['Visitor', 'Visitor'],
    ['VIP/Press [2027]: a*b?\\', 'VIP_Press _2027__ a_b__'],
    ["'Guests'", 'Guests'],
    ['', 'Registrations'],
    [' \n', 'Registrations'],
    ['History', 'Registrations'],
    ['_Fields', 'Registrations'],
    ['x'.repeat(40), 'x'.repeat(31)],
    [`${'x'.repeat(30)}👩`, 'x'.repeat(30)],
  ])('%j becomes %j', (text, name) => {
    expect(legalSheetName(text)).toBe(name);
  });

  it('is legal whatever the text, and stays as it is', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const name = legalSheetName(text);
        expect(name).toMatch(/^(?!')[^[\]:*?/\\]{1,31}(?<!')$/);
        expect(legalSheetName(name)).toBe(name);
      }),
    );
  });
});

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
  [16_383, 'XFD'],
])('columnLetters: %d is %s', (column, letters) => {
  expect(columnLetters(column)).toBe(letters);
});

it('checkColumns refuses more columns than a sheet can hold', () => {
  expect(() => checkColumns(Array.from({ length: 16_385 }, String))).toThrow('more columns than a sheet');
  expect(() => checkColumns(Array.from({ length: 16_384 }, String))).not.toThrow();
});
