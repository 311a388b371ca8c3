import { parsePhoneNumberFromString as parse } from 'libphonenumber-js/min';
import { describe, expect, test } from 'vitest';
import { canonicalValue } from '../../../src/registration/changes/same-value.ts';
import type { Field, FieldKind } from '../../../src/registration/model/persona.ts';
import { checkEmail } from '../../../src/registration/rules/email-rule.ts';
import { Masker } from '../../../src/rehearsal/mask/masker.ts';
import { loadCountryOfPhone } from '../../../src/rehearsal/mask/mask-phone.ts';
import { listed } from '../../support/tables.ts';
import { field as labelled } from '../../input/persona-of-labels.ts';

const countryOf = await loadCountryOfPhone();
const masker = new Masker({ key: 'a key', countryOf, barcodes: true });
const rules = (kind: FieldKind) => ({ kind, choices: [], multiple: false });

/** As the field compares them. */
const same = (kind: FieldKind, one: string, other: string): boolean =>
  canonicalValue(rules(kind), masker.text(kind, one)) ===
  canonicalValue(rules(kind), masker.text(kind, other));

const many = (length: number): number[] => Array.from({ length }, (_, n) => n);

describe('what is the same stays the same, and what differs differs', () => {
  test.each<[FieldKind, string, string]>([
    ['email', 'Ana.Gomez@Gmail.com', 'ana.gomez@gmail.com'],
    ['email', 'mailto:ana@acme.es', 'mailto:ANA@acme.es'],
    ['phone', '+34 600 123 456', '0034600123456'],
    ['phone', '+34600123456', '34600123456'],
    ['name', 'Ana  María', ' Ana María '],
    ['text', 'A text\u00a0here', 'A text here'],
    ['name', 'José', 'Jose\u0301'],
    ['upload', 'https://x.org/a.jpg?signature=1', 'https://x.org/a.jpg?signature=2'],
    ['website', 'https://ACME.com', 'https://acme.com/'],
    ['date', '1996-12-13', '1996-12-13 00:00:00'],
    ['numeric', '05', '5'],
  ])('%s: %s and %s', (kind, one, other) => {
    const clean = (text: string): string => text.replace('\u00a0', ' ').replace('mailto:', '');
    expect(same(kind, clean(one), clean(other))).toBe(true);
  });

  test.each<[FieldKind, string, string]>([
    ['name', 'Ana', 'ANA'],
    ['name', 'José', 'Jose'],
    ['email', 'ana@acme.com', 'ana@acme.org'],
    ['email', 'ana@gmail.com', 'ana@gmail.de'],
  ])('%s: %s is not %s', (kind, one, other) => {
    expect(same(kind, one, other)).toBe(false);
  });

  test('names are alike without case and accents where they were', () => {
    const letters = (text: string): string =>
      text
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^\p{L}]/gu, '');
    expect(letters(masker.text('name', 'José MARÍA'))).toBe(letters(masker.text('name', 'jose maria')));
  });

  test.each<[string, (n: number) => string]>([
    ['barcodes', (n) => masker.barcode(String(10_000 + n))],
    [
      'short names',
      (n) =>
        masker.text(
          'name',
          `${'abcdefghijklmnopqrst'[n % 20]}${'abcdefghijklmnopqrst'[Math.floor(n / 20) % 20]}`,
        ),
    ],
    ['phones', (n) => masker.text('phone', `+34600${String(100_000 + n)}`)],
    ['e-mails', (n) => masker.text('email', `g${n}@acme.com`)],
  ])('%s are as many as before', (_, of) => {
    expect(new Set(many(400).map(of)).size).toBe(400);
  });

  test('another key masks otherwise', () => {
    const other = new Masker({ key: 'another key', countryOf, barcodes: true });
    expect(other.text('name', 'Anastasia')).not.toBe(masker.text('name', 'Anastasia'));
  });
});

describe('what a value is of shows', () => {
  test.each(['Zoë', 'Иван', '李小龍', '김민수', 'Γιώργος', 'أحمد', 'ÁNGEL 3rd', 'Ａｎａ'])(
    '%s keeps its length and script',
    (name) => {
      const shapeOf = (text: string): string =>
        Array.from(text.normalize('NFD'))
          .map((one) => {
            const scripts = [
              /\p{Script=Latin}/u,
              /\p{Script=Cyrillic}/u,
              /\p{Script=Han}/u,
              /\p{Script=Hangul}/u,
            ];
            return `${scripts.findIndex((script) => script.test(one))}${/\p{Lu}/u.test(one)}${/\p{M}/u.test(one)}`;
          })
          .join(' ');
      const masked = masker.text('text', name);
      expect(masked).not.toBe(name);
      expect(Array.from(masked.normalize('NFC')).length).toBeGreaterThanOrEqual(Array.from(name).length);
      if (!/\p{Script=Hangul}/u.test(name)) expect(shapeOf(masked)).toBe(shapeOf(name));
    },
  );

  test('a full name splits where it did', () => {
    expect(masker.text('name', 'Jan van der Berg')).toMatch(/^[A-Z][a-z]{2} van der [A-Z][a-z]{3}$/);
    expect(masker.text('name', 'Jan van der Berg')).toBe(
      `${masker.text('name', 'Jan')} van der ${masker.text('name', 'Berg')}`,
    );
  });

  test('an e-mail address is nobody’s, and valid, and shows whether it is at a large provider', () => {
    for (const n of many(300)) {
      const address = masker.text('email', `guest.${n}+x@company${n}.co.uk`);
      expect(address).toMatch(/@[a-z]{7}\d{1,3}\.[a-z]{2}\.[a-z]{2}\.masked-[0-9a-f]{6}\.example$/);
      expect(checkEmail(address)).toBeUndefined();
    }
    expect(masker.text('email', 'Ana@Gmail.com')).toMatch(/@Gmail\.com\.masked-[0-9a-f]{6}\.example$/);
  });

  test.each(
    listed(`
      no address | ana@ | @acme.com | ana@acme | ana@acme..com | ana@acme.com. | a@b@acme.com |
      ana@1.2.3.4
    `),
  )('what is wrong with %s stays wrong', (text) => {
    expect(checkEmail(masker.text('email', text))?.problem).toBe(checkEmail(text)?.problem);
  });

  test.each(listed('+34600 | +1202555 | +4930 | +3538697 | +316 | +4478 | +9715 | +354611 | +6591 | +47412'))(
    'numbers that begin with %s stay complete ones of their country, of their length',
    (begin) => {
      const numbers = many(2000)
        .map((n) => `${begin}${String(n * 48_271).padStart(9, '0')}`)
        .flatMap((number) => [0, 1, 2, 3, 4, 5, 6].map((less) => number.slice(0, number.length - less)))
        .filter((number) => parse(number)?.isValid() === true)
        .slice(0, 200);
      expect(numbers.length).toBeGreaterThan(50);
      for (const number of numbers) {
        const masked = masker.text('phone', number);
        expect([parse(masked)?.isValid(), parse(masked)?.country, masked.length]).toEqual([
          true,
          parse(number)?.country,
          number.length,
        ]);
      }
    },
  );

  test('barcodes keep their zeros in front, and get none', () => {
    for (const n of many(300)) {
      expect(masker.barcode(`00${100 + n}`)).toMatch(/^00[1-9]\d\d$/);
    }
    const kept = new Masker({ key: 'a key', countryOf, barcodes: false });
    expect(kept.barcode('EV-1')).toBe('EV-1');
  });

  test.each([
    ['1996-12-13', /^\d{4}-\d{2}-\d{2}$/],
    ['13/12/1996', /^\d{2}\/\d{2}\/\d{4}$/],
    ['13.12.1996 10:30', /^\d{2}\.\d{2}\.\d{4} 10:30$/],
    ['19961213', /^\d{8}$/],
    ['45000', /^4\d{4}$/],
  ])('%s is written as it was', (date, form) => {
    expect(masker.text('date', date)).toMatch(form);
    expect(masker.text('date', date)).not.toBe(date);
  });

  test('all dates are earlier by as many days, whatever their form', () => {
    const [one, other] = ['1996-12-13', '2004-02-29'].map((date) => Date.parse(masker.text('date', date)));
    expect((other ?? 0) - (one ?? 0)).toBe(Date.parse('2004-02-29') - Date.parse('1996-12-13'));
    expect(masker.text('date', '12/13/1996', 'mdy')).toBe(
      masker.text('date', '1996-12-13').replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1'),
    );
  });

  test('choices, countries and numbers stay; what is none of them does not', () => {
    const field = (kind: FieldKind): Field => ({
      ...labelled('s', 's', kind),
      choices: [{ value: 'meat', label: 'Meat' }],
    });
    expect(masker.listed(field('choice'), 'Meat')).toBe('meat');
    expect(masker.listed(field('choice'), 'my own words')).not.toContain('own');
    expect(masker.listed(field('country'), 'Germany')).toBe('Germany');
    expect(masker.listed(field('country'), 'Nowhere')).not.toBe('Nowhere');
    expect(masker.listed(field('numeric'), 42)).toBe('42');
    expect(masker.listed(field('text'), null)).toBeUndefined();
  });
});
