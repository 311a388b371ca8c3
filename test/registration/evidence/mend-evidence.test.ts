import { describe, expect, it } from 'vitest';
import { MendEvidence } from '../../../src/registration/evidence/mend-evidence.ts';
import { meaningOfText, meaningsOf } from '../../../src/registration/repairs/meanings.ts';
import type { FieldKind } from '../../../src/registration/model/persona.ts';

const TODAY = '2026-11-26';

function shown(kind: FieldKind, texts: readonly string[], isBirth = false, said = {}) {
  const evidence = new MendEvidence('x', meaningsOf(said), TODAY);
  for (const [at, text] of texts.entries()) evidence.add(text, { kind, isBirth }, at + 2);
  return evidence.open.map(({ text, rows, meant }) => [text, rows, meant[0]?.meaning]);
}

describe('what one change mends', () => {
  it('is an address of the web without its scheme', () => {
    expect(
      shown('website', ['www.a.es', 'acme.es', 'WWW.b.es/Path', 'https://c.es', 'ask me', 'a@b.es']),
    ).toEqual([
      ['www.*', 2, 'https://www.*'],
      ['acme.es', 1, 'https://acme.es'],
    ]);
    expect(shown('text', ['www.a.es'])).toEqual([]);
  });

  it('is a phone number amid words, or before its extension', () => {
    const texts = ['+1 512 867 5309 x12', '206 867-5310 x7', '0171 222333 (office)', 'Handy: 0171 222334'];
    expect(shown('phone', texts)).toEqual([
      ['* x*', 2, '*'],
      ['* (office)', 1, '*'],
      ['Handy: *', 1, '*'],
    ]);
    expect(meaningOfText('+1 512 867 5309 x12', meaningsOf({ '* x*': '*' }))).toBe('+1 512 867 5309');
    expect(shown('phone', ['ask Tim, room 12', '+34 600 000 000'])).toEqual([]);
    expect(shown('phone', [`${'1'.repeat(200_000)}+`, `0171 222333 ${'x'.repeat(200_000)}`])).toEqual([]);
  });

  it('is the first of two phone numbers, which a slash alone does not part', () => {
    const two = ['0171 222333 or 0172 333444', '0171 2223334 / 030 123456', '0171/2223334/+49 30 123456'];
    const one = ['030 / 1234567', '0171/2223334', '+49 (0)30 / 01234567', '206-867-5310'];
    const forms = ['* or *', '* / 0*', '*/+*'];
    expect(shown('phone', [...two, ...one, '206-867-5310, 206-867-5311'])).toEqual(
      [...forms, '*, *'].map((form) => [form, 1, '*']),
    );
    const said = Object.fromEntries(forms.map((form) => [form, '*']));
    expect(two.map((text) => meaningOfText(text, meaningsOf(said)))).toEqual([
      '0171 222333',
      '0171 2223334',
      '0171/2223334',
    ]);
  });

  it('is a year of two digits, of the century that is likely', () => {
    expect(shown('date', ['14.03.27', '15.03.26', '1.4.85', '2027-03-14', '27-03-14'])).toEqual([
      ['*.*.2#', 2, '*.*.202#'],
      ['*.*.8#', 1, '*.*.198#'],
    ]);
    expect(shown('date', ['3/14/67', '3/14/05'], true)).toEqual([
      ['*/*/6#', 1, '*/*/196#'],
      ['*/*/0#', 1, '*/*/200#'],
    ]);
    expect(shown('date', ['14.03.27 10:30', '15.03.27 9:00', '14.03.27x'])).toEqual([
      ['*.*.2# *', 2, '*.*.202# *'],
    ]);
    // Some of them are children.
    expect(shown('date', ['14.03.27', '15.03.25', '16.03.27'], true)).toEqual([
      ['*.*.27', 2, '*.*.1927'],
      ['*.*.25', 1, '*.*.2025'],
    ]);
  });

  it('is several addresses in one cell, joined by an address book', () => {
    expect(shown('email', ['a@x.es ::: b@x.es', 'a@x.es; b@x.es', 'nobody ::: b@x.es'])).toEqual([
      ['* ::: *', 1, '*'],
    ]);
  });

  it('is nothing of which something is said, and nothing where all are different', () => {
    expect(shown('website', ['www.a.es'], false, { 'www.*': 'www.*' })).toEqual([]);
    expect(
      shown(
        'website',
        Array.from({ length: 51 }, (_, at) => `a${at}.es`),
      ),
    ).toEqual([]);
  });
});

describe('a form of texts', () => {
  const meant = (text: string, said: Readonly<Record<string, string>>) =>
    meaningOfText(text, meaningsOf(said));

  it.each([
    ['www.Acme.es/Über?q=1', { 'www.*': 'https://www.*' }, 'https://www.Acme.es/Über?q=1'],
    ['WWW.acme.es', { 'www.*': 'https://www.*' }, 'https://www.acme.es'],
    ['https://www.acme.es', { 'www.*': 'https://www.*' }, undefined],
    ['4.5.27', { '*.*.2#': '*.*.202#' }, '4.5.2027'],
    ['4.5.2027', { '*.*.2#': '*.*.202#' }, undefined],
    ['4.5.27 10:30', { '*.*.2# *': '*.*.202# *' }, '4.5.2027 10:30'],
    ['4/5/27', { '*.*.2#': '*.*.202#' }, undefined],
    ['4.5.05', { '*.*.##': '*.*.19##', '*.*.0#': '*.*.200#' }, '4.5.2005'],
    ['4.5.15', { '*.*.##': '*.*.19##', '*.*.0#': '*.*.200#' }, '4.5.1915'],
    ['a ::: b ::: c', { '* ::: *': '*' }, 'a'],
    [
      'www.acme.es',
      { 'www.*': 'https://www.*', 'www.acme.es': 'https://acme.example' },
      'https://acme.example',
    ],
    ['www.acme.es', { 'www.*': 'www.*' }, undefined],
    // Without a star in its meaning a text is one with a star.
    ['Studentin', { 'Student*in': 'Student' }, undefined],
    ['Student*in', { 'Student*in': 'Student' }, 'Student'],
  ])('%j among %j is %j', (text, said, meaning) => {
    expect(meant(text, said)).toBe(meaning);
  });

  it('is looked for in short texts only', () => {
    expect(meant(`www.${'a.'.repeat(50_000)}`, { '*.*.*.##': '*.*.*.20##', 'www.*': 'https://www.*' })).toBe(
      undefined,
    );
  });
});
