import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/registration/model/row.ts';
import { readOne } from '../read-cells.ts';

const LABEL = 'label written as its value';
const SPELLING = 'written as the allowed value is';
const one = { choices: ['S', 'M', 'XL'] };
const several = { choices: ['S', 'M', 'XL'], multiple: true };

describe('a cell of a choice field', () => {
  it.each<readonly [Cell, string, string | undefined]>([
    ['S', 'S', undefined],
    ['S label', 'S', LABEL],
    ['s', 'S', SPELLING],
    ['x l', 'XL', SPELLING],
    [' S ', 'S', 'spaces at the ends removed'],
    [' S label', 'S', `spaces at the ends removed, ${LABEL}`],
    ['\u00A0xl', 'XL', `spaces at the ends removed, ${SPELLING}`],
    ['Ｓ', 'S', 'full-width characters written as plain ones'],
  ])('%j is sent as %j (%s)', (cell, value, repair) => {
    expect(readOne('choice', cell, {}, one)).toEqual({ value, repair });
  });

  it('prefers what is written to the letter, odd characters included', () => {
    const odd = { choices: [' S', 'Ｓ', 'a\u00A0b'] };
    for (const value of odd.choices) {
      expect(readOne('choice', value, {}, odd)).toEqual({ value, repair: undefined });
    }
  });
});

describe('a cell of a choice field that takes several', () => {
  it.each<readonly [Cell, readonly string[], string | undefined]>([
    ['S', ['S'], undefined],
    ['S; M', ['S', 'M'], undefined],
    ['S|M;', ['S', 'M'], undefined],
    ['["S","M"]', ['S', 'M'], undefined],
    [['S', 'M'], ['S', 'M'], undefined],
    [['S', null, ''], ['S'], undefined],
    ['S label', ['S'], LABEL],
    ['S label; M', ['S', 'M'], LABEL],
    ['s; M', ['S', 'M'], SPELLING],
    [['S', ' M '], ['S', 'M'], SPELLING],
    ['xl', ['XL'], SPELLING],
    ['S; S', ['S'], 'repeated values left out'],
    [' S; M', ['S', 'M'], 'spaces at the ends removed'],
    ['S, M', ['S', 'M'], 'taken as several values'],
    ['s / M', ['S', 'M'], `taken as several values, ${SPELLING}`],
  ])('%j is sent as %j (%s)', (cell, value, repair) => {
    expect(readOne('choice', cell, {}, several)).toEqual({ value, repair });
  });

  it('is told as it is sent, one value behind the other', () => {
    expect(readOne('choice', 's;m;L', {}, several)).toHaveProperty('problem');
  });
});
