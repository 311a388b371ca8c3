import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_KINDS, type FieldKind } from '../../../src/registration/model/persona.ts';
import { serialDate } from '../../../src/registration/repairs/serial-date.ts';
import type { SheetCell } from '../../../src/registration/model/sheet-cell.ts';
import { numberCell, readOne, sheetCell } from '../read-cells.ts';
import { listed } from '../../support/tables.ts';

const AS_TEXT = 'format the column as Text and export again';
const DIGITS = 'number read as its digits';
const ZEROS = 'zeros of the number format written out';
const DATE = 'date of the workbook written out';
const TIME = 'time of the workbook written out';
const date = { code: 'dd/mm/yyyy', kind: 'date' } as const;
const datetime = { code: 'dd/mm/yyyy hh:mm', kind: 'datetime' } as const;
const time = { code: 'h:mm:ss', kind: 'time' } as const;
const clock = { code: 'h:mm', kind: 'clock' } as const;
const span = { code: '[h]:mm', kind: 'span' } as const;
const zeros = { code: '0000000', zeros: 7 };

type Kind = FieldKind | 'barcode';

describe('a cell of a workbook that is no text', () => {
  it.each<readonly [Kind, SheetCell, unknown, string | undefined]>([
    ['barcode', numberCell('5901234123457'), '5901234123457', undefined],
    ['barcode', numberCell('5.901234123457E12'), '5901234123457', DIGITS],
    ['barcode', numberCell('123456789012345'), '123456789012345', undefined],
    ['barcode', numberCell('12345.0'), '12345', DIGITS],
    ['barcode', numberCell('42', zeros), '0000042', ZEROS],
    ['barcode', numberCell('4.2E1', zeros), '0000042', `${DIGITS}, ${ZEROS}`],
    ['barcode', numberCell('12', { kind: 'text', code: '@' }), '12', undefined],
    ['phone', numberCell('34600000000'), '34600000000', undefined],
    [
      'phone',
      numberCell('6.12345678E8', { code: '0000000000', zeros: 10 }),
      '0612345678',
      `${DIGITS}, ${ZEROS}`,
    ],
    ['numeric', numberCell('7'), '7', undefined],
    ['numeric', numberCell('7', zeros), '7', undefined],
    ['text', numberCell('8001', { code: '00000', zeros: 5 }), '08001', ZEROS],
    ['text', numberCell('5.0999999999999996'), '5.1', DIGITS],
    ['text', numberCell('-0.5'), '-0.5', undefined],
    ['name', numberCell('7'), '7', undefined],
    ['text', numberCell('46079', date), '2026-02-26', DATE],
    ['text', numberCell('0.4375', time), '10:30:00', TIME],
    ['text', numberCell('1.5', span), '36:00:00', TIME],
    ['text', numberCell('1.5', time), '12:00:00', TIME],
    ['text', numberCell('46448.5625', clock), '13:30', TIME],
    ['text', numberCell('46448.5625', { ...clock, code: 'h:mm AM/PM' }), '13:30', TIME],
    ['text', numberCell('46448.5625', time), '13:30:00', TIME],
    ['text', numberCell('0.9999999', clock), '00:00', TIME],
    ['text', numberCell('0.5628472222', clock), '13:30', TIME],
    ['text', sheetCell('boolean', '1'), 'TRUE', undefined],
    ['name', sheetCell('boolean', 'true'), 'TRUE', undefined],
    ['text', sheetCell('boolean', '0'), 'FALSE', undefined],
    ['choice', sheetCell('boolean', '1'), 'true', 'written as the allowed value is'],
    ['choice', numberCell('1'), '1', undefined],
    ['date', numberCell('46079', date), '2026-02-26', DATE],
    ['date', numberCell('46079.375', date), '2026-02-26', `${DATE}, time of day left out`],
    ['text', numberCell('46079.4375', date), '2026-02-26', DATE],
    ['text', numberCell('46079.9999', date), '2026-02-27', DATE],
    ['date', numberCell('46079', datetime), '2026-02-26', DATE],
    ['text', numberCell('46079', datetime), '2026-02-26 00:00:00', DATE],
    ['date', numberCell('46079.4374999999', datetime), '2026-02-26 10:30:00', DATE],
    ['date', numberCell('44617', date, true), '2026-02-26', DATE],
    ['date', sheetCell('date', '2026-02-26'), '2026-02-26', undefined],
    ['date', sheetCell('date', '2026-02-26T00:00:00'), '2026-02-26', DATE],
    ['date', sheetCell('date', '2026-02-26T10:30:00.000'), '2026-02-26 10:30:00', DATE],
    ['date', sheetCell('date', '2026-12-31T23:59:59.700'), '2027-01-01 00:00:00', DATE],
    ['date', numberCell('20260226'), '2026-02-26', 'date written as yyyy-mm-dd'],
  ])('in %s, %j is sent as %j (%s)', (kind, cell, value, repair) => {
    expect(readOne(kind, cell, {}, { choices: ['1', '2', 'true'] })).toEqual({ value, repair });
  });

  it.each<readonly [Kind, SheetCell, string, string | undefined]>([
    ['barcode', numberCell('1000000000000000'), 'is a number too long to be read exactly', AS_TEXT],
    ['barcode', numberCell('1.2345678901234567E19'), 'is a number too long to be read exactly', AS_TEXT],
    ['barcode', numberCell('12.5'), 'is not a whole number', AS_TEXT],
    ['barcode', numberCell('-5'), 'is not a whole number', AS_TEXT],
    ['barcode', numberCell('46079', date), 'is a date', AS_TEXT],
    ['phone', numberCell('600000000.5'), 'is not a whole number', AS_TEXT],
    ['phone', numberCell('0.5', time), 'is a time', AS_TEXT],
    ['numeric', numberCell('46079', date), 'is a date', AS_TEXT],
    ['numeric', numberCell('12.5'), 'is not a whole number', 'write digits only'],
    ['numeric', numberCell('-5'), 'is negative, and only digits are accepted', 'write digits only'],
    ['text', numberCell('1e-9'), 'is a number too long to be read exactly', 'write it as text'],
    ['text', numberCell('1e16'), 'is a number too long to be read exactly', AS_TEXT],
    ['text', numberCell('nonsense'), 'is a number too long to be read exactly', AS_TEXT],
    [
      'date',
      numberCell('60', date),
      'is 29 February 1900, a day that never was',
      'write the day as yyyy-mm-dd',
    ],
    ['date', numberCell('-1', date), 'is a number for which there is no day', 'write the day as yyyy-mm-dd'],
    [
      'date',
      numberCell('2958466', date),
      'is a number for which there is no day',
      'write the day as yyyy-mm-dd',
    ],
    ['date', numberCell('x', date), 'is a number for which there is no day', 'write the day as yyyy-mm-dd'],
    ['date', numberCell('0.5', time), 'shows a time without a date', 'write it as yyyy-mm-dd hh:MM:ss'],
    [
      'date',
      sheetCell('date', '2026-02-30'),
      'is a date that the workbook stores in a form of its own',
      'write it as yyyy-mm-dd, as text',
    ],
    [
      'date',
      numberCell('46079'),
      'is the number by which a spreadsheet stores a date',
      'format the column as yyyy-mm-dd and export again',
    ],
  ])('in %s, %j is refused: %s', (kind, cell, problem, remedy) => {
    expect(readOne(kind, cell)).toEqual({ problem, remedy });
  });

  it.each<readonly [Kind, string, string, string]>([
    ['barcode', '#,##0', '612345678', '612345678'],
    ['barcode', '0.00E+00', '612345678', '612345678'],
    ['barcode', '##0.0E+0', '612345678', '612345678'],
    ['barcode', '???0', '12', '12'],
    ['barcode', 'general', '12', '12'],
    ['barcode', '0000"', '12', '12'],
    ['barcode', '[Red][$-409]_-* #,##0_-;"EAN "0', '12', '12'],
    ['barcode', '#,##0 ;(#,##0)', '12', '12'],
    ['phone', '00 00 00 00 00', '612345678', '0612345678'],
    ['phone', '00\\.00\\.00\\.00\\.00', '612345678', '0612345678'],
    ['phone', '00"/"00"-"00" "00.00', '612345', '00612345'],
    ['phone', '[<=9999999]###-####;(###) ###-####', '5550100', '5550100'],
    ['phone', '(000) 000-0000E+00', '12345', '0000012345'],
    ['text', '#,##0.00', '12', '12'],
    ['name', '000-000', '12', '12'],
    ['numeric', '000-000', '12', '12'],
  ])('in %s, with the format %s the number %s is sent as %s', (kind, code, stored, value) => {
    const repair = value === stored ? undefined : ZEROS;
    expect(readOne(kind, numberCell(stored, { code }))).toEqual({ value, repair });
  });

  const more = (code: string) => ({
    problem: `shows more than its digits (number format ${code})`,
    remedy: 'format the column as Text, and type what the sheet shows',
  });

  it.each<readonly [Kind, codes: string]>([
    [
      'barcode',
      '00 00 | 000-000 | 0000\\.0000 | # ?/? | 0% | [<1000]000;"X"0000 | [<=99999]00000;00000-0000',
    ],
    ['barcode', '"HTF27-"0000 | [$HTF-]0000'],
    ['phone', '[<1000]000;"X"0000 | "HTF27-"0000 | \\T0000 | 0000"general" | +#'],
    ['text', '"HTF27-"0000 | 0%'],
    ['name', '[$€-407] 0'],
  ])('in %s, a number with the format %s is refused', (kind, codes) => {
    for (const code of listed(codes)) {
      expect(readOne(kind, numberCell('61234', { code }))).toEqual(more(code));
    }
  });

  it('is refused in a format too long for any program, without showing all of it', () => {
    const long = '0'.repeat(100_000);
    expect(readOne('barcode', numberCell('12', { code: long }))).toEqual(more(`${long.slice(0, 40)}…`));
  });

  it.each<Kind | 'parent_barcode'>(['barcode', 'parent_barcode', 'phone', 'numeric', 'date'])(
    'that is TRUE is refused in %s',
    (kind) => {
      expect(readOne(kind, sheetCell('boolean', '1'))).toEqual({
        problem: 'is TRUE or FALSE, not a value of this column',
        remedy: 'write the value, or empty the cell',
      });
    },
  );

  it.each<Kind | 'parent_barcode'>([...FIELD_KINDS, 'barcode', 'parent_barcode'])(
    'that is an error or an empty formula is refused in %s',
    (kind) => {
      expect(readOne(kind, sheetCell('error', '#N/A'))).toEqual({
        problem: 'holds the error #N/A',
        remedy: 'mend the formula, or empty the cell',
      });
      expect(readOne(kind, sheetCell('missing', ''))).toMatchObject({
        problem: 'is a formula without a stored value',
      });
    },
  );
});

describe('the day of a serial', () => {
  it.each<readonly [number, boolean, string]>([
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [61, false, '1900-03-01'],
    [2_958_465, false, '9999-12-31'],
    [0, true, '1904-01-01'],
    [59, true, '1904-02-29'],
    [60, true, '1904-03-01'],
    [2_957_003, true, '9999-12-31'],
  ])('%d (1904: %s) is %s', (serial, date1904, day) => {
    expect(serialDate(serial, date1904, 'date')).toEqual({ ok: true, value: day });
  });

  it('is a day later for every next number, in both systems', () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_900_000 }), fc.boolean(), (serial, date1904) => {
        const [one, next] = [serialDate(serial, date1904, 'date'), serialDate(serial + 1, date1904, 'date')];
        expect(one.ok && next.ok && Date.parse(next.value) - Date.parse(one.value)).toBe(86_400_000);
      }),
    );
  });
});
