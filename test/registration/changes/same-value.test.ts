import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COUNTRY_CODES } from '../../../src/registration/rules/countries.ts';
import { FIELD_KINDS, type FieldKind } from '../../../src/registration/model/persona.ts';
import {
  canonicalValue,
  plainValue,
  sameValue,
  type ValueRules,
} from '../../../src/registration/changes/same-value.ts';

const rules = (kind: FieldKind): ValueRules => ({ kind, choices: [], multiple: false });

const CHOICES = [
  { value: 'gold', label: 'Gold ticket' },
  { value: 'silver', label: 'Silver; with lunch' },
  { value: '7', label: 'Day seven' },
  { value: 'a1', label: 'Other' },
  { value: 'a2', label: 'Other' },
];
const one: ValueRules = { kind: 'choice', choices: CHOICES, multiple: false };
const several: ValueRules = { ...one, multiple: true };

describe('values that are the same', () => {
  test.each<[FieldKind, unknown, unknown]>([
    ['text', 'a', 'a'],
    ['text', ' two  words\n', 'two words'],
    ['text', 'Zoe\u0308', 'Zo\u00eb'],
    ['text', 'no\u00a0break', 'no break'],
    ['text', 5, '5'],
    ['text', true, 'true'],
    ['text', ['a'], 'a'],
    ['text', ['a', 'b'], ['b', 'a']],
    ['text', [['a'], ['b']], ['a', 'b']],
    ['text', { value: 'x' }, 'x'],
    ['text', { value: null, slug: 's', label: 'l' }, 's'],
    ['text', { id: 3, label: 'three' }, '3'],
    ['text', { label: 'three' }, 'three'],
    ['text', { value: ['a', 'b'] }, ['b', 'a']],
    ['text', { value: { value: 'deep' } }, 'deep'],
    ['text', { value: true, label: 'Yes' }, 'true'],
    ['text', { id: 9, url: 'https://example.com/a.png' }, 9],
    ['name', '  Ada   Lovelace ', 'Ada Lovelace'],
    ['email', 'Ada@Example.COM', 'ada@example.com'],
    ['email', ' ada@example.com', 'ada@example.com'],
    ['phone', '+34 600-111.222', '0034600111222'],
    ['phone', '+34 (600) 111/222', '34600111222'],
    ['phone', '00000123456', '0123456'],
    ['phone', 34600111222, '+34600111222'],
    ['country', 'es', 'ESP'],
    ['country', 'Esp', 'ES'],
    ['country', 'Spain', 'ES'],
    ['country', { code: 'ES', name: 'Spain', id: 12 }, 'esp'],
    ['country', { id: 12, code: ' es' }, 'ES'],
    ['website', 'HTTPS://Example.com', 'https://example.com/'],
    ['website', 'https://example.com:443/a?b#c', 'https://example.com/a?b#c'],
    ['website', { id: 9, url: 'https://example.com' }, 'https://example.com/'],
    ['upload', { id: 9, url: 'https://example.com/a.png' }, 'https://example.com/a.png'],
    ['date', '2026-02-26', '2026-02-26 00:00:00'],
    ['date', '2026-02-26', '2026-02-26T00:00:00.000Z'],
    ['date', '2026-02-26 10:30:00', '2026-02-26T10:30:00+02:00'],
    ['date', '2026-02-26 10:30:00', '2026-02-26T10:30'],
    ['date', '2026-02-26 10:30:05', '2026-02-26 10:30:05 UTC'],
    ['date', '2026-02-26', '2026-02-26t00:00:00-0500'],
    ['numeric', '05', 5],
    ['numeric', '5', '5.00'],
    ['numeric', '0', '000'],
    ['numeric', '12345678901234567890123', '0012345678901234567890123'],
  ])('%s: %j and %j', (kind, left, right) => {
    expect(sameValue(rules(kind), left, right)).toBe(true);
    expect(sameValue(rules(kind), right, left)).toBe(true);
  });

  test.each(FIELD_KINDS)('%s: nothing, null, empty and blank texts and lists', (kind) => {
    const nothing = [undefined, null, '', '  ', [], [null], [''], [[]]];
    for (const left of nothing)
      for (const right of nothing) expect(sameValue(rules(kind), left, right)).toBe(true);
    expect(sameValue(rules(kind), undefined, '0')).toBe(false);
    expect(sameValue(rules(kind), '', false)).toBe(false);
  });

  test.each<[unknown, unknown]>([
    ['gold', 'Gold ticket'],
    ['gold', ' GOLD  ticket'],
    ['gold', 'Gold'],
    ['gold', { id: 3, label: 'Gold ticket' }],
    ['gold', { id: 3, name: 'Gold ticket' }],
    ['gold', ['gold']],
    ['7', 7],
    ['7', { value: 7, label: 'x' }],
    ['unknown  option', 'unknown option'],
  ])('choice: %j and %j', (left, right) => {
    expect(sameValue(one, left, right)).toBe(true);
  });

  test.each<[unknown, unknown]>([
    [
      ['gold', '7'],
      ['Day seven', 'Gold ticket'],
    ],
    [['gold', 'gold'], 'gold'],
    [['gold', '7'], 'gold;7'],
    [['gold', '7'], 'gold, 7'],
    [['gold', '7'], '["gold","7"]'],
    [['silver'], 'Silver; with lunch'],
    [
      ['gold', '7'],
      [{ id: 1, label: 'Gold ticket' }, { value: 7 }],
    ],
  ])('several choices: %j and %j', (left, right) => {
    expect(sameValue(several, left, right)).toBe(true);
  });
});

describe('values that differ', () => {
  test.each<[FieldKind, unknown, unknown]>([
    ['text', 'a', 'A'],
    ['text', ['a', 'a'], 'a'],
    ['text', '05', '5'],
    ['text', { value: 'x' }, 'y'],
    ['text', { other: 'x' }, 'x'],
    ['text', 'ab', ['a', 'b']],
    ['text', ['a', 'b'], ['a', 'c']],
    ['text', [[[[['a']]]]], 'a'],
    ['text', { value: { value: { value: { value: { value: { value: 'a' } } } } } }, 'a'],
    ['name', 'Ada', 'ada'],
    ['email', 'ada@example.com', 'ada@example.org'],
    ['phone', '+34600111222', '+34600111223'],
    ['phone', '600111222', '+34600111222'],
    ['phone', '12345 ext 6', '123456'],
    ['phone', '(', ')'],
    ['country', 'ES', 'PT'],
    ['country', 'Atlantis', 'ES'],
    ['website', 'http://example.com', 'https://example.com'],
    ['website', 'https://example.com/A', 'https://example.com/a'],
    ['website', 'https://exa mple', 'https://exa_mple'],
    ['date', '2026-02-26', '2026-02-27'],
    ['date', '2026-02-26 10:30:00', '2026-02-26'],
    ['date', '2026-02-26 10:30:00', '2026-02-26 10:30:01'],
    ['date', '2026-02-26 10:30:00', '2026-02-26 11:30:00'],
    ['date', '2026-02-26 00:00:05', '2026-02-26'],
    ['date', '2026-02-26 00:00:05', '2026-02-26 00:00:06'],
    ['date', '2026-02-26 10:30:00', '2026-02-26 10:30:00.5'],
    ['date', '2026-02-26', '26.02.2026'],
    ['numeric', '5', '50'],
    ['numeric', '5', '5.01'],
    ['numeric', '5', 'five'],
  ])('%s: %j and %j', (kind, left, right) => {
    expect(sameValue(rules(kind), left, right)).toBe(false);
    expect(sameValue(rules(kind), right, left)).toBe(false);
  });

  test.each<[ValueRules, unknown, unknown]>([
    [one, 'gold', '7'],
    [one, 'gold', 'gold;7'],
    [one, 'a1', 'a2'],
    [one, 'a1', 'Other'],
    [several, ['gold', '7'], ['gold']],
    [several, ['gold', '7'], 'gold;8'],
    [several, ['gold', '8'], 'gold;8'],
    [several, ['gold', '8'], 'gold,8'],
  ])('choices: %#', (field, left, right) => {
    expect(sameValue(field, left, right)).toBe(false);
  });
});

describe('options with names that fit several', () => {
  const options = (...choices: (readonly [value: string, label: string])[]): ValueRules => ({
    kind: 'choice',
    choices: choices.map(([value, label]) => ({ value, label })),
    multiple: true,
  });

  test('are known by their values before their labels', () => {
    const crossed = options(['a', 'b'], ['b', 'c']);
    expect(canonicalValue(crossed, 'b')).toBe('b');
    expect(canonicalValue(crossed, 'c')).toBe('b');
  });

  test('are known by the letter before the case', () => {
    const cased = options(['g1', 'Gold'], ['g2', 'gold']);
    expect([canonicalValue(cased, 'Gold'), canonicalValue(cased, 'gold')]).toEqual(['g1', 'g2']);
    expect(canonicalValue(cased, 'GOLD')).toBe('GOLD');
  });

  test('are known however their accents are composed', () => {
    expect(canonicalValue(options(['c', 'cafe\u0301']), 'Caf\u00e9')).toBe('c');
  });

  test('are not split when the whole is one of them', () => {
    expect(canonicalValue(options(['A', 'A'], ['B', 'B'], ['A;B', 'both']), 'A;B')).toBe('A;B');
  });
});

describe('as properties', () => {
  const anyKind = fc.constantFrom(...FIELD_KINDS);
  const anyRules = fc.oneof(anyKind.map(rules), fc.constantFrom(one, several));
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('gold', 'Gold ticket', 'es', '+34 600', '2026-02-26', 'a@b.example'),
  );
  const anyValue = fc.oneof(
    word,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(word),
    fc.record({ value: word }),
  );

  test('a value is the same as itself, and who is same is so both ways and in turn', () => {
    fc.assert(
      fc.property(anyRules, anyValue, anyValue, anyValue, (field, a, b, c) => {
        expect(sameValue(field, a, structuredClone(a))).toBe(true);
        expect(sameValue(field, a, b)).toBe(sameValue(field, b, a));
        if (sameValue(field, a, b) && sameValue(field, b, c)) expect(sameValue(field, a, c)).toBe(true);
      }),
    );
  });

  test('the canonical text of a single value stays itself', () => {
    const digitsAndMarks = fc.string({ unit: fc.constantFrom(...Array.from('00012+ -:TZ.')) });
    fc.assert(
      fc.property(anyKind, fc.oneof(fc.string(), digitsAndMarks), (kind, text) => {
        const canonical = canonicalValue(rules(kind), text);
        expect(canonicalValue(rules(kind), canonical)).toBe(canonical);
      }),
    );
  });

  const letters = fc.string({ unit: fc.constantFrom(...Array.from('abcxyz')), minLength: 1, maxLength: 8 });
  const address = fc.tuple(letters, letters).map(([local, host]) => `${local}@${host}.example`);
  const digits = fc
    .string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: 7, maxLength: 12 })
    .map((d) => `3${d}`);

  test('a tidied form is the same', () => {
    fc.assert(
      fc.property(
        address,
        digits,
        fc.constantFrom(...COUNTRY_CODES),
        letters,
        (mail, phone, [two, three], name) => {
          expect(sameValue(rules('email'), mail, mail.toUpperCase())).toBe(true);
          const grouped = phone.replace(/(..)/g, '$1 ');
          expect(sameValue(rules('phone'), `00${phone}`, `+${grouped}`)).toBe(true);
          expect(sameValue(rules('country'), three.toLowerCase(), two)).toBe(true);
          expect(sameValue(rules('name'), `${name} ${name}`, ` ${name}\t${name} `)).toBe(true);
          expect(sameValue(rules('numeric'), phone, Number(phone))).toBe(true);
        },
      ),
    );
  });

  test('different people differ', () => {
    fc.assert(
      fc.property(
        address,
        address,
        digits,
        digits,
        letters,
        letters,
        (mail, other, phone, fax, name, twin) => {
          expect(sameValue(rules('email'), mail, other)).toBe(mail === other);
          expect(sameValue(rules('phone'), `+${phone}`, `+${fax}`)).toBe(phone === fax);
          expect(sameValue(rules('name'), name, twin)).toBe(name === twin);
        },
      ),
    );
    const codes = COUNTRY_CODES.map(([two]) => canonicalValue(rules('country'), two));
    expect(new Set(codes).size).toBe(COUNTRY_CODES.length);
  });
});

test.each<[unknown, unknown]>([
  ['a', 'a'],
  [5, '5'],
  [false, 'false'],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  [[], undefined],
  [[''], undefined],
  [['a'], ['a']],
  [
    ['a', 1, null],
    ['a', '1'],
  ],
  [{ value: 'v', label: 'l' }, 'v'],
  [{ label: 'l' }, 'l'],
  [{ value: ['a', 'b'] }, ['a', 'b']],
  [{ odd: 1 }, '{"odd":1}'],
])('a value as it is shown: %j is %j', (value, shown) => {
  expect(plainValue(value)).toEqual(shown);
});
