import { describe, expect, test } from 'vitest';
import { hidePersonal } from '../../../src/sync/decide/hide-personal.ts';
import type { Registration } from '../../../src/registration/model/registration.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const EVENT = event(
  persona('visitor', [field('name', 'name'), field('mail', 'email'), field('country', 'country')]),
);

const hide = (text: string, fields: Registration['fields'], before?: Record<string, unknown>): string =>
  hidePersonal(
    text,
    {
      registration: {
        persona: 'visitor',
        fields,
        barcode: 'A',
        parentBarcode: undefined,
        enableComms: false,
      },
      before: before && { fields: before },
    },
    fieldsOf(EVENT),
  );

const LONG = 'Augusta Ada King, Countess of Lovelace, of Ockham Park';
const LONG_MASKED = 'A•••••• A•• K•••, C••••••• o• L•••••••, o• O••••• P•••';

describe('what a service quotes of a person', () => {
  test.each<[string, string, Registration['fields'], string]>([
    ['in any case', 'taken by ADA@EXAMPLE.COM', { mail: 'ada@example.com' }, 'taken by A••@E••••••.C••'],
    ['the longest first', 'no Ada Lovelace', { x: 'Ada', name: 'Ada Lovelace' }, 'no A•• L•••••••'],
    ['as JSON', '{"name":"Jo \\"Jo\\" Doe"}', { name: 'Jo "Jo" Doe' }, '{"name":"J• \\"J•\\" D••"}'],
    ['in escapes', 'no Zo\\u00eb Wei\\u00df', { name: 'Zoë Weiß' }, 'no Z•• W•••'],
    ['after an escape', 'no\\nAda', { name: 'Ada' }, 'no\\nA••'],
    ['with its spaces drawn together', 'no Ada Lovelace', { name: 'Ada  Lovelace' }, 'no A•• L•••••••'],
    ['of fields unknown here', 'no secret', { extra: 'secret' }, 'no s•••••'],
    ['a word of three letters', 'Ali and Alia', { name: 'Ali' }, 'A•• and Alia'],
    ['long values within words', 'unLovelaced', { name: 'Lovela' }, 'unL•••••ced'],
    ['with slashes in escapes', 'no Ada\\/Lee', { name: 'Ada/Lee' }, 'no A••\\/L••'],
    ['without the spaces around it', 'no Ada Lee', { name: ' Ada Lee ' }, 'no A•• L••'],
    ['each of several', 'no fish, no meat', { extra: ['fish', 'meat'] }, 'no f•••, no m•••'],
    ['with sharp letters in any case', 'no GROẞE', { name: 'Große' }, 'no G••••'],
    ['with letters of which the capitals are two', 'no ᾈδης', { name: 'ᾀδης' }, 'no ᾈ•••'],
    [
      'as an address has it',
      'see /find?m=ada%40example.org',
      { mail: 'ada@example.org' },
      'see /find?m=a••@e••••••.o••',
    ],
    ['as a page has it', 'no W&#252;nsch', { name: 'Wünsch' }, 'no W•••••'],
    ['each character as an escape', 'no \\u004c\\u0065\\u0065', { name: 'Lee' }, 'no L••'],
    ['without its accents', 'no wunsch, no Wuensch', { name: 'Wünsch' }, 'no w•••••, no W••••••'],
    ['in base64', `no ${Buffer.from('Ada Lovelace').toString('base64')}`, { name: 'Ada Lovelace' }, 'no •••'],
    ['in hex', `no ${Buffer.from('Ada Lovelace').toString('hex')}`, { name: 'Ada Lovelace' }, 'no •••'],
    ['the name of an address alone', 'no petra.w7', { mail: 'petra.w7@example.org' }, 'no p••••.••'],
    ['a number in another form', 'no 0157 3981-1412', { tel: '+49 1573 9811412' }, 'no 01•• ••••-••••'],
    ['a date in another order', 'born 10.03.1977', { born: '1977-03-10' }, 'born 10.••.••••'],
    ['of somebody else', 'of mark@x.example, +49 151 22223333', {}, 'of m•••@•.e••••••, +49 ••• ••••••••'],
  ])('is masked: %s', (_, text, fields, expected) => {
    expect(hide(text, fields)).toBe(expected);
  });

  test.each([
    'request 4711-0815-2223',
    'at 2026-11-23 14:05:06',
    'reg-0049151222333',
    'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  ])('is not what tells of nobody: %s', (text) => {
    expect(hide(text, { name: 'Ada', tel: '+49 1573 9811412' })).toBe(text);
  });

  test('is masked where it is what the service held before', () => {
    expect(hide('it is of Bob Ross', { name: 'Ada' }, { name: 'Bob Ross' })).toBe('it is of B•• R•••');
  });

  test('is masked where a long text was cut within it', () => {
    const head = 'x'.repeat(290);
    expect(hide(`${head} ada@examp`, { mail: 'ada@example.com' })).toBe(`${head} a••@e••••`);
  });

  test('is masked where a text of a hundred characters ends within it, and not where a shorter one does', () => {
    const head = 'x'.repeat(92);
    expect(hide(`${head} Augusta`, { name: LONG })).toBe(`${head} A••••••`);
    expect(hide(`${head.slice(1)} Augusta`, { name: LONG })).toBe(`${head.slice(1)} Augusta`);
    expect(hide(`${head} Augusta.`, { name: LONG })).toBe(`${head} Augusta.`);
    expect(hide(`${head} and  Au`, { name: LONG })).toBe(`${head} and  Au`);
  });

  test.each<[string, string, string]>([
    ['by us, early', 'no Aug…', 'no A••…'],
    ['without a sign, after twenty characters', `${LONG.slice(0, 20)}d`, `${LONG_MASKED.slice(0, 20)}d`],
    ['by us', `${LONG.slice(0, 40)}…; and more`, `${LONG_MASKED.slice(0, 40)}…; and more`],
    [
      'by the service',
      `"${LONG.slice(0, 9)}..." is too long`,
      `"${LONG_MASKED.slice(0, 8)}•..." is too long`,
    ],
    ['without a sign', `${LONG.slice(0, 25)} is too long`, `${LONG_MASKED.slice(0, 25)} is too long`],
  ])('is masked where its value was cut %s', (_, text, expected) => {
    expect(hide(text, { name: LONG })).toBe(expected);
  });

  test('is masked whatever the size of the value, for the price of the text', () => {
    const huge = 'ab.c'.repeat(8_000_000);
    expect(hide(`no ${huge.slice(0, 290)}…`, { name: huge, x: `${huge}d` })).toMatch(/^no a•\.c.*…$/);
  });

  test.each(['ΑΔΑΣ', 'αδας', 'Αδασ'])('is masked however %s is written', (written) => {
    expect(hide(`no ${written}Α`, { name: 'ΑΔΑΣΑ' })).toMatch(/^no \p{L}•{4}$/u);
  });

  test.each<[string, string, Record<string, string>]>([
    ['beginnings of values, when nothing was cut', 'no Augustus', { name: 'Augusta Ada' }],
    ['beginnings of values, when something else was cut', 'no Augu x…', { name: 'Augusta Ada' }],
    ['beginnings of two letters', 'no Au…', { name: 'Augusta Ada' }],
    ['beginnings of less than twenty', `${LONG.slice(0, 19)} d`, { name: LONG.replace('ess', 'esS ') }],
    ['short values within words', 'invalid Al', { name: 'Ali' }],
    ['values of five letters within words', 'no Augustus', { name: 'Augus' }],
    ['short values at the end of words', 'invalid', { name: 'Lid' }],
    ['values of nobody', 'no null', { name: '' }],
    ['values of two letters', 'Al is wrong', { name: 'Al' }],
    ['values that are of no person', 'Kenya is closed', { country: 'Kenya' }],
    ['the host of a local service', 'redirects to http://api.example.com/', { name: 'Example' }],
    ['the host of the service', 'redirects to https://api.example.com/', { name: 'Example' }],
    ['anything, when there is nothing to hide', 'no', {}],
  ])('is all that is masked, not %s', (_, text, fields) => {
    expect(hide(text, fields)).toBe(text);
  });
});
