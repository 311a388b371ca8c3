import { describe, expect, test } from 'vitest';
import { isSendable, sendBack } from '../../../src/runs/judge/send-back.ts';
import type { FieldKind } from '../../../src/registration/model/persona.ts';
import { field } from '../../registration/persona-fixture.ts';

const MEAL = { ...field('meal', 'choice'), choices: [] as { value: string; label: string }[] };
const OPTIONS = [
  { value: '11', label: 'Meat' },
  { value: '12', label: 'Fish' },
  { value: '13', label: 'Dish of the day' },
  { value: '14', label: 'Dish of the day' },
];
const meal = { ...MEAL, choices: OPTIONS };
const meals = { ...meal, multiple: true };

describe('what is sent so that a field holds again what is listed', () => {
  test.each<[string, FieldKind, unknown, unknown]>([
    ['nothing', 'text', null, ''],
    ['a text', 'text', 'as it is', 'as it is'],
    ['a text of two lines', 'text', 'one\ntwo', 'one\ntwo'],
    ['a text that looks like an object', 'text', '{"a":1}', '{"a":1}'],
    ['a number', 'numeric', 7, '7'],
    ['the value of an object', 'text', { id: 3, value: 'gold' }, 'gold'],
    ['not an object in which nothing stands for a value', 'text', { given: 'Ann' }, undefined],
    ['a country by its code', 'country', 'ES', 'ES'],
    ['a country by its code, where it is listed by its name', 'country', { name: 'Spain', code: 'ES' }, 'ES'],
    ['a day', 'date', '2026-05-11', '2026-05-11'],
    ['a day, where midnight is listed', 'date', '2026-05-11T00:00:00Z', '2026-05-11'],
    ['a time', 'date', '2026-05-11T10:30:00', '2026-05-11 10:30:00'],
    ['not a time in a zone', 'date', '2026-05-11T10:30:00+02:00', undefined],
    ['not a phone number that it would refuse of a file', 'phone', '600 111', undefined],
    ['not a masked phone number', 'phone', '+49****67', undefined],
    ['not a text that may be cut', 'text', 'Needs a chair by the …', undefined],
    ['not a text that may be cut with dots', 'text', 'Needs a chair by the...', undefined],
    ['not a text with an entity', 'text', 'Tom &amp; Jerry', undefined],
    ['not a text with a numeric entity', 'text', 'D&#39;Arcy', undefined],
    ['not a masked text', 'text', 'DE****67', undefined],
    ['not a text of dots alone', 'text', '••••', undefined],
    ['not one of several masked texts', 'text', ['a', '***'], undefined],
    ['a text with an ampersand, an ellipsis within and a star', 'text', 'A & B … 5*', 'A & B … 5*'],
    ['a link', 'upload', 'https://example.com/a.jpg', 'https://example.com/a.jpg'],
    ['not a link that may be signed', 'upload', 'https://example.com/a.jpg?v=1', undefined],
    ['not one of several links', 'upload', ['https://example.com/a.jpg?v=1'], undefined],
    [
      'the link of an object',
      'upload',
      { name: 'a.jpg', url: 'https://example.com/a.jpg' },
      'https://example.com/a.jpg',
    ],
    ['a web site with a query', 'website', 'https://example.com/?id=7', 'https://example.com/?id=7'],
    ['not a web site that is signed', 'website', 'https://example.com/?X-Amz-Signature=7', undefined],
  ])('%s', (_, kind, shown, expected) => {
    expect(sendBack(shown, field('it', kind))).toEqual(expected);
  });

  test('options are sent by their values, and labels only where they are one option', () => {
    expect(sendBack('11', meal)).toBe('11');
    expect(sendBack('Fish', meal)).toBe('12');
    expect(sendBack({ id: 12, label: 'Fish' }, meal)).toBe('12');
    expect(sendBack('Dish of the day', meal)).toBeUndefined();
    expect(sendBack('Stew', meal)).toBeUndefined();
    expect(sendBack(['Meat', 'Fish'], meal)).toBeUndefined();
    expect(sendBack(['Meat', { id: 12 }], meals)).toEqual(['11', '12']);
    expect(sendBack(['Meat', 'Stew'], meals)).toBeUndefined();
  });

  test('what the rules of a field refuse is not sure to be taken', () => {
    expect(isSendable('600 111', field('it', 'phone'))).toBe(false);
    expect(isSendable('+34600111222', field('it', 'phone'))).toBe(true);
  });
});
