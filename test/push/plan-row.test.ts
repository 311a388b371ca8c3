import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Base, plannedChanges, planRow } from '../../src/push/plan-row.ts';
import { fieldsOf } from '../../src/registration/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../src/registration/registration.ts';
import { event, field, persona } from '../registration/persona-fixture.ts';

const FIELDS = fieldsOf(
  event(
    persona('visitor', [
      field('name', 'name'),
      field('email', 'email'),
      field('phone', 'phone'),
      field('meal', 'choice', ['fish', 'meat'], true),
    ]),
  ),
);

type Values = Registration['fields'];
const row = (fields: Values, more: Partial<Omit<Registration, 'fields'>> = {}): Registration => ({
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  ...more,
  fields,
});
const image = (fields: RecordImage['fields'], more: RecordImage = {}): RecordImage => ({
  id: 'reg-1',
  persona: 'visitor',
  barcode: 'A',
  ...more,
  fields,
});
const record = (fields: RecordImage['fields'], more: RecordImage = {}): RegistrationRecord => ({
  id: 'reg-1',
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: undefined,
  ...more,
  fields,
  raw: {},
});
const base = (sent: Registration, shown?: RecordImage): Base => ({ sent, shown });

interface Given {
  registration?: Registration;
  found?: readonly RegistrationRecord[];
  base?: Base;
  overwrite?: boolean;
  parentsShown?: boolean;
}
const plan = ({
  registration = row({ name: 'Ada' }),
  found = [],
  base,
  overwrite = false,
  parentsShown,
}: Given) =>
  planRow({
    registration,
    found,
    base,
    overwrite,
    fields: FIELDS,
    ...(parentsShown === undefined ? {} : { parentsShown }),
  });

const EDITED = (fields: string): string =>
  `edited in the service since it was sent: ${fields}; --overwrite sends the file's values`;

describe('not found', () => {
  test.each([
    ['never sent', {}, 'create'],
    ['never sent, overwriting', { overwrite: true }, 'create'],
    ['sent before', { base: base(row({ name: 'Ada' })) }, 'conflict'],
    ['sent before, overwriting', { base: base(row({ name: 'Ada' })), overwrite: true }, 'create'],
  ] as const)('%s', (_, given, action) => {
    expect(plan(given)).toEqual({
      action,
      record: undefined,
      changes: [],
      why:
        action === 'conflict'
          ? 'it was sent before and has been deleted in the service since; --overwrite creates it again'
          : undefined,
    });
  });
});

describe('several found', () => {
  const found = [record({ name: 'Ada' }), record({}, { id: undefined }), record({}, { id: 'reg-3' })];
  test.each([false, true])('is left to people, with all ids (overwrite %s)', (overwrite) => {
    expect(plan({ found, overwrite })).toEqual({
      action: 'conflict',
      record: undefined,
      changes: [],
      why: '3 registrations in the service have this barcode: reg-1, one without id, reg-3',
    });
  });
});

describe('one found', () => {
  test('that shows no fields is unknown, whatever was known', () => {
    for (const known of [undefined, base(row({ name: 'Bo' }))]) {
      const found = [record(undefined)];
      const given = known === undefined ? { found } : { found, base: known };
      expect(plan(given)).toEqual({ action: 'unknown', record: found[0], changes: [], why: undefined });
    }
  });

  test('that has all the row asks for is unchanged', () => {
    const found = [record({ name: 'Ada', phone: '1' })];
    expect(plan({ found })).toEqual({ action: 'unchanged', record: found[0], changes: [], why: undefined });
  });

  test('with other values, and nothing known of it, is updated', () => {
    const found = [record({ name: 'Bo' })];
    const changes = [{ field: 'name', before: 'Bo', after: 'Ada' }];
    expect(plan({ found })).toEqual({ action: 'update', record: found[0], changes, why: undefined });
  });

  test('as it was sent before, and the row is edited, is updated', () => {
    const found = [record({ name: 'Bo' })];
    expect(plan({ found, base: base(row({ name: 'Bo' })) })).toMatchObject({
      action: 'update',
      changes: [{ field: 'name', before: 'Bo', after: 'Ada' }],
    });
  });

  test('edited in the service since, is left to people; only what was edited is named', () => {
    const registration = row({ name: 'Ada', email: 'new@example.com', phone: '12345' });
    const sent = row({ name: 'Ada', email: 'old@example.com', phone: '12345' });
    const found = [record({ name: 'Eve', email: 'old@example.com', phone: '99999' })];
    const given = { registration, found, base: base(sent) };
    expect(plan(given)).toEqual({
      action: 'conflict',
      record: found[0],
      changes: [
        { field: 'name', before: 'Eve', after: 'Ada' },
        { field: 'email', before: 'old@example.com', after: 'new@example.com' },
        { field: 'phone', before: '99999', after: '12345' },
      ],
      why: EDITED('name, phone'),
    });
    expect(plan({ ...given, overwrite: true })).toMatchObject({ action: 'update', why: undefined });
  });

  test('edited in the service to what the file says by now, is unchanged', () => {
    const found = [record({ name: 'Ada' })];
    expect(plan({ found, base: base(row({ name: 'Bo' })) })).toMatchObject({ action: 'unchanged' });
  });

  test('with a value in a field that was never sent, is updated', () => {
    const found = [record({ name: 'Ada', phone: '99999' })];
    const registration = row({ name: 'Ada', phone: '12345' });
    expect(plan({ registration, found, base: base(row({ name: 'Ada' })) })).toMatchObject({
      action: 'update',
    });
  });

  test('with another value than was seen in a field that was never sent, was edited', () => {
    const registration = row({ name: 'Ada', phone: '12345' });
    const shown = image({ name: 'Ada' });
    const found = [record({ name: 'Ada', phone: '99999' })];
    expect(plan({ registration, found, base: base(row({ name: 'Ada' }), shown) })).toMatchObject({
      action: 'conflict',
      why: EDITED('phone'),
    });
  });

  test('emptied in the service since, was edited', () => {
    const found = [record({})];
    expect(plan({ found, base: base(row({ name: 'Ada' })) })).toMatchObject({ why: EDITED('name') });
  });
});

describe('a service that writes values its own way', () => {
  const sent = row({ name: 'Ada', email: 'a@example.com' });
  const shown = image({ name: 'ADA', email: 'a@example.com' });

  test('is not sent again what it lists otherwise', () => {
    const found = [record({ name: 'ADA', email: 'a@example.com' })];
    expect(plan({ registration: sent, found, base: base(sent, shown) })).toMatchObject({
      action: 'unchanged',
    });
    expect(plan({ registration: sent, found, base: base(sent, shown), overwrite: true })).toMatchObject({
      action: 'unchanged',
    });
  });

  test('is sent what was edited in the file beside it, and only that counts as a change', () => {
    const registration = row({ name: 'Ada', email: 'b@example.com' });
    const found = [record({ name: 'ADA', email: 'a@example.com' })];
    expect(plan({ registration, found, base: base(sent, shown) })).toMatchObject({
      action: 'update',
      changes: [{ field: 'email', before: 'a@example.com', after: 'b@example.com' }],
    });
  });

  test('is sent what was edited in the file itself', () => {
    const registration = row({ name: 'Eve', email: 'a@example.com' });
    const found = [record({ name: 'ADA', email: 'a@example.com' })];
    expect(plan({ registration, found, base: base(sent, shown) })).toMatchObject({
      action: 'update',
      changes: [{ field: 'name' }],
    });
  });

  test('has been edited when it lists something else again', () => {
    const found = [record({ name: 'EVE', email: 'a@example.com' })];
    expect(plan({ registration: sent, found, base: base(sent, shown) })).toMatchObject({
      action: 'conflict',
      why: EDITED('name'),
    });
  });

  test('is taken at what was sent when it showed no fields then', () => {
    const found = [record({ name: 'Ada', email: 'c@example.com' })];
    expect(plan({ registration: sent, found, base: base(sent, image(undefined)) })).toMatchObject({
      action: 'conflict',
      why: EDITED('email'),
    });
    const emptied = [record({ name: 'Ada' })];
    expect(plan({ registration: sent, found: emptied, base: base(sent, image(undefined)) })).toMatchObject({
      why: EDITED('email'),
    });
  });
});

describe('a value that is only written otherwise', () => {
  test('is sent when the file mended it and the service has what was sent before', () => {
    const given = {
      registration: row({ name: 'Ada Lee', email: 'ada@example.com' }),
      found: [record({ name: 'Ada  Lee', email: 'Ada@example.com' })],
      base: base(row({ name: 'Ada  Lee', email: 'Ada@example.com' })),
    };
    expect(plan(given)).toMatchObject({
      action: 'update',
      changes: [
        { field: 'name', before: 'Ada  Lee', after: 'Ada Lee' },
        { field: 'email', before: 'Ada@example.com', after: 'ada@example.com' },
      ],
    });
  });

  test.each([
    ['nothing is known', undefined, 'Ada  Lee'],
    ['the file has not changed', base(row({ name: 'Ada Lee' })), 'Ada  Lee'],
    ['the service has its own way to write it', base(row({ name: ' Ada Lee' })), 'Ada  Lee'],
  ])('is not sent when %s', (_, known, listed) => {
    const found = [record({ name: listed })];
    const given = { registration: row({ name: 'Ada Lee' }), found };
    expect(plan(known === undefined ? given : { ...given, base: known })).toMatchObject({
      action: 'unchanged',
    });
  });

  test('is not sent for options in another order', () => {
    const found = [record({ meal: ['fish', 'meat'] })];
    const known = base(row({ meal: ['fish', 'meat'] }));
    expect(plan({ registration: row({ meal: ['meat', 'fish'] }), found, base: known })).toMatchObject({
      action: 'unchanged',
    });
  });
});

describe('persona, parent and messages', () => {
  const member = row({}, { parentBarcode: 'P' });

  test('a persona changed in the service is a conflict, one changed in the file an update', () => {
    const found = [record({}, { persona: 'speaker' })];
    expect(plan({ registration: row({}), found, base: base(row({})) })).toMatchObject({
      why: EDITED('persona'),
    });
    const sent = base(row({}, { persona: 'speaker' }));
    expect(plan({ registration: row({}), found, base: sent })).toMatchObject({ action: 'update' });
  });

  test.each<[string, Given, string, string | undefined]>([
    ['a guest becomes a member', { found: [record({})] }, 'update', undefined],
    [
      'a member of another changes groups',
      { found: [record({}, { parentBarcode: 'Q' })] },
      'update',
      undefined,
    ],
    [
      'a member was taken out of the group in the service',
      { found: [record({})], base: base(member) },
      'conflict',
      EDITED('parent_barcode'),
    ],
    [
      'a member, as far as is known of a service that shows no parents',
      { found: [record({})], base: base(member), parentsShown: false },
      'unchanged',
      undefined,
    ],
    [
      'a member changes groups in a service that shows no parents',
      { found: [record({})], base: base(row({}, { parentBarcode: 'Q' })), parentsShown: false },
      'update',
      undefined,
    ],
    [
      'a member in another group, though parents were not shown elsewhere',
      { found: [record({}, { parentBarcode: 'Q' })], base: base(member), parentsShown: false },
      'update',
      undefined,
    ],
    [
      'a guest of a service that shows no parents becomes a member',
      { found: [record({})], parentsShown: false },
      'update',
      undefined,
    ],
    [
      'a member of a service that did not list its parent',
      { found: [record({})], base: base(member, image({})) },
      'unchanged',
      undefined,
    ],
  ])('%s', (_, given, action, why) => {
    expect(plan({ registration: member, ...given })).toMatchObject({ action, why });
  });

  test('messages that the service never lists as on are not asked for twice', () => {
    const loud = row({}, { enableComms: true });
    const off = { enableComms: false };
    const found = [record({}, off)];
    expect(plan({ registration: loud, found })).toMatchObject({ action: 'update' });
    expect(plan({ registration: loud, found, base: base(row({})) })).toMatchObject({ action: 'update' });
    expect(plan({ registration: loud, found, base: base(loud, image({}, off)) })).toMatchObject({
      action: 'unchanged',
    });
    expect(plan({ registration: loud, found, base: base(loud) })).toMatchObject({
      action: 'conflict',
      why: EDITED('enable_comms'),
    });
  });

  test('a field called like the parent is a field', () => {
    const registration = row({ parent_barcode: 'x' });
    const given = { registration, found: [record({})], base: base(registration), parentsShown: false };
    expect(plan(given)).toMatchObject({ action: 'conflict', why: EDITED('parent_barcode') });
  });
});

describe('as properties', () => {
  const word = fc.constantFrom(
    'Ada',
    'Ada ',
    'ada',
    'Bo',
    '',
    '12345',
    '+12345',
    'a@b.example',
    'A@b.example',
  );
  const values = fc.dictionary(fc.constantFrom('name', 'email', 'phone', 'meal', 'other'), word, {
    maxKeys: 5,
  });
  const parent = fc.constantFrom(undefined, 'P', 'Q');
  const rows = fc
    .record({ fields: values, parentBarcode: parent, enableComms: fc.boolean() })
    .map(({ fields, ...more }) => row(fields, more));
  const images = fc
    .record({
      fields: fc.option(values, { nil: undefined }),
      parentBarcode: parent,
      enableComms: fc.constantFrom(undefined, true, false),
      persona: fc.constantFrom(undefined, 'visitor', 'speaker'),
    })
    .map(({ fields, ...more }) => record(fields, more));
  const bases = fc.option(fc.record({ sent: rows, shown: fc.option(images, { nil: undefined }) }), {
    nil: undefined,
  });
  const facts = fc.record({
    registration: rows,
    found: fc.array(images, { maxLength: 2 }),
    base: bases,
    overwrite: fc.boolean(),
    fields: fc.constant(FIELDS),
    parentsShown: fc.boolean(),
  });

  test('an action says what it rests on', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { action, record: one, changes, why } = planRow(given);
        expect(why !== undefined).toBe(action === 'conflict');
        if (action === 'create') expect(given.found).toEqual([]);
        if (action === 'update') expect(changes.length).toBeGreaterThan(0);
        if (action === 'unchanged' || action === 'unknown') expect(changes).toEqual([]);
        if (given.found.length === 1) expect(one).toBe(given.found[0]);
        else expect(one).toBeUndefined();
        expect(action === 'unknown').toBe(given.found.length === 1 && given.found[0]?.fields === undefined);
      }),
    );
  });

  test('overwriting leaves no conflict but several registrations', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const careful = planRow({ ...given, overwrite: false });
        const forced = planRow({ ...given, overwrite: true });
        expect(forced.action === 'conflict').toBe(given.found.length > 1);
        if (careful.action !== 'conflict') expect(forced).toEqual(careful);
      }),
    );
  });

  test('what the service lists as it listed it before is never a conflict', () => {
    fc.assert(
      fc.property(rows, images, rows, (registration, one, sent) => {
        fc.pre(one.fields !== undefined);
        const given = { registration, found: [one], overwrite: false, fields: FIELDS };
        expect(planRow({ ...given, base: base(sent, one) }).action).not.toBe('conflict');
        const { action } = planRow({ ...given, registration: sent, base: base(sent, one) });
        expect(action).toBe('unchanged');
      }),
    );
  });

  test('the changes can be told again from what is kept', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { action, record: one, changes } = planRow(given);
        if (one === undefined || action === 'unknown') return;
        expect(plannedChanges({ ...given, record: one })).toEqual(changes);
      }),
    );
  });
});
