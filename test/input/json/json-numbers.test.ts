import { describe, expect, test } from 'vitest';
import { losesDigits } from '../../../src/input/json/check-values.ts';
import { readString } from '../open-text.ts';
import { listed } from '../../support/tables.ts';
import * as fc from 'fast-check';

describe('a number in JSON', () => {
  test.each(
    listed(`
      0 | -0.0 | 1.50 | 0.000123 | 123456789012345 | 1e21 | 1.5E-300 | 100000000000000000000 | 5e-324 |
      0.30000000000000004
    `),
  )('%s is read to its last digit', (number) => {
    expect(losesDigits(`{"a": ${number}}`)).toBe(false);
  });

  test.each(
    listed(`
      0.30000000000000003 | 7.0000000000000001 | 1234567890.12345678901 | 1e-400 | -0.5e-999 |
      12345678901234567
    `),
  )('%s is not', (number) => {
    expect(losesDigits(`{"a": [1, ${number}]}`)).toBe(true);
    expect(losesDigits(`{"a": "${number}", "${number}\\"": "\\\\"}`)).toBe(false);
  });

  test('is, when a program wrote it or it has 15 digits at most', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, fc.integer({ min: 1, max: 15 }), (value, digits) => {
        expect(losesDigits(JSON.stringify([value]))).toBe(false);
        const short = value.toPrecision(digits);
        // Below 1e-307 a double has fewer digits.
        if (Math.abs(value) > 1e-307) expect(losesDigits(`[${short}]`)).toBe(!Number.isFinite(Number(short)));
      }),
    );
  });

  test('refuses its row when it would be rounded', async () => {
    const { rows, rejects } = await readString('[{"a": 0.123456789012345678},\n{"a": 0.5}]', 'a.json');
    expect(rows.map(({ place }) => place.line)).toEqual([2]);
    expect(rejects.map(({ place, reasons }) => [place.line, reasons[0]?.problem])).toEqual([
      [1, 'holds a number of too many digits, which would be rounded'],
    ]);
  });
});
