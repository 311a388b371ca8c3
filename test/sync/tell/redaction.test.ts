import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEMO_EVENT } from '../../../src/sandbox/demo-event.ts';
import { readEvent } from '../../../src/service/contracts/read-event.ts';
import { Redaction } from '../../../src/sync/tell/redaction.ts';

const read = readEvent({
  ...DEMO_EVENT,
  personas: [
    { slug: 'visitor', name: 'Visitor', fields: [{ slug: 'last_name', label: 'Family name', type: 'Name' }] },
  ],
});
const hide = new Redaction('event' in read ? read.event : { personas: [] }, Buffer.from('key'));

test.each([
  ['answered 500: Oops.', 'answered T: T.'],
  ['the service listed it with other values', 'the service listed it with other values'],
  ['Family name: is too long', 'Family name: is too long'],
  ['"fields.last_name" is required (last_name=Anna)', '"fields.last_name" is required (T)'],
  ['Will May is not allowed', 'T T is not allowed'],
  ['ada@example.com, +31 690000017 and EV-17', 'T, +T T and T'],
  ['/home/anna/guests.xlsx cannot be read', '/T cannot be read'],
  ['王小明 🎉 — «Ada»', 'T T T T'],
  ['a\u0000nna\nhas no parent', 'T\nhas no parent'],
  ['', ''],
])('of the text %j is told %j', (text, wanted) => {
  expect(hide.text(text).replaceAll(/t-[0-9a-f]{12}/g, 'T')).toBe(wanted);
});

test('Equal words have equal tokens, as values have them, in one bundle', () => {
  const own = new Redaction({ personas: [] });
  expect(own.text('Anna, Anna!')).toBe(`${own.token('Anna')}, ${own.token('Anna')}!`);
  expect(new Redaction({ personas: [] }).token('Anna')).not.toBe(own.token('Anna'));
  expect([hide.name('last_name'), hide.name('anna'), hide.token(undefined)]).toEqual([
    'last_name',
    hide.token('anna'),
    null,
  ]);
});

test('Of a record only what is named goes in as it is, whatever holds it', () => {
  const at = '2027-03-01T08:15:00.000Z';
  const record = {
    line: 17,
    at,
    detail: 'answered anna',
    names: ['Anna', 'Bo'],
    changes: [{ field: 'last_name', before: undefined, after: 'Anna', anna: true }],
    request_id: 'anna-1',
  };
  const [anna, bo, yes] = ['Anna', 'Bo', 'true'].map((text) => hide.token(text));
  expect(hide.record(record)).toEqual({
    line: 17,
    at,
    detail: `answered ${hide.token('anna')}`,
    names: [anna, bo],
    changes: [{ field: 'last_name', before: null, after: anna, anna: yes }],
    request_id: hide.token('anna-1'),
  });
});

test('No text has a word that nobody here has put there', () => {
  const word = fc.stringMatching(/^[\p{L}\p{N}@_.+-]{1,12}$/u).map((text) => `zq${text}zq`);
  const around = fc.constantFrom('', '"', "'", '(', '/', ':', '…', '.', 'is ', ' ', '\n', '=');
  fc.assert(
    fc.property(fc.array(fc.tuple(around, word, around)), (parts) => {
      expect(hide.text(parts.flat().join(''))).not.toContain('zq');
    }),
  );
});
