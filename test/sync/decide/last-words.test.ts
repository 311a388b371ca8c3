import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { FieldValue, RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { type SentFacts, whatIsSent } from '../../../src/sync/decide/what-is-sent.ts';
import { whyNotSent } from '../../../src/sync/perform/send-row.ts';
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
    });
  });

  test('cannot be sent where it is not known any more', () => {
    const { registration, along, cannot } = whatIsSent(facts({ note: 'lost', phone: '+34600111222' }));
    expect([along, cannot]).toEqual([['phone'], ['note']]);
    expect(registration.fields).toEqual({ name: 'Ann', phone: '+34600111222' });
  });

  test.each<[string, Partial<SentFacts>]>([
    ['the row speaks of it', { registration: { ...ROW, fields: { name: 'Ann', note: '' } } }],
    ['nobody has looked', { before: undefined }],
    ['no values are shown', { before: { ...BEFORE, fields: undefined } }],
    ['the registration moves to another persona', { before: { ...BEFORE, persona: 'speaker' } }],
  ])('is left where %s', (_, more) => {
    expect(whatIsSent(facts({ note: 'vegan' }, more)).along).toEqual([]);
    expect(whatIsSent(facts({ note: 'lost' }, more)).cannot).toEqual([]);
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
    expect(whatIsSent(facts({}, note)).cannot).toEqual(['note']);
  });
});

describe('the parent', () => {
  test('that is shown is sent, not the one that was sent last', () => {
    const before = { ...BEFORE, parentBarcode: 'P' };
    const { registration, along } = whatIsSent(facts({}, { before, lastParent: () => 'Q' }));
    expect([registration.parentBarcode, along]).toEqual(['P', ['parent_barcode']]);
  });

  test('that was sent last goes with a move, too', () => {
    const before = { ...BEFORE, persona: 'speaker' };
    const { registration, along } = whatIsSent(facts({}, { before, lastParent: () => 'Q' }));
    expect([registration.parentBarcode, along]).toEqual(['Q', ['parent_barcode']]);
    expect(whatIsSent(facts({}, { lastParent: () => undefined })).along).toEqual([]);
  });
});

test('why a row is not sent names what stands in the way', () => {
  expect(whyNotSent(['note', 'parent_barcode'])).toBe(
    'not sent: what its registration holds and the row leaves as it is cannot be sent back exactly as it is listed: note, parent_barcode; give the row a value there, change it in the service, or send what the file has there with --overwrite',
  );
});
