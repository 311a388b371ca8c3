import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { refuseUnusedFlags } from '../../src/input/unused-flags.ts';

type Flags = Parameters<typeof refuseUnusedFlags>[1];

const CSV = { file: 'a.csv', format: 'csv' } as const;
const JSON_LIST = { file: 'b.json', format: 'json' } as const;
const BOOK = { file: 'c.xlsx', format: 'xlsx' } as const;
const OTHER_BOOK = { file: 'd.xlsx', format: 'xlsx' } as const;

/** All that is said against the flags. */
function refusal(inputs: Parameters<typeof refuseUnusedFlags>[0], flags: Flags): string[] {
  try {
    refuseUnusedFlags(inputs, flags);
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [error.message, ...error.details];
  }
}

describe('a flag that says nothing about any file', () => {
  test.each<[Flags, string]>([
    [{ sheet: '1' }, '--set sheet'],
    [{ includeHidden: true }, '--set include-hidden'],
    [{ includeHidden: false }, '--set include-hidden'],
    [{ merged: 'every-row' }, '--set merged'],
  ])('of workbooks: %j', (flags, name) => {
    expect(refusal([CSV], flags)).toEqual([`${name} is for workbooks, and a.csv is none.`]);
    expect(refusal([CSV, JSON_LIST], flags)).toEqual([
      `${name} is for workbooks, and none of the files is one.`,
    ]);
    for (const inputs of [[BOOK], [CSV, BOOK]]) expect(refusal(inputs, flags)).toEqual([]);
  });

  test.each<[Flags, string]>([
    [{ encoding: 'utf-8' }, '--set encoding'],
    [{ delimiter: ';' }, '--set delimiter'],
    [{ quote: 'none' }, '--set quote'],
  ])('of texts: %j', (flags, name) => {
    expect(refusal([BOOK], flags)).toEqual([`${name} is for texts such as CSV, and c.xlsx is a workbook.`]);
    expect(refusal([BOOK, OTHER_BOOK], flags)).toEqual([
      `${name} is for texts such as CSV, and all files are workbooks.`,
    ]);
    for (const inputs of [[CSV], [BOOK, CSV]]) expect(refusal(inputs, flags)).toEqual([]);
  });

  test('is named with all others', () => {
    expect(refusal([CSV], { sheet: '1', includeHidden: true, delimiter: ';' })).toHaveLength(2);
    expect(refusal([BOOK], { sheet: '1', quote: 'none', delimiter: ';' })).toHaveLength(2);
  });

  test('is nothing where no flag is given', () => {
    for (const inputs of [[CSV], [BOOK]]) expect(refusal(inputs, {})).toEqual([]);
  });
});
