import { describe, expect, test } from 'vitest';
import { isAggregate } from '../../../src/input/workbook/aggregate-formula.ts';
import { listed } from '../../support/tables.ts';

describe('a formula over several rows', () => {
  test.each(
    listed(`
      SUM(D2:D120) | sum($D$2:$D$120) | COUNTA(A2:A26)&" guests" | SUBTOTAL(109,Guests[Tickets]) |
      ROUND(AVERAGE(C2:C9),1) | COUNT(A:A) | _xlfn.AGGREGATE(9,5,D2:D120) | SUM(D2:D3)+SUM(D5:D9)
    `),
  )('is %s', (formula) => {
    expect(isAggregate(formula)).toBe(true);
  });

  test.each([
    '',
    ...listed(`
      D2+D3 | SUM(B7:E7) | SUM($B7:$E7) | SUM(Guests[@Tickets]) | SUM(Guests[[#This Row],[A]:[B]]) |
      COUNTIF($A$2:$A$99,A5) | SUMIF(A2:A9,"x",B2:B9) | VLOOKUP(A2,Sheet2!A1:B99,2) | D2:D120
    `),
  ])('is not %j', (formula) => {
    expect(isAggregate(formula)).toBe(false);
  });
});
