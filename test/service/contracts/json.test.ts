import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/service/contracts/json.ts';
import { listed } from '../../support/tables.ts';

describe('parseJson', () => {
  test.each([
    ['{"id":12345678901234567890}', { id: '12345678901234567890' }],
    ['[-12345678901234567890]', ['-12345678901234567890']],
    ['{"id":9007199254740993,"n":7}', { id: '9007199254740993', n: 7 }],
    ['1234567890123456', '1234567890123456'],
    ['123456789012345', 123456789012345],
    ['{"a":"12345678901234567890","b":1.5e3}', { a: '12345678901234567890', b: 1500 }],
    [
      '{"a":"say \\"12345678901234567890\\" \\\\","b":12345678901234567890}',
      { a: 'say "12345678901234567890" \\', b: '12345678901234567890' },
    ],
    ['{"12345678901234567890":true}', { '12345678901234567890': true }],
  ])('keeps all digits of %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('leaves fractions and exponents of many digits to JSON', () => {
    const text = '[12345678901234567.5, 12345678901234567e2]';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test('drops a byte order mark', () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  test.each([
    '',
    ...listed('{ | {"a":12345678901234567 | 01234567890123456789 | 12345678901234567 8 | <html> | "'),
  ])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('keeps a key named __proto__ as a plain name', () => {
    const value = parseJson('{"__proto__":{"a":1},"id":12345678901234567890}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'id']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('reads very long texts, closed or not', () => {
    const long = 'x'.repeat(5_000_000);
    expect(parseJson(`["${long}",1234567890123456789]`)).toEqual([long, '1234567890123456789']);
    expect(() => parseJson(`[1234567890123456789,"${long}`)).toThrow(SyntaxError);
  });

  test.each(['{"a":"\\\\",\n"b":[{},"]"]}', '["\\"[[[", 1]', `${'['.repeat(512)}${']'.repeat(512)}`])(
    'reads nested %j',
    (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    },
  );

  test.each([513, 20_000, 30_000_000])('refuses %i levels, closed or not', (levels) => {
    for (const text of ['['.repeat(levels), `${'{"a":'.repeat(513)}1${'}'.repeat(513)}`]) {
      expect(() => parseJson(text)).toThrow('JSON nested more than 512 levels deep');
    }
  });
});
