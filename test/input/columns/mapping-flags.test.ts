import { describe, expect, test } from 'vitest';
import { parseMapFlags, readMappingFile } from '../../../src/input/columns/mapping-flags.ts';

/** What a call throws. */
function errorOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('--map', () => {
  test.each([
    [['E-mail=email'], [['E-mail', 'email']]],
    [[' a = b '], [['a', 'b']]],
    [
      ['x=y=email', 'Tel=phone'],
      [
        ['x=y', 'email'],
        ['Tel', 'phone'],
      ],
    ],
    [['a=b', 'a=b'], [['a', 'b']]],
    [[], []],
  ])('%j is read', (flags, entries) => {
    expect([...parseMapFlags(flags)]).toEqual(entries);
  });

  test.each([
    [['email'], '--map "email" is not of the form "Header=field".'],
    [['=email'], '--map "=email" is not of the form "Header=field".'],
    [['E-mail='], '--map "E-mail=" is not of the form "Header=field".'],
    [['a=b', 'a=c'], '--map names the column "a" twice, for "b" and for "c".'],
  ])('%j is refused', (flags, message) => {
    expect(errorOf(() => parseMapFlags(flags))).toMatchObject({ name: 'UsageError', message });
  });
});

describe('a mapping file', () => {
  test('is an object of texts', () => {
    const text = '\uFEFF{"E-mail": "email", "__proto__": " barcode "}';
    expect([...readMappingFile(text, 'm.json')]).toEqual([
      ['E-mail', 'email'],
      ['__proto__', 'barcode'],
    ]);
  });

  test.each([
    ['{"a": "b"', 'm.json: the mapping is not valid JSON.'],
    ['["a"]', 'm.json: the mapping is not a JSON object.'],
    ['null', 'm.json: the mapping is not a JSON object.'],
    ['{"a": 1}', 'm.json: the field for the column "a" is not a text.'],
    ['{"a": ""}', 'm.json: the field for the column "a" is not a text.'],
    ['{"a": "b", "a": "c"}', 'm.json: the mapping names the column "a" twice.'],
  ])('%j is refused', (text, message) => {
    expect(errorOf(() => readMappingFile(text, 'm.json'))).toMatchObject({ name: 'InputError', message });
  });

  test('names all wrong entries at once', () => {
    expect(errorOf(() => readMappingFile('{"a": 1, "b": null}', 'm.json'))).toMatchObject({
      details: ['m.json: the field for the column "b" is not a text.'],
    });
  });
});
