import { describe, expect, test } from 'vitest';
import type { UnsentRule } from '../../../src/sync/decide/unsent-things.ts';
import {
  cannotSendBack,
  mayBeTried,
  type SentFacts,
  whatIsSent,
} from '../../../src/sync/decide/what-is-sent.ts';
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

const rules = (given: Record<string, UnsentRule> = {}) => new Map(Object.entries(given));
const facts = (more: Partial<SentFacts> = {}): SentFacts => ({
  registration: ROW,
  before: BEFORE,
  fields: FIELDS,
  rules: rules(),
  ...more,
});

describe('what goes over the wire', () => {
  test('is the row, and all that its registration holds in other fields of its persona', () => {
    expect(whatIsSent(facts())).toEqual({
      registration: { ...ROW, fields: { name: 'Ann', company: 'Acme', phone: '+34600111222' } },
      along: ['company', 'phone'],
      cannot: [],
      takesBackMessages: false,
    });
  });

  test('is the row alone where there is nothing, or nothing was read', () => {
    expect(whatIsSent(facts({ before: undefined })).registration).toEqual(ROW);
    expect(whatIsSent(facts({ before: { ...BEFORE, fields: undefined } })).registration).toEqual(ROW);
  });

  test('is without what is proven to stay, that very thing of that very persona alone', () => {
    const along = (given: Record<string, UnsentRule>) => whatIsSent(facts({ rules: rules(given) })).along;
    expect(along({ 'visitor:phone': 'merge' })).toEqual(['company']);
    expect(along({ 'visitor:phone': 'reset', 'speaker:company': 'merge' })).toEqual(['company', 'phone']);
    expect(along({ parent: 'merge', comms: 'merge' })).toEqual(['company', 'phone']);
  });

  test('is without what is left out on purpose', () => {
    expect(whatIsSent(facts({ leaveOut: new Set(['visitor:company']) })).along).toEqual(['phone']);
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

  test('has the group of a member, unless the row names one or the group is proven to stay', () => {
    const before = { ...BEFORE, parentBarcode: 'P' };
    const sent = (more: Partial<SentFacts>) =>
      whatIsSent(facts({ before, ...more })).registration.parentBarcode;
    expect(sent({})).toBe('P');
    expect(sent({ registration: { ...ROW, parentBarcode: 'Q' } })).toBe('Q');
    expect(sent({ rules: rules({ parent: 'merge' }) })).toBeUndefined();
    expect(sent({ rules: rules({ 'visitor:phone': 'merge' }) })).toBe('P');
  });

  test('has the parent that was sent last where none is shown, unless it is proven to stay', () => {
    const sent = (more: Partial<SentFacts>) => {
      const { registration, along } = whatIsSent(facts({ lastParent: () => 'P', ...more }));
      return [registration.parentBarcode, along.includes('parent_barcode')];
    };
    expect(sent({})).toEqual(['P', true]);
    expect(sent({ rules: rules({ parent: 'merge' }) })).toEqual([undefined, false]);
    expect(sent({ before: undefined })).toEqual([undefined, false]);
    expect(sent({ registration: { ...ROW, parentBarcode: 'Q' } })).toEqual(['Q', false]);
    expect(sent({ registration: { ...ROW, leavesGroup: true } })).toEqual([undefined, false]);
  });

  test('never asks for messages that the row does not ask for', () => {
    const before = { ...BEFORE, enableComms: true };
    for (const given of [rules(), rules({ comms: 'reset' }), rules({ comms: 'merge' })]) {
      expect(whatIsSent(facts({ before, rules: given })).registration.enableComms).toBe(false);
    }
    expect(whatIsSent(facts({ before })).takesBackMessages).toBe(true);
    expect(whatIsSent(facts({ before, rules: rules({ comms: 'merge' }) })).takesBackMessages).toBe(false);
    const registration = { ...ROW, enableComms: true };
    expect(whatIsSent(facts({ before, registration })).takesBackMessages).toBe(false);
  });

  test('of a registration that moves to another persona leaves nothing to what is proven', () => {
    const registration = { ...ROW, persona: 'speaker' };
    const given = rules({ 'speaker:phone': 'merge', 'visitor:phone': 'merge' });
    expect(whatIsSent(facts({ registration, rules: given })).along).toEqual(['company', 'phone']);
    expect(mayBeTried(facts({ registration }))).toEqual([]);
  });
});

describe('what cannot be sent back', () => {
  const signed = 'https://example.com/a.jpg?signature=1';
  const before = { ...BEFORE, fields: { name: 'Old', photo: signed } };

  test('is named, unless it is proven to stay or in the row', () => {
    expect(cannotSendBack(facts({ before }))).toEqual(['photo']);
    expect(cannotSendBack(facts({ before, rules: rules({ 'visitor:photo': 'merge' }) }))).toEqual([]);
    expect(cannotSendBack(facts({ before, rules: rules({ 'visitor:photo': 'reset' }) }))).toEqual(['photo']);
    const registration = { ...ROW, fields: { ...ROW.fields, photo: 'https://example.com/b.jpg' } };
    expect(cannotSendBack(facts({ before, registration }))).toEqual([]);
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
    expect(cannotSendBack(facts({ before: listed }))).toEqual([slug]);
    expect(mayBeTried(facts({ before: listed }))).toEqual([]);
    const proven = whatIsSent(facts({ before: listed, rules: rules({ [`visitor:${slug}`]: 'merge' }) }));
    expect([proven.cannot, proven.along]).toEqual([[], []]);
    const sentByFile = (name: string, text: string) => name === slug && text === shown;
    expect(whatIsSent(facts({ before: listed, sentByFile })).along).toEqual([slug]);
  });

  test('and what may not be taken is not put on trial, nor what something is known of', () => {
    expect(mayBeTried(facts())).toEqual(['visitor:company', 'visitor:phone']);
    expect(mayBeTried(facts({ before }))).toEqual([]);
    expect(mayBeTried(facts({ before: { ...BEFORE, enableComms: true, parentBarcode: 'P' } }))).toEqual([
      'parent',
      'visitor:company',
      'visitor:phone',
    ]);
    const known = rules({ 'visitor:company': 'reset', 'visitor:phone': 'merge' });
    expect(mayBeTried(facts({ rules: known }))).toEqual([]);
  });
});
