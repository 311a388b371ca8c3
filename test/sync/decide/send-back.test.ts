import { describe, expect, test } from 'vitest';
import { isSendable, sendBack } from '../../../src/sync/decide/what-is-sent.ts';
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
    ['not a time in a zone, whatever its spaces', 'date', ' 2026-05-11 10:30:00  +0200 ', undefined],
    ['not a time in a zone of letters', 'date', '2026-05-11 10:30 UTC', undefined],
    ['not a time without seconds in a zone', 'date', '2026-05-11T10:30Z', undefined],
    ['not a time just after midnight in a zone', 'date', '2026-05-11T00:00:30Z', undefined],
    ['a day, where midnight is listed without seconds', 'date', '2026-05-11T00:00Z', '2026-05-11'],
    ['a day, where midnight is listed to the millisecond', 'date', '2026-05-11T00:00:00.000Z', '2026-05-11'],
    ['a text that looks like a time in a zone', 'text', '2026-05-11T10:30:00Z', '2026-05-11T10:30:00Z'],
    ['a number that is written otherwise', 'numeric', '7.0', '7'],
    ['a country that is written as its name', 'country', 'Spain', 'ES'],
    ['not a phone number by its digits alone', 'phone', 'tel. 600', undefined],
    ['several texts', 'text', ['a', 'b'], ['a', 'b']],
    ['several texts that look like objects', 'text', ['{"a":1}', '{}'], ['{"a":1}', '{}']],
    ['not several of which one is an object', 'text', ['a', { given: 'Ann' }], undefined],
    ['not texts that look like objects beside one', 'text', ['{"a":1}', { given: 'Ann' }], undefined],
    ['not several of which one would be refused', 'numeric', ['7', 'seven'], undefined],
    ['not a phone number that it would refuse of a file', 'phone', '600 111', undefined],
    ['not a masked phone number', 'phone', '+49****67', undefined],
    ['not a text that may be cut', 'text', 'Needs a chair by the …', undefined],
    ['not a text that may be cut with dots', 'text', 'Needs a chair by the...', undefined],
    ['not a text with an entity', 'text', 'Tom &amp; Jerry', undefined],
    ['not a text that may be cut, with a space behind', 'text', 'Needs a chair by the… ', undefined],
    ['not a text with a hexadecimal entity', 'text', 'D&#x27;Arcy', undefined],
    ['not a text with a numeric entity', 'text', 'D&#39;Arcy', undefined],
    ['not a masked text', 'text', 'DE****67', undefined],
    ['not a text of dots alone', 'text', '••••', undefined],
    ['not a text of one dot', 'text', ' • ', undefined],
    ['a text with a dot at its beginning', 'text', '• vegan', '• vegan'],
    ['a text with a dot at its end', 'text', 'vegan •', 'vegan •'],
    ['not one of several masked texts', 'text', ['a', '***'], undefined],
    ['a text with an ampersand, an ellipsis within and a star', 'text', 'A & B … 5*', 'A & B … 5*'],
    ['a link', 'upload', 'https://example.com/a.jpg', 'https://example.com/a.jpg'],
    ['not a link that may be signed', 'upload', 'https://example.com/a.jpg?v=1', undefined],
    ['several links', 'upload', ['https://example.com/a.jpg'], ['https://example.com/a.jpg']],
    [
      'not one of several links',
      'upload',
      ['https://example.com/a.jpg', 'https://example.com/a.jpg?v=1'],
      undefined,
    ],
    ['a text with a query', 'text', 'who?token=1', 'who?token=1'],
    [
      'the link of an object',
      'upload',
      { name: 'a.jpg', url: 'https://example.com/a.jpg' },
      'https://example.com/a.jpg',
    ],
    ['a web site with a query', 'website', 'https://example.com/?id=7', 'https://example.com/?id=7'],
    [
      'a web site with a token in its path',
      'website',
      'https://example.com/token',
      'https://example.com/token',
    ],
    [
      'a web site with words like those of signatures',
      'website',
      'https://example.com/?signal=7&design=2',
      'https://example.com/?signal=7&design=2',
    ],
    ['not a web site that is signed among others', 'website', 'https://example.com/?id=7&sig=7', undefined],
    [
      'not a web site that is signed behind a question',
      'website',
      'https://example.com/?a?&sig=7',
      undefined,
    ],
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
    expect(sendBack(' ', meal)).toBe('');
    expect(sendBack([' '], meals)).toEqual([]);
  });

  test('options may look like lists', () => {
    const bracket = { ...meal, choices: [...OPTIONS, { value: '[x]', label: '[x]' }] };
    expect(sendBack('[x]', bracket)).toBe('[x]');
    expect(sendBack('["Meat","Fish"]', bracket)).toBeUndefined();
  });

  test('what the rules of a field refuse is not sure to be taken', () => {
    expect(isSendable('600 111', field('it', 'phone'))).toBe(false);
    expect(isSendable(' +34600111222 ', field('it', 'phone'))).toBe(true);
    expect(isSendable(['+34600111222', '600 111'], field('it', 'phone'))).toBe(false);
  });
});
