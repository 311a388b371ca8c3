import { describe, expect, it } from 'vitest';
import { type DateOrder, isBareSerial, shownOrder } from '../../../src/registration/rules/date-forms.ts';
import type { ColumnDecision } from '../../../src/registration/repairs/repair-options.ts';
import { readOne } from '../read-cells.ts';

const DAY = 'date written as yyyy-mm-dd';
const TIME = 'date written as yyyy-mm-dd hh:MM:ss';
const NO_FORM = 'is not in the format yyyy-mm-dd';
const NO_DAY = 'names a day that does not exist';

const decided = (dateOrder: DateOrder | undefined, dateConflict?: ColumnDecision['dateConflict']) => ({
  decisions: new Map([['date', { dateOrder, dateConflict }]]),
});

describe('a date', () => {
  it.each(['2026-02-26', '2026-02-26 10:30:00', '1900-01-01'])('%s stays as it is', (text) => {
    expect(readOne('date', text)).toEqual({ value: text, repair: undefined });
  });

  it.each([
    ['2026/2/6', '2026-02-06', DAY],
    ['2026.02.06', '2026-02-06', DAY],
    ['2026-2-6', '2026-02-06', DAY],
    ['20260226', '2026-02-26', DAY],
    ['2026-02-26T10:00:00', '2026-02-26 10:00:00', TIME],
    ['2026-02-26T10:00:00.000', '2026-02-26 10:00:00', TIME],
    ['2026-02-26 10:00', '2026-02-26 10:00:00', TIME],
    ['2026-02-26 9:05', '2026-02-26 09:05:00', TIME],
    ['20260226 10:30', '2026-02-26 10:30:00', TIME],
    ['05/05/2026', '2026-05-05', DAY],
    ['26 Feb 2026', '2026-02-26', DAY],
    ['26-feb-2026', '2026-02-26', DAY],
    ['26/Feb/2026', '2026-02-26', DAY],
    ['2026-Feb-26', '2026-02-26', DAY],
    ['February 26, 2026', '2026-02-26', DAY],
    ['Feb 26 2026', '2026-02-26', DAY],
    ['26th of February 2026', '2026-02-26', DAY],
    ['February 1st, 2026 10:30', '2026-02-01 10:30:00', TIME],
    ['26 de febrero de 2026', '2026-02-26', DAY],
    ['26 DE FEBRERO DEL 2026', '2026-02-26', DAY],
    ['1er mars 2026', '2026-03-01', DAY],
    ['15 août 2026', '2026-08-15', DAY],
    ['15 déc. 2026', '2026-12-15', DAY],
    ['26. Februar 2026', '2026-02-26', DAY],
    ['3. März 2026', '2026-03-03', DAY],
    ['1º maggio 2026', '2026-05-01', DAY],
    ['2 de março de 2026', '2026-03-02', DAY],
    ['31 out. 2026, 10:30:15', '2026-10-31 10:30:15', TIME],
  ])('%s is sent as %s', (text, value, repair) => {
    expect(readOne('date', text)).toEqual({ value, repair });
  });

  it.each([
    ['26/02/26', 'has a year of two digits'],
    ['26 Feb 26', NO_FORM],
    ['31 Feb 2026', NO_FORM],
    ['2026/2/30', NO_FORM],
    ['2026-02-26T10:00:00Z', 'has a time zone'],
    ['2026-02-26T10:00:00+01:00', 'has a time zone'],
    ['2026-02-26 25:00', 'names a time that does not exist'],
    ['26 Smarch 2026', NO_FORM],
    ['Feb 2026', NO_FORM],
    ['1/26 Feb 2026', NO_FORM],
    ['31/31/2026', NO_DAY],
    ['2026', NO_FORM],
  ])('%s is refused: %s', (text, problem) => {
    expect(readOne('date', text, { dateOrder: 'dmy' })).toMatchObject({ problem });
  });
});

describe('a date with the year at its end', () => {
  it.each(['26/02/2026', '02/26/2026', '03/04/2026', '3.4.2026', '3-4-2026 10:30'])(
    '%s is never guessed alone',
    (text) => {
      expect(readOne('date', text)).toHaveProperty('problem');
    },
  );

  it.each<readonly [string, DateOrder, string]>([
    ['3/4/2026', 'dmy', '2026-04-03'],
    ['3/4/2026', 'mdy', '2026-03-04'],
    ['03.04.2026', 'dmy', '2026-04-03'],
    ['03-04-2026', 'mdy', '2026-03-04'],
    ['26/02/2026', 'dmy', '2026-02-26'],
    ['26/02/2026 10:30', 'dmy', '2026-02-26 10:30:00'],
    ['2/26/2026 10:30:15', 'mdy', '2026-02-26 10:30:15'],
  ])('%s in a column that is %s is sent as %s', (text, order, value) => {
    expect(readOne('date', text, { dateOrder: order })).toMatchObject({ value });
    expect(readOne('date', text, decided(order))).toMatchObject({ value });
  });

  it('that cannot be of the order is refused', () => {
    expect(readOne('date', '02/26/2026', { dateOrder: 'dmy' })).toEqual({
      problem: 'has no day in front, as dates of its column have',
      remedy: 'write it as yyyy-mm-dd',
    });
    expect(readOne('date', '26/02/2026', decided('mdy'))).toMatchObject({
      problem: 'has no month in front, as dates of its column have',
    });
    expect(readOne('date', '31/02/2026', { dateOrder: 'dmy' })).toMatchObject({ problem: NO_DAY });
  });

  it('is refused in a column that shows both orders, unless --set date-order decides', () => {
    const conflict = decided(undefined, ['a.csv:4', 'a.csv:9']);
    for (const text of ['26/02/2026', '03/04/2026', '05/05/2026']) {
      expect(readOne('date', text, conflict)).toMatchObject({
        problem: 'stands in a column with both orders of day and month, as a.csv:4 and a.csv:9 show',
      });
    }
    expect(readOne('date', '2026/2/6', conflict)).toMatchObject({ value: '2026-02-06' });
    expect(readOne('date', '03/04/2026', { ...conflict, dateOrder: 'dmy' })).toMatchObject({
      value: '2026-04-03',
    });
  });

  it('goes by what the column shows before --set date-order', () => {
    for (const text of ['03/13/2026', '03/04/2026']) {
      expect(readOne('date', text, { ...decided('mdy'), dateOrder: 'dmy' })).toEqual(
        readOne('date', text, { dateOrder: 'mdy' }),
      );
    }
    expect(readOne('date', '03/04/2026', { ...decided(undefined), dateOrder: 'dmy' })).toMatchObject({
      value: '2026-04-03',
    });
  });

  it.each([
    ['26/02/2026', 'dmy'],
    ['02/26/2026', 'mdy'],
    ['3.4.2026 10:30', 'dotted'],
    ['3/4/2026 10:30', 'either'],
    ['26.2.26 10:30', 'dmy'],
    ['05/05/2026', undefined],
    ['31/31/2026', undefined],
    ['2026-02-26', undefined],
    ['3/4.2026', undefined],
    [`${'1/'.repeat(50_000)}2026`, undefined],
  ])('%.20s shows the order %s', (text, order) => {
    expect(shownOrder(text)).toBe(order);
  });
});

describe('a bare number in a date column', () => {
  it.each<readonly ['1900' | '1904', string, string]>([
    ['1900', '46079', '2026-02-26'],
    ['1900', '46079.4375', '2026-02-26 10:30:00'],
    ['1904', '44617', '2026-02-26'],
  ])('counts days since %s: %s is %s', (dateSerials, text, value) => {
    expect(readOne('date', text, { dateSerials })).toEqual({
      value,
      repair: 'number of a day written as its date',
    });
  });

  it('is refused as long as nobody says since when', () => {
    expect(readOne('date', '46079')).toMatchObject({
      problem: 'is the number by which a spreadsheet stores a date',
    });
  });

  it('of other than five digits may be a year', () => {
    expect(['1985', '123456', '4607', '46079.'].map(isBareSerial)).toEqual([false, false, false, false]);
    expect(readOne('date', '1985', { dateSerials: '1900' })).toMatchObject({ problem: NO_FORM });
  });
});
