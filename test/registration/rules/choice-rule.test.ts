import { describe, expect, it } from 'vitest';
import {
  checkChoice,
  readChoice,
  readChoices,
  readEach,
} from '../../../src/registration/rules/choice-rule.ts';
import type { Choice } from '../../../src/registration/model/persona.ts';
import { paired } from '../../support/tables.ts';

const plain = (...values: string[]): Choice[] => values.map((value) => ({ value, label: value }));
const sizes: Choice[] = [
  { value: 's', label: 'Small' },
  { value: 'm', label: 'Medium size' },
  { value: 'XL', label: 'Extra large' },
];
const NOT = 'is not one of the allowed values "s", "m", "XL"';

describe('a choice', () => {
  it.each(paired('s → s | Small → s | SMALL → s | medium  SIZE → m | mediumsize → m | xl → XL'))(
    'reads %j as %s',
    (text, value) => {
      expect(readChoice(text, sizes)).toEqual({ ok: true, value });
    },
  );

  it.each([
    ['s, m', ['s', 'm']],
    ['s / XL', ['s', 'XL']],
    ['s\nm', ['s', 'm']],
    ['s and m', ['s', 'm']],
    ['s, m und XL', ['s', 'm', 'XL']],
    ['s; m, XL', ['s', 'm', 'XL']],
  ])('takes %j apart, where every part is an option', (text, value) => {
    expect(readChoices(text, sizes)).toEqual({ ok: true, value });
  });

  it('takes nothing apart at what an option has inside', () => {
    const dishes = plain('fish, grilled', 'fish', 'grilled', 'rice and peas', 'rice', 'peas');
    expect(readChoices('fish, grilled', dishes)).toEqual({ ok: true, value: ['fish, grilled'] });
    expect(readChoices('grilled, fish', dishes).ok).toBe(false);
    expect(readChoices('peas and rice', dishes).ok).toBe(false);
    expect(readChoices('rice / fish, grilled', dishes)).toEqual({
      ok: true,
      value: ['rice', 'fish, grilled'],
    });
  });

  it('counts a part with a meaning as that', () => {
    const mean = (text: string) => ({ klein: 's', none: '' })[text];
    expect(readChoices('klein, m', sizes, mean)).toEqual({ ok: true, value: ['s', 'm'] });
    expect(readChoices('none; m', sizes, mean)).toEqual({ ok: true, value: ['m'] });
    expect(readChoices('gross, m', sizes, mean).ok).toBe(false);
  });

  it.each([
    ['smal', NOT, 'write "Small"'],
    ['Extra lagre', NOT, 'write "Extra large"'],
    ['enormous', NOT, undefined],
  ])('refuses %j', (text, problem, remedy) => {
    expect(readChoice(text, sizes)).toMatchObject({ ok: false, finding: { problem, remedy } });
  });

  it('prefers the exact value to a label, and the label to a look-alike', () => {
    const swapped = [
      { value: 'a', label: 'b' },
      { value: 'b', label: 'B' },
    ];
    expect(readChoice('b', swapped)).toEqual({ ok: true, value: 'b' });
    expect(readChoice('B', swapped)).toEqual({ ok: true, value: 'b' });
  });

  it('never guesses between two values', () => {
    const finding = {
      problem: 'fits several allowed values: "Red", "red"',
      remedy: 'write it exactly as one of them',
    };
    expect(readChoice('RED', plain('Red', 'red'))).toMatchObject({ ok: false, finding });
    const sameLabel = [
      { value: '1', label: 'Day' },
      { value: '2', label: 'Day' },
    ];
    expect(readChoice('Day', sameLabel).ok).toBe(false);
  });

  it('sees composed and decomposed accents as the same', () => {
    expect(readChoice('Cafe\u0301', plain('Caf\u00E9'))).toEqual({ ok: true, value: 'Caf\u00E9' });
  });

  it('lists ten allowed values and counts the rest', () => {
    const many = plain(...Array.from({ length: 13 }, (_, index) => `option ${index}`));
    expect(checkChoice('zzz', { choices: many, multiple: false })?.problem).toBe(
      `is not one of the allowed values ${many
        .slice(0, 10)
        .map(({ value }) => `"${value}"`)
        .join(', ')} and 3 more`,
    );
  });
});

describe('several choices', () => {
  it.each([
    ['s', ['s']],
    ['s;m', ['s', 'm']],
    ['s; Extra large ;', ['s', 'XL']],
    ['xl|S', ['XL', 's']],
    ['s;Small;S', ['s']],
    ['["s","XL"]', ['s', 'XL']],
  ])('reads %j as %j', (text, value) => {
    expect(readChoices(text, sizes)).toEqual({ ok: true, value });
  });

  it('takes a value that has a separator in it', () => {
    expect(readChoices('a;b', plain('a;b', 'c'))).toEqual({ ok: true, value: ['a;b'] });
  });

  it.each([
    ['smal', NOT, 'write "Small"'],
    ['s;smal', 'holds "smal", which is not among the allowed values "s", "m", "XL"', 'write "Small"'],
    ['s;smal;?', 'holds "smal", "?", which are not among the allowed values "s", "m", "XL"', undefined],
    ['s, smal', 'holds "smal", which is not among the allowed values "s", "m", "XL"', 'write "Small"'],
    [';|', 'holds no value', 'empty the cell'],
    ['["s"', NOT, undefined],
    ['[1]', NOT, undefined],
  ])('refuses %j', (text, problem, remedy) => {
    expect(readChoices(text, sizes)).toMatchObject({ ok: false, finding: { problem, remedy } });
  });

  it('reads a list, each entry by itself', () => {
    expect(readEach(['Small', '', ' xl '], sizes)).toEqual({ ok: true, value: ['s', 'XL'] });
    expect(readEach(['s;m'], sizes).ok).toBe(false);
  });

  it('are a thousand at most', () => {
    const text = (count: number) => Array.from({ length: count }, () => 's').join(';');
    expect(readChoices(text(1000), sizes)).toEqual({ ok: true, value: ['s'] });
    expect(readChoices(text(1001), sizes)).toMatchObject({
      ok: false,
      finding: { problem: 'holds more than 1,000 values' },
    });
  });
});
