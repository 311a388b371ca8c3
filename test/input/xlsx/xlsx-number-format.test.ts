import { describe, expect, test } from 'vitest';
import { readFormatCode } from '../../../src/input/workbook/format-code.ts';
import { builtInFormat } from '../../../src/input/xlsx/xlsx-styles.ts';
import { paired } from '../../support/tables.ts';
import * as fc from 'fast-check';

describe('the kind of a format code', () => {
  test.each([
    ['', 'number'],
    ...paired(`
      General → number | 0 → number | #,##0.00 → number | 0.00E+00 → number | ##0.0e-0 → number |
      # ?/? → number | 0% → number | [Red]0;[Blue]-0 → number | 0 "days" → number | "yyyy" → number |
      0\\d → number | 0_d → number | *y0 → number | [$€-407] #,##0.00 → number | 0;yyyy → number |
      General;General;General;@ → number | "unclosed yyyy → number | [unclosed yyyy → number |
      yyyy-mm-dd → date | DD/MM/YYYY → date | dd\\.mm\\.yyyy;@ → date | [$-409]d-mmm-yy;@ → date |
      [$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy → date | [$-404]e/m/d → date | yyyy"年"m"月"d"日" → date |
      mmm → date | m → date | yyyy-mm-dd hh:mm → datetime | d/m/yy h:mm AM/PM → datetime |
      [Red]dd/mm/yyyy hh:mm:ss.000 → datetime | h:mm → clock | [$-409]h:mm AM/PM;@ → clock |
      hh"h"mm" hours" → clock | mm:ss → time | h:mm:ss a/p → time | [h]:mm:ss → span | [mm]:ss → span |
      [ss] → span | @ → text | "No. "@ → text
    `),
  ])('%s is %s', (code, kind) => {
    expect(readFormatCode(code)).toMatchObject({ code, kind });
  });

  test('is found in no more than linear time, whatever the code', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('[]"\\;0@yhE+$-')) }), (code) => {
        expect(['number', 'date', 'datetime', 'time', 'clock', 'span', 'text']).toContain(
          readFormatCode(code).kind,
        );
      }),
    );
    expect(readFormatCode('["'.repeat(200_000)).kind).toBe('number');
    expect(readFormatCode('0'.repeat(200_000)).zeros).toBe(200_000);
  });
});

test.each([
  ['0000000', 7],
  ['0000000;@', 7],
  ['00', 2],
  ['[$-409]00000', 5],
  ['[Red]00000', 5],
  ['0', 0],
  ['000-0000', 0],
  ['00.00', 0],
  ['[<1000]000;0000', 0],
  ['"000"', 0],
  ['General', 0],
])('the zeros of %s are %i', (code, zeros) => {
  expect(readFormatCode(code).zeros).toBe(zeros);
});

test.each<[kind: string, ids: readonly number[]]>([
  ['number', [0, 2, 11, 40, 48, 163, Number.NaN]],
  ['date', [14, 17, 27, 36, 50, 58]],
  ['clock', [18]],
  ['time', [21, 45, 47]],
  ['datetime', [22]],
  ['span', [46]],
  ['text', [49]],
])('the built-in formats of kind %s are %j', (kind, ids) => {
  expect(ids.map((id) => builtInFormat(id).kind)).toEqual(ids.map(() => kind));
});
