import { describe, expect, test } from 'vitest';
import { parseMapFlags } from '../../../src/input/columns/column-wishes.ts';

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
