import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { givesAway, hasName, leftByAnother } from '../../../src/sync/decide/judge-person.ts';
import { emailOf, nameOf } from '../../../src/registration/changes/person.ts';
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

describe('a file gives a registration to somebody else', () => {
  const BEFORE = { first: 'Ada', last: 'Lee', mail: 'ada@b.example', office: 'desk@b.example' };
  const CHANGED = { first: 'Bo', last: 'Ray', mail: 'bo@b.example' };
  const gives = (
    registration: Registration,
    listed: RecordImage['fields'] = BEFORE,
    known: Readonly<Record<string, string>> = BEFORE,
  ): boolean => {
    const pairs = Object.entries(known).map(
      ([slug, text]) => [slug, { said: digest(text), seen: digest(text) }] as const,
    );
    const base = { pairs: new Map(pairs), gone: false };
    return givesAway({ registration, record: { fields: listed }, base, fields: FIELDS, digest }) > 0;
  };
  const { mail: _mail, ...NAMES } = BEFORE;

  test.each<[string, boolean, boolean]>([
    ['not where it says what it said', gives(ADA), false],
    ['with another e-mail', gives(row({ ...BEFORE, mail: 'bo@b.example' })), true],
    ['with another name in all that makes up the name', gives(row({ first: 'Bo', last: 'Ray' })), true],
    ['not with another last name alone', gives(row({ ...BEFORE, last: 'Ray' })), false],
    [
      'not with a name and an e-mail in another case',
      gives(row({ ...BEFORE, mail: 'ADA@b.example', first: 'ADA' })),
      false,
    ],
    ['not where it does not speak of the e-mail any more', gives(row({ first: 'Ada', last: 'Lee' })), false],
    [
      'not where nothing is known of the e-mail',
      gives(row({ ...BEFORE, mail: 'bo@b.example' }), BEFORE, NAMES),
      false,
    ],
    [
      'not where the service has changed it, too',
      gives(row({ ...BEFORE, mail: 'cy@b.example' }), { ...BEFORE, ...CHANGED }),
      false,
    ],
    [
      'not where the service has it already',
      gives(row({ ...BEFORE, ...CHANGED }), { ...BEFORE, ...CHANGED }),
      false,
    ],
    [
      'not in a persona that has neither names nor e-mail',
      gives(row({ badge: 'new' }, 'crew'), { badge: 'old' }, { badge: 'old' }),
      false,
    ],
  ])('%s', (_, given, expected) => {
    expect(given).toBe(expected);
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

  test('is one text of all its parts', () => {
    expect(nameOf(ADA, FIELDS)).toBe('ada lee');
    expect(nameOf(row({ first: '', last: 'Lee' }), FIELDS)).toBe('lee');
    expect(nameOf(row({ last: 'LEE', mail: 'x' }), FIELDS)).toBe('lee');
    expect(nameOf(row({ first: ' ', mail: 'x' }), FIELDS)).toBeUndefined();
    expect(nameOf(row({ mail: 'x' }), FIELDS)).toBeUndefined();
  });
});
