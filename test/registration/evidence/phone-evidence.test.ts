import { describe, expect, it } from 'vitest';
import { loadNationalPhones } from '../../../src/commands/push/push-repairs.ts';
import { PhoneEvidence, phoneQuestion } from '../../../src/registration/evidence/phone-evidence.ts';
import type { PhoneWish } from '../../../src/registration/repairs/repair-phone.ts';
import { paired } from '../../support/tables.ts';

const germany = await loadNationalPhones('DE');
const UNKNOWN: PhoneWish = { phones: germany.of(''), unsaid: true };

/** Evidence of numbers, each with the country that its row names; `hints`: of the addresses in its row. */
function seen(
  numbers: readonly (readonly [string, string?])[],
  wish = UNKNOWN,
  hints: readonly (readonly string[])[] = [],
): PhoneEvidence {
  const evidence = new PhoneEvidence('Handy', wish);
  for (const [at, [value, country]] of numbers.entries()) {
    const place = { file: 'a.csv', line: at + 2 };
    evidence.add({ place, value }, country === undefined ? [] : [country], () => hints[at] ?? []);
  }
  return evidence;
}

const ask = (evidence: PhoneEvidence) => phoneQuestion('a.csv', evidence, germany);

describe('numbers without a country code', () => {
  it('are open where one is refused as it is, or is dialled inside a country', () => {
    expect(seen([['0171 1234567']]).isOpen).toBe(true);
    expect(seen([['01711234567']]).isOpen).toBe(true);
    expect(seen([['600123456'], ['+34600123456'], ['0034600123456']]).isOpen).toBe(false);
    expect(seen([['-'], ['–']]).all).toBe(0);
    expect(seen([['0171 1234567']], { phones: germany }).isOpen).toBe(false);
  });

  it('are likely of the one country that several numbers and rows name', () => {
    const named = ask(seen([['0171 1234567', 'DE'], ['0171 1234568', 'DE'], ['030 123456']]));
    expect(named.text).toBe(
      'a.csv: 1 phone number has no country code in "Handy" and cannot be sent so. Which country are they of?',
    );
    expect(named.answers[0]).toEqual({
      label: 'Germany (DE): 1 of 1 fit',
      flag: undefined,
      option: 'phones',
      value: ['Handy', 'DE'],
    });
    const coded = ask(seen([['600 123 456'], ['+34 600 123 457'], ['0034600123458']]));
    expect(coded.answers[0]).toMatchObject({ label: 'Spain (ES): 1 of 1 fit', value: ['Handy', 'ES'] });
    expect(coded.answers.slice(-2).map(({ value }) => value)).toEqual([
      ['Handy', 'rows'],
      ['Handy', 'blank'],
    ]);
    for (const { leavesOut } of [named, coded]) expect(leavesOut).toBeUndefined();
  });

  it.each([
    ['one number shows it', [['0664 1234567'], ['06 12 34 56 78'], ['+49 171 1234567']], 'DE'],
    ['one row names it', [['0664 1234567', 'AT'], ['0171 1234567']], 'AT'],
    ['rows name others', [['0664 1234567', 'AT'], ['06 12 34 56 78', 'FR'], ['0171 1234567']], 'AT'],
    [
      'it fits few',
      [['600 123 456'], ['6001'], ['6 002'], ['6003'], ['+34600123457'], ['+34600123458']],
      'ES',
    ],
    ['nothing names any', [['07911 123456'], ['07911 123457']], 'DE'],
    ['many take such numbers', [['0171 1112223'], ['0171 2223334']], 'DE'],
  ] as const)(
    'are likely of none where %s: leaving them blank is first, the ranking is the same',
    (_, rows, next) => {
      const { answers, leavesOut } = ask(seen(rows));
      expect(leavesOut).toMatch(/^\d phone numbers? in "Handy"$/);
      expect(answers.slice(0, 2).map(({ value }) => value)).toEqual([
        ['Handy', 'blank'],
        ['Handy', next],
      ]);
    },
  );

  it('are not asked about in rows that name a country: they fit it, are refused, or are digits that stay', () => {
    const rows = seen(
      paired('0171 1234567 → DE | 06 12 34 56 78 → FR | 07911 12345 → GB | 34600123456 → GB'),
    );
    expect([rows.isOpen, rows.all, rows.international]).toEqual([
      false,
      1,
      ['+491711234567', '+33612345678'],
    ]);
  });

  it('are likely of a country that fits most, which digits behind its code name, too', () => {
    const first = (...numbers: string[]) => ask(seen(numbers.map((one) => [one]))).answers[0]?.value;
    expect(first('600 123 456', '6001', '+34600123457', '+34600123458')).toEqual(['Handy', 'ES']);
    expect(first('0171 1112223', '49 171 1112227', '+49 171 1112255')).toEqual(['Handy', 'DE']);
    expect(first('0171 1112223', '49 171 1112227')).toEqual(['Handy', 'blank']);
  });

  it('are likelier of a country of which all are than of one of which most are', () => {
    const { answers } = ask(seen([['07911 123456'], ['07911 123457'], ['07911 12345']]));
    expect(answers.map(({ value }) => (value as string[])[1])[1]).toBe('DE');
  });

  it('are likely of the one country where the addresses of several rows are', () => {
    const numbers = [['0171 1112223'], ['0171 2223334'], ['0171 3334445']] as const;
    const first = (...hints: string[][]) => ask(seen(numbers, UNKNOWN, hints)).answers[0]?.value;
    expect(first(['DE'], [], ['DE'])).toEqual(['Handy', 'DE']);
    expect(first(['DE'], [], [])).toEqual(['Handy', 'blank']);
    expect(first(['DE'], ['DE'], ['AT'])).toEqual(['Handy', 'blank']);
    expect(first(['ES'], ['ES'], [])).toEqual(['Handy', 'blank']);
    const beside = seen([...numbers, ['+49 171 4445556']], UNKNOWN, [[], ['DE'], []]);
    expect(ask(beside).answers[0]?.value).toEqual(['Handy', 'DE']);
  });

  it('stay as they are where they can be sent so, and nothing tells of where they are', () => {
    expect(ask(seen([['01711112223'], ['01712223334']])).answers[0]?.value).toEqual(['Handy', 'rows']);
  });

  it('are not asked about again where rows were said to name their country, or none was', () => {
    const numbers = [['0171 1234567', 'DE'], ['06 12 34 56 78']] as const;
    for (const phones of [germany.of(''), undefined]) expect(seen(numbers, { phones }).isOpen).toBe(false);
  });

  it('have their code where no number of the column is written otherwise', () => {
    const areCoded = (...numbers: string[]) =>
      seen(
        numbers.map((number) => [number]),
        { phones: germany },
      ).areCoded;
    expect(areCoded('0171 1234567', '491711234567')).toBe(true);
    expect(areCoded('1711234567', '491711234567')).toBe(false);
    expect(areCoded('0171 1234567', '1711234567')).toBe(false);
  });
});
