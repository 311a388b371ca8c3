import { describe, expect, test } from 'vitest';
import { Sight } from '../../../src/sync/decide/base.ts';
import { type SentFacts, whatIsSent } from '../../../src/sync/decide/what-is-sent.ts';
import { namedBy } from '../../../src/sync/perform/send-row.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const OWN = [
  field('name', 'text'),
  field('company', 'text'),
  field('phone', 'phone'),
  field('photo', 'upload'),
  field('__proto__', 'text'),
];
const FIELDS = fieldsOf(event(persona('visitor', OWN), persona('speaker', OWN)));
const ROW: Registration = {
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  fields: { name: 'Ann' },
};
const BEFORE: RecordImage = {
  id: 'reg-1',
  persona: 'visitor',
  barcode: 'A',
  fields: { name: 'Old', company: 'Acme', phone: '+34600111222', status: 'paid' },
};

const facts = (more: Partial<SentFacts> = {}): SentFacts => ({
  registration: ROW,
  before: BEFORE,
  fields: FIELDS,
  ...more,
});

describe('what goes over the wire', () => {
  test('is the row, and all that its registration holds in other fields of its persona', () => {
    expect(whatIsSent(facts())).toEqual({
      registration: { ...ROW, fields: { name: 'Ann', company: 'Acme', phone: '+34600111222' } },
      along: ['company', 'phone'],
      cannot: [],
    });
  });

  test('is the row alone where there is nothing, or nothing was read', () => {
    expect(whatIsSent(facts({ before: undefined })).registration).toEqual(ROW);
    expect(whatIsSent(facts({ before: { ...BEFORE, fields: undefined } })).registration).toEqual(ROW);
  });

  test('is without what the service refuses to take back, and was seen to keep', () => {
    expect(whatIsSent(facts({ untaken: new Set(['company']) })).along).toEqual(['phone']);
  });

  test('is nothing where a text is listed just as long as the list is seen to cut, of another row too', () => {
    const fields = { name: 'Ann-', company: 'Acme' };
    const before = { ...BEFORE, fields };
    const sent = (more: Partial<SentFacts>, longest = fields) => {
      const sight = new Sight(() => [before, { ...BEFORE, fields: longest }]);
      whatIsSent(facts({ registration: { ...ROW, fields: { name: 'Ann-Sophie' } }, before, sight }));
      return whatIsSent(facts({ before, sight, ...more })).cannot;
    };
    expect(sent({})).toEqual(['company']);
    expect(sent({ sentByFile: () => true })).toEqual([]);
    expect(sent({ before: { ...before, fields: { ...fields, company: 'Acme Ltd' } } })).toEqual([]);
    // Somebody has shortened that one.
    expect(sent({}, { ...fields, name: 'Bea-Luise' })).toEqual([]);
  });

  test('is nothing where less is listed than was said last, also of a value that the row leaves open', () => {
    const before = { ...BEFORE, fields: { name: 'Ann', company: 'Acme' } };
    const sent = (said: string) =>
      whatIsSent(facts({ before, sight: new Sight(() => [before]), saidLast: () => said })).cannot;
    expect(sent('Acme Ltd')).toEqual(['company']);
    expect(sent('Acme')).toEqual([]);
  });

  test('has what the row empties emptied', () => {
    const registration = { ...ROW, fields: { ...ROW.fields, company: '' } };
    expect(whatIsSent(facts({ registration })).registration.fields).toMatchObject({ company: '' });
  });

  test('has a field called __proto__ like any other', () => {
    const before = { fields: JSON.parse('{"__proto__": "x"}') as Record<string, unknown> };
    expect(Object.entries(whatIsSent(facts({ before })).registration.fields)).toEqual([
      ['name', 'Ann'],
      ['__proto__', 'x'],
    ]);
  });

  test('has the group of a member, unless the row names one or leaves it', () => {
    const before = { ...BEFORE, parentBarcode: 'P' };
    const sent = (more: Partial<SentFacts>) =>
      whatIsSent(facts({ before, ...more })).registration.parentBarcode;
    expect(sent({})).toBe('P');
    expect(sent({ registration: { ...ROW, parentBarcode: 'Q' } })).toBe('Q');
    expect(sent({ registration: { ...ROW, leavesGroup: true } })).toBeUndefined();
  });

  test('has the parent that was sent last where none is shown', () => {
    const sent = (more: Partial<SentFacts>) => {
      const { registration, along } = whatIsSent(facts({ lastParent: () => 'P', ...more }));
      return [registration.parentBarcode, along.includes('parent_barcode')];
    };
    expect(sent({})).toEqual(['P', true]);
    expect(sent({ before: undefined })).toEqual([undefined, false]);
    expect(sent({ registration: { ...ROW, parentBarcode: 'Q' } })).toEqual(['Q', false]);
    expect(sent({ registration: { ...ROW, leavesGroup: true } })).toEqual([undefined, false]);
  });

  test('never asks for messages that the row does not ask for', () => {
    const before = { ...BEFORE, enableComms: true };
    const { registration, along } = whatIsSent(facts({ before }));
    expect([registration.enableComms, along]).toEqual([false, ['company', 'phone']]);
  });

  test('of a registration that moves to another persona is what both have', () => {
    const registration = { ...ROW, persona: 'speaker' };
    expect(whatIsSent(facts({ registration })).along).toEqual(['company', 'phone']);
    const poor = fieldsOf(event(persona('visitor', OWN.slice(0, 2)), persona('speaker', OWN)));
    expect(whatIsSent(facts({ registration, fields: poor })).along).toEqual(['company']);
  });
});

describe('what cannot be sent back', () => {
  const signed = 'https://example.com/a.jpg?signature=1';
  const before = { ...BEFORE, fields: { name: 'Old', photo: signed } };

  const cannot = (more: Partial<SentFacts>) => whatIsSent(facts(more)).cannot;

  test('is named, unless the row has it', () => {
    expect(cannot({ before })).toEqual(['photo']);
    const registration = { ...ROW, fields: { ...ROW.fields, photo: 'https://example.com/b.jpg' } };
    expect(cannot({ before, registration })).toEqual([]);
  });

  test('is no link that the file once sent, also with a signature behind it', () => {
    const link = (sent: string) =>
      whatIsSent(facts({ before, sentByFile: (slug, text) => slug === 'photo' && text === sent }))
        .registration.fields['photo'];
    expect(link(signed)).toBe(signed);
    expect(link('https://example.com/a.jpg')).toBe('https://example.com/a.jpg');
    expect(link('https://example.com/b.jpg')).toBeUndefined();
  });

  test.each([
    ['phone', '+49****67'],
    ['company', 'Tom &amp; Jerry'],
    ['company', 'A company of a long name, and s…'],
  ])('is a %s that is listed in another form, unless the file sent just that', (slug, shown) => {
    const listed = { ...BEFORE, fields: { name: 'Old', [slug]: shown } };
    expect(cannot({ before: listed })).toEqual([slug]);
    const sentByFile = (name: string, text: string) => name === slug && text === shown;
    expect(whatIsSent(facts({ before: listed, sentByFile })).along).toEqual([slug]);
  });
});

test('a refusal names fields by their slugs and labels, as words', () => {
  const own = OWN.map((one) => (one.slug === 'phone' ? { ...one, label: 'Mobile number' } : one));
  const named = (message: string) => namedBy(message, ['company', 'phone'], own);
  expect(named('fields.phone: is not allowed')).toEqual(['phone']);
  expect(named('The mobile number is invalid.')).toEqual(['phone']);
  expect(named('phones and companies are closed')).toEqual([]);
});
