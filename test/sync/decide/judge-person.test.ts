import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { isSubstitute, leftByAnother } from '../../../src/sync/decide/judge-person.ts';
import { emailOf, nameOf } from '../../../src/registration/changes/person.ts';
import { hasName, hasOtherName } from '../../../src/sync/decide/near.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const FIELDS = fieldsOf(
  event(
    persona('visitor', [
      field('first', 'name'),
      field('last', 'name'),
      field('mail', 'email'),
      field('office', 'email'),
      field('phone', 'phone'),
    ]),
    persona('speaker', [field('phone', 'phone'), field('topic', 'text')]),
    persona('crew', [field('badge', 'text')]),
  ),
);
const digest = (text: string): string => `#${text}`;
const row = (fields: Registration['fields'], slug = 'visitor'): Registration => ({
  persona: slug,
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  fields,
});
const ADA = row({ first: 'Ada', last: 'Lee', mail: 'ada@b.example', office: 'desk@b.example' });

describe('a file has given a registration to somebody else', () => {
  const said = (values: Record<string, string | undefined>) => ({
    pairs: new Map(
      Object.entries(values).flatMap(([slug, text]) =>
        text === undefined
          ? []
          : [[slug, { said: text === '-' ? '-' : digest(text), seen: undefined }] as const],
      ),
    ),
    gone: false,
  });
  const SAID = { first: 'Ada', last: 'Lee', mail: 'ada@b.example', office: 'desk@b.example' };
  const isOther = (values: Record<string, string | undefined>, registration = ADA) =>
    isSubstitute(registration, said({ ...SAID, ...values }), { fields: FIELDS, digest });

  test.each<[string, Record<string, string | undefined>, boolean]>([
    ['not where it says what it said', {}, false],
    ['with another e-mail', { mail: 'bo@b.example' }, true],
    ['with another e-mail in any of its fields', { office: 'bo@b.example' }, true],
    ['with another name in all that makes up the name', { first: 'Bo', last: 'Ray' }, true],
    ['not with another last name alone', { last: 'Ray' }, false],
    ['not where it never said an e-mail', { mail: undefined }, false],
    ['not where no file ever spoke of the e-mail', { mail: '-' }, false],
    ['not where no file ever spoke of one of the names', { first: 'Bo', last: '-' }, false],
  ])('%s', (_, values, expected) => {
    expect(isOther(values)).toBe(expected);
  });

  test('not where it does not speak of the e-mail any more', () => {
    expect(isOther({ mail: 'bo@b.example' }, row({ first: 'Ada', last: 'Lee' }))).toBe(false);
  });

  test('not in a persona that has neither names nor e-mail', () => {
    const base = said({ badge: 'old' });
    expect(isSubstitute(row({ badge: 'new' }, 'crew'), base, { fields: FIELDS, digest })).toBe(false);
  });
});

describe('fields that keep what the person before had', () => {
  const left = (
    registration: Registration,
    values: RecordImage['fields'],
    slug: string | undefined = 'visitor',
  ) =>
    leftByAnother(
      registration,
      slug === 'none' ? { fields: values } : { persona: slug, fields: values },
      FIELDS,
    );
  const before = { first: 'Bo', last: 'Ray', mail: 'bo@b.example', office: 'desk@b.example', phone: '111' };
  const mail = row({ mail: 'ada@b.example' });
  const names = row({ first: 'Ada', last: 'Lee' });

  test('are those of which the file does not speak, and that hold something', () => {
    expect(left(mail, before)).toEqual(['first', 'last', 'office', 'phone']);
    expect(left(mail, { ...before, phone: '', last: null })).toEqual(['first', 'office']);
    expect(left(names, before)).toEqual(['mail', 'office', 'phone']);
    expect(left(names, before, 'none')).toEqual(['mail', 'office', 'phone']);
  });

  test('are those of the persona that it is listed with', () => {
    expect(left(mail, { ...before, topic: 'x' }, 'speaker')).toEqual(['phone', 'topic']);
  });

  test('are none where e-mail and names are only written otherwise', () => {
    expect(left(mail, { ...before, mail: 'ADA@b.example' })).toEqual([]);
    expect(left(names, { ...before, first: 'ADA', last: 'lee' })).toEqual([]);
    // A last name alone changes with a marriage.
    expect(left(names, { ...before, first: 'ada' })).toEqual([]);
  });

  test('are none where the file names nobody', () => {
    expect(left(row({ phone: '222' }), before)).toEqual([]);
  });
});

describe('the e-mail of a person', () => {
  test('is the first that the persona has, as it is compared', () => {
    expect(emailOf(row({ mail: ' ADA@b.example', office: 'x@b.example' }), FIELDS)).toBe('ada@b.example');
    expect(emailOf(row({ office: 'x@b.example' }), FIELDS)).toBeUndefined();
    expect(emailOf(row({ mail: '' }), FIELDS)).toBeUndefined();
    expect(emailOf(row({ badge: 'x' }, 'crew'), FIELDS)).toBeUndefined();
    expect(emailOf(row({}, 'nobody'), FIELDS)).toBeUndefined();
  });
});

describe('the name of a person', () => {
  const listed = (fields?: RecordImage['fields']): RecordImage => ({ fields });

  test('is had in whatever case, if all of it is', () => {
    expect(hasName(ADA, listed({ first: 'ADA', last: ' lee' }), FIELDS)).toBe(true);
    expect(hasName(ADA, listed({ first: 'Ada', last: 'Ray' }), FIELDS)).toBe(false);
    expect(hasName(ADA, listed({ first: 'Ada' }), FIELDS)).toBe(false);
    expect(hasName(ADA, listed(), FIELDS)).toBe(false);
  });

  test('is had by anybody where the row has none: a blank says nothing', () => {
    expect(hasName(row({ first: ' ', phone: '1' }), listed({ first: 'Bo', phone: '2' }), FIELDS)).toBe(true);
    expect(hasName(row({ first: 'Ada', last: '' }), listed({ first: 'Ada', last: 'Ray' }), FIELDS)).toBe(
      true,
    );
  });

  test('is another where nothing of it is the same', () => {
    expect(hasOtherName(ADA, listed({ first: 'Bo', last: 'Ray' }), FIELDS)).toBe(true);
    expect(hasOtherName(ADA, listed({ first: 'Bo', last: 'Lee' }), FIELDS)).toBe(false);
    expect(hasOtherName(ADA, listed(), FIELDS)).toBe(true);
    expect(hasOtherName(row({ phone: '1' }), listed({ first: 'Bo' }), FIELDS)).toBe(false);
  });

  test('is one text of all its parts', () => {
    expect(nameOf(ADA, FIELDS)).toBe('ada lee');
    expect(nameOf(row({ first: '', last: 'Lee' }), FIELDS)).toBe('lee');
    expect(nameOf(row({ last: 'LEE', mail: 'x' }), FIELDS)).toBe('lee');
    expect(nameOf(row({ first: ' ', mail: 'x' }), FIELDS)).toBeUndefined();
    expect(nameOf(row({ mail: 'x' }), FIELDS)).toBeUndefined();
  });
});
