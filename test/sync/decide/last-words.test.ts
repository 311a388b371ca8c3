import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { FieldValue, RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import {
  cannotSendBack,
  mayBeTried,
  type SentFacts,
  whatIsSent,
  whyNotSent,
} from '../../../src/sync/decide/what-is-sent.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const OWN = [field('name', 'text'), field('note', 'text'), field('site', 'website'), field('phone', 'phone')];
const FIELDS = fieldsOf(event(persona('visitor', OWN), persona('speaker', OWN)));
const ROW: Registration = {
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  fields: { name: 'Ann' },
};
const BEFORE: RecordImage = { id: 'reg-1', persona: 'visitor', barcode: 'A', fields: { name: 'Ann' } };

/** What this machine said last, by field; `lost`: it said something. */
const facts = (words: Record<string, FieldValue>, more: Partial<SentFacts> = {}): SentFacts => ({
  registration: ROW,
  before: BEFORE,
  fields: FIELDS,
  rules: new Map(),
  lastWord: ({ slug }) => {
    const word = words[slug];
    return word === undefined || word === 'lost' ? word : { value: word };
  },
  ...more,
});

describe('a value that was sent and is not shown', () => {
  test('is sent along', () => {
    expect(whatIsSent(facts({ note: 'vegan' }))).toEqual({
      registration: { ...ROW, fields: { name: 'Ann', note: 'vegan' } },
      along: ['note'],
      cannot: [],
      takesBackMessages: false,
    });
  });

  test('cannot be sent where it is not known any more', () => {
    const { registration, along, cannot } = whatIsSent(facts({ note: 'lost', phone: '+34600111222' }));
    expect([along, cannot]).toEqual([['phone'], ['note']]);
    expect(registration.fields).toEqual({ name: 'Ann', phone: '+34600111222' });
  });

  test.each<[string, Partial<SentFacts>]>([
    ['the row speaks of it', { registration: { ...ROW, fields: { name: 'Ann', note: '' } } }],
    ['it is proven to stay', { rules: new Map([['visitor:note', 'merge']]) }],
    ['nobody has looked', { before: undefined }],
    ['no values are shown', { before: { ...BEFORE, fields: undefined } }],
    ['the registration moves to another persona', { before: { ...BEFORE, persona: 'speaker' } }],
  ])('is left where %s', (_, more) => {
    expect(whatIsSent(facts({ note: 'vegan' }, more)).along).toEqual([]);
    expect(cannotSendBack(facts({ note: 'lost' }, more))).toEqual([]);
  });

  test('is sent where an update is seen to take it away', () => {
    const rules = new Map([['visitor:note', 'reset' as const]]);
    expect(whatIsSent(facts({ note: 'vegan' }, { rules })).along).toEqual(['note']);
  });
});

describe('a value that is shown otherwise than it was sent', () => {
  const shown = (note: unknown) => ({ before: { ...BEFORE, fields: { name: 'Ann', note } } });

  test('is sent as it was, once', () => {
    expect(whatIsSent(facts({ note: 'vegan, and no nuts' }, shown('vegan, and…')))).toMatchObject({
      registration: { fields: { note: 'vegan, and no nuts' } },
      along: ['note'],
      cannot: [],
    });
  });

  test('is sent as it is shown where it is not known how it was, if that can be sent', () => {
    expect(whatIsSent(facts({ note: 'lost' }, shown('vegan')))).toMatchObject({
      along: ['note'],
      cannot: [],
    });
    expect(whatIsSent(facts({ note: 'lost' }, shown('vegan…')))).toMatchObject({
      along: [],
      cannot: ['note'],
    });
  });

  test('is asked of the file only where it is a text that cannot be sent', () => {
    const asked: string[] = [];
    const sentByFile = (slug: string, text: string) => {
      asked.push(`${slug} ${text}`);
      return false;
    };
    const more = (note: unknown) => ({ ...shown(note), sentByFile });
    whatIsSent(facts({}, more('plain')));
    whatIsSent(facts({}, more({ given: 'Ann' })));
    expect(asked).toEqual([]);
    whatIsSent(facts({}, more('cut?…')));
    expect(asked).toEqual(['note cut?…']);
  });

  test('is the own link of the file where only a signature stands behind it', () => {
    const sentByFile = (_slug: string, text: string) => text === 'https://example.com/a';
    const site = (url: string) => ({ sentByFile, before: { ...BEFORE, fields: { site: url } } });
    const back = whatIsSent(facts({}, site('https://example.com/a?token=1')));
    expect(back.registration.fields['site']).toBe('https://example.com/a');
    const note = { ...shown('https://example.com/a?token=1…'), sentByFile };
    expect(cannotSendBack(facts({}, note))).toEqual(['note']);
  });
});

describe('the parent', () => {
  test('that is shown is sent, not the one that was sent last', () => {
    const before = { ...BEFORE, parentBarcode: 'P' };
    const { registration, along } = whatIsSent(facts({}, { before, lastParent: () => 'Q' }));
    expect([registration.parentBarcode, along]).toEqual(['P', ['parent_barcode']]);
    const rules = new Map([['parent', 'merge' as const]]);
    const stays = whatIsSent(facts({}, { before, rules, lastParent: () => 'Q' }));
    expect([stays.registration.parentBarcode, stays.along]).toEqual([undefined, []]);
  });

  test('that was sent last goes with a move, though updates leave it', () => {
    const rules = new Map([['parent', 'merge' as const]]);
    const before = { ...BEFORE, persona: 'speaker' };
    const { registration, along } = whatIsSent(facts({}, { before, rules, lastParent: () => 'Q' }));
    expect([registration.parentBarcode, along]).toEqual(['Q', ['parent_barcode']]);
    expect(whatIsSent(facts({}, { lastParent: () => undefined })).along).toEqual([]);
  });
});

describe('what may be left out to see what becomes of it', () => {
  const before = {
    ...BEFORE,
    enableComms: true,
    parentBarcode: 'P',
    fields: { note: 'x', phone: '+34600111222' },
  };

  test('is what can be sent back for sure: never messages', () => {
    expect(mayBeTried(facts({}, { before }))).toEqual(['parent', 'visitor:note', 'visitor:phone']);
    const refused = { ...before, fields: { ...before.fields, phone: '600 111' } };
    expect(mayBeTried(facts({ phone: '600 111' }, { before: refused }))).toEqual(['parent', 'visitor:note']);
  });

  test('is nothing where values are not shown, or nobody has looked', () => {
    expect(mayBeTried(facts({}, { before: { ...before, fields: undefined } }))).toEqual([]);
    expect(mayBeTried(facts({}, { before: undefined }))).toEqual([]);
  });
});

test('why a row is not sent names what stands in the way', () => {
  expect(whyNotSent(['note', 'parent_barcode'])).toBe(
    'not sent: its registration holds what the file does not have and what cannot be sent back exactly as it is listed: note, parent_barcode; give the file such a column, or change it in the service',
  );
});
