import { describe, expect, it } from 'vitest';
import { loadNationalPhones } from '../../../src/commands/push/load-national-phones.ts';
import { PhoneEvidence } from '../../../src/registration/evidence/phone-evidence.ts';
import { phoneQuestion } from '../../../src/registration/evidence/phone-question.ts';
import type { PhoneWish } from '../../../src/registration/repairs/national-phones.ts';

const germany = await loadNationalPhones('DE');
const UNKNOWN: PhoneWish = { phones: undefined, coded: undefined };

/** Evidence of numbers, each with the country that its row names. */
function seen(numbers: readonly (readonly [string, string?])[], wish = UNKNOWN): PhoneEvidence {
  const evidence = new PhoneEvidence('Handy', wish);
  for (const [at, [value, country]] of numbers.entries()) {
    evidence.add({ place: { file: 'a.csv', line: at + 2 }, value }, country === undefined ? [] : [country]);
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
    expect(seen([['0171 1234567']], { phones: germany, coded: undefined }).isOpen).toBe(false);
  });

  it('are asked about with the likeliest country first: what rows name, then the codes of others', () => {
    const named = ask(
      seen([['0171 1234567', 'DE'], ['0171 1234568', 'DE'], ['06 12 34 56 78', 'FR'], ['030 123456']]),
    );
    expect(named.text).toBe(
      'a.csv: 4 phone numbers have no country code in "Handy" and cannot be sent so. Which country are they of?',
    );
    expect(named.answers[0]).toEqual({
      label: 'the one that each row names, else Germany (DE): 4 of 4 fit',
      flag: undefined,
      option: 'phones',
      value: ['Handy', 'DE'],
    });
    expect(named.answers[1]?.value).toEqual(['Handy', 'FR']);
    const coded = ask(seen([['600 123 456'], ['+34 600 123 457'], ['0034600123458']]));
    expect(coded.answers[0]).toMatchObject({ label: 'Spain (ES): 1 of 1 fit', value: ['Handy', 'ES'] });
    expect(coded.answers.at(-1)?.value).toEqual(['Handy', 'none']);
  });

  it('need no other country where each is one of the country that its row names', () => {
    const { answers } = ask(
      seen([
        ['0171 1234567', 'DE'],
        ['06 12 34 56 78', 'FR'],
        ['0171 1234568', 'DE'],
      ]),
    );
    expect(answers.map(({ label, value }) => [label, value])).toEqual([
      ['the one that each row names: 3 of 3 fit', ['Handy', 'rows']],
      ['none of these: leave them as they are', ['Handy', 'none']],
    ]);
  });

  it('of rows that name a country are of no other: what does not fit is told, and no country gains by it', () => {
    const british = (numbers: readonly string[]) => numbers.map((number) => [number, 'GB'] as const);
    const told = ask(seen(british(['07911 123456', '07911 12345', '07911 1234567'])));
    expect(told.details).toEqual([
      'a.csv:3: is too short for the United Kingdom',
      'a.csv:4: is too long for the United Kingdom',
    ]);
    expect(told.answers.map(({ label }) => label)).toEqual([
      'the one that each row names: 1 of 3 fit',
      'none of these: leave them as they are',
    ]);
    const open = ask(
      seen([...british(['07911 123456', '07911 123457']), ['0171 1234567', 'DE'], ['07911 12345']]),
    );
    expect(open.answers.map(({ label }) => label).slice(0, 2)).toEqual([
      'the one that each row names, else United Kingdom (GB): 3 of 4 fit',
      'the one that each row names, else Germany (DE): 4 of 4 fit',
    ]);
  });

  it('are likelier of a country that they fit to the digit than of one that takes any length', () => {
    const { answers } = ask(seen([['07911 123456'], ['07911 123457'], ['07911 12345']]));
    const said = answers.map(({ value }) => (value as string[])[1]);
    expect(said[0]).toBe('GB');
    expect(said).not.toContain('DE');
  });

  it('are open again where rows were said to name their country, and one does not', () => {
    const rows: PhoneWish = { phones: germany.of(''), coded: undefined };
    expect(seen([['0171 1234567', 'DE']], rows).isOpen).toBe(false);
    const open = seen([['0171 1234567', 'DE'], ['06 12 34 56 78']], rows);
    expect([open.isOpen, open.all]).toEqual([true, 1]);
    expect(seen([['612345678']], rows).unasked()).toContain('1 phone number has no country code');
  });

  it('are asked about with counts where some may have their code already', () => {
    const { answers } = ask(
      seen([
        ['0171 1234567', 'DE'],
        ['491711234567', 'DE'],
        ['491711234568', 'DE'],
      ]),
    );
    expect(answers.slice(0, 2)).toMatchObject([
      {
        label:
          'the one that each row names: 3 of 3 fit; the 2 that begin with the country code have it already',
        value: ['Handy', '+rows'],
      },
      { value: ['Handy', '-rows'] },
    ]);
  });

  it('have their code where no number of the column is written otherwise, and are open where one is', () => {
    const wish: PhoneWish = { phones: germany, coded: undefined };
    const certain = seen([['0171 1234567'], ['491711234567']], wish);
    expect([certain.coded, certain.isOpen]).toEqual([true, false]);
    const open = seen([['1711234567'], ['491711234567']], wish);
    expect([open.coded, open.isOpen]).toEqual([undefined, true]);
    const none = seen([['0171 1234567'], ['1711234567']], wish);
    expect([none.coded, none.isOpen]).toEqual([undefined, false]);
    expect(seen([['1711234567'], ['491711234567']], { ...wish, coded: false }).isOpen).toBe(false);
  });
});
