import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Base } from '../../../src/sync/decide/base.ts';
import { planAbsent, planRow } from '../../../src/sync/decide/plan-row.ts';
import { uncompared, type Winner } from '../../../src/sync/decide/plan-decision.ts';
import type { Registration } from '../../../src/registration/model/registration.ts';
import {
  base,
  digest,
  FIELDS,
  type Given,
  image,
  plan,
  record,
  row,
  unseen,
  verdicts,
} from './plan-row-bench.ts';

const BOTH = (fields: string): string =>
  `the service holds other values than the file, and only you can tell which are right: ${fields}; --overwrite sends the file's, --keep leaves the service's`;

describe('not found', () => {
  const GONE = 'it was sent before and has been deleted in the service since';
  const OR_RENAMED =
    'it was sent before, and the service lists nobody like it any more: it was deleted there, or given another name and e-mail';
  const ways = '--overwrite creates it again, --keep leaves it deleted';
  test.each<[string, Parameters<typeof planAbsent>, string, string | undefined]>([
    ['sent before', [{ gone: false }, 'ask', true], 'conflict', `${GONE}; ${ways}`],
    [
      'sent before, and known by its e-mail alone',
      [{ gone: false }, 'ask', false],
      'conflict',
      `${OR_RENAMED}; ${ways}`,
    ],
    ['sent before, the file wins', [{ gone: false }, 'file', true], 'create', undefined],
    ['sent before, the service wins', [{ gone: false }, 'service', true], 'kept', GONE],
    ['settled to be gone', [{ gone: true }, 'ask', true], 'kept', GONE],
    ['settled to be gone, the file wins', [{ gone: true }, 'file', true], 'create', undefined],
  ])('%s', (_, given, action, why) => {
    expect(planAbsent(...given)).toMatchObject({ action, why, record: undefined, changes: [] });
  });

  test('never sent', () => {
    expect([plan({}).action, plan({ winner: 'file' }).action]).toEqual(['create', 'create']);
  });

  test('what is settled is known until it is there again', () => {
    const known = { ...base(row({ name: 'Ada' })), gone: true };
    const again = plan({ base: known, found: [record({ name: 'Ada' })] });
    expect(again).toMatchObject({ action: 'unchanged', base: { gone: false } });
  });
});

test.each(['create', 'unknown'] as const)('a row of which there is nothing to compare: %s', (action) => {
  expect(uncompared(action)).toMatchObject({ action, record: undefined, changes: [], base: undefined });
});

describe('several found', () => {
  const found = [record({ name: 'Ada' }), record({}, { id: undefined }), record({}, { id: 'reg-3' })];
  test.each<Winner>(['ask', 'file', 'service'])('is left to people, with all ids (%s)', (winner) => {
    expect(plan({ found, winner })).toMatchObject({
      action: 'conflict',
      record: found[0],
      changes: [],
      why: '3 registrations in the service have this barcode: reg-1, one without id, reg-3',
    });
  });
});

describe('a value', () => {
  const registration = row({ name: 'Ada' });
  const of = (listed: string | undefined, known?: Base, winner: Winner = 'ask') =>
    plan({
      registration,
      found: [record(listed === undefined ? {} : { name: listed })],
      base: known,
      winner,
    });

  test.each<[string, string | undefined, Base | undefined, Record<Winner, string>]>([
    ['as the file has it', 'Ada', undefined, { ask: 'unchanged', file: 'unchanged', service: 'unchanged' }],
    [
      'that only the file has changed',
      'Bo',
      base(row({ name: 'Bo' })),
      { ask: 'send', file: 'send', service: 'send' },
    ],
    [
      'that only the service has changed',
      'Eve',
      base(registration),
      { ask: 'kept', file: 'send', service: 'kept' },
    ],
    [
      'that only the service has emptied',
      undefined,
      base(registration),
      { ask: 'kept', file: 'send', service: 'kept' },
    ],
    [
      'that both have changed',
      'Eve',
      base(row({ name: 'Bo' })),
      { ask: 'conflict', file: 'send', service: 'kept' },
    ],
    [
      'that both have changed alike',
      'Ada',
      base(row({ name: 'Bo' })),
      { ask: 'unchanged', file: 'unchanged', service: 'unchanged' },
    ],
    ['of which nothing is known', 'Eve', undefined, { ask: 'unbased', file: 'send', service: 'kept' }],
    [
      'new in the file, and as it was first seen',
      'Eve',
      base(row({}), image({ name: 'Eve' })),
      { ask: 'send', file: 'send', service: 'send' },
    ],
    [
      'new in the file, and changed since it was first seen',
      'Eve',
      base(row({}), image({ name: 'Bo' })),
      { ask: 'conflict', file: 'send', service: 'kept' },
    ],
    [
      'that was sent and never seen',
      'Eve',
      unseen(registration),
      { ask: 'conflict', file: 'send', service: 'kept' },
    ],
    [
      'that the service stores its own way',
      'ADA',
      base(registration, image({ name: 'ADA' })),
      { ask: 'unchanged', file: 'send', service: 'unchanged' },
    ],
    [
      'that the service has changed after its own way',
      'EVE',
      base(registration, image({ name: 'ADA' })),
      { ask: 'kept', file: 'send', service: 'kept' },
    ],
  ])('%s', (_, listed, known, expected) => {
    for (const winner of ['ask', 'file', 'service'] as const) {
      const { action, verdicts: told } = of(listed, known, winner);
      expect([winner, told.get('name') ?? action]).toEqual([winner, expected[winner]]);
    }
  });

  test('that the file says to be empty is sent, also where no file ever spoke of it', () => {
    const cleared = row({ name: '' });
    const found = [record({ name: 'Eve' })];
    expect(verdicts({ registration: cleared, found, base: base(row({}), image({ name: 'Eve' })) })).toEqual({
      name: 'send',
    });
    const own = base(row({ email: 'a@b.example' }), image({ name: 'Eve', email: 'A@B.example' }));
    expect(verdicts({ registration: cleared, found, base: own })).toEqual({ name: 'send' });
  });

  test.each<[string, Base, readonly string[] | undefined, string]>([
    ['that was sent, and that no registration shows', base(row({ name: 'Bo' }), image({})), [], 'unbased'],
    ['that others are shown to have', base(row({ name: 'Bo' }), image({})), ['name'], 'send'],
    ['of which not all were looked at', base(row({ name: 'Bo' }), image({})), undefined, 'send'],
    ['that was blank, and may be left out', base(row({ name: '' }), image({})), [], 'send'],
    ['of which no file has spoken', base(row({}), image({})), [], 'send'],
  ])('%s', (_what, known, listed, verdict) => {
    const given = { registration, found: [record({})], base: known, fieldsListed: listed && new Set(listed) };
    expect(verdicts(given)).toEqual({ name: verdict });
    const kept = verdict === 'send' ? 'send' : 'kept';
    expect([verdicts({ ...given, winner: 'file' }), verdicts({ ...given, winner: 'service' })]).toEqual([
      { name: 'send' },
      { name: kept },
    ]);
  });

  test('in a field that the file does not have is nobody’s business', () => {
    const found = [record({ name: 'Ada', phone: '99999' })];
    expect(plan({ found, base: base(row({ name: 'Ada', phone: '1' })) })).toMatchObject({
      action: 'unchanged',
    });
  });
});

describe('what is known afterwards', () => {
  const listed = record({ name: 'Eve', phone: '123' });
  const pair = (given: Given, key: string) => (plan(given).base ?? given.base)?.pairs.get(key);

  test('of what is seen as in the file is both sides, of what no file spoke of what was first seen', () => {
    const found = [record({ name: 'Ada', phone: '123' })];
    expect(pair({ found }, 'name')).toEqual({ said: '#Ada', seen: '#Ada' });
    expect(pair({ found }, 'phone')).toEqual({ said: '-', seen: '#123' });
    const later = [record({ name: 'Ada', phone: '456' })];
    expect(pair({ found: later, base: plan({ found }).base }, 'phone')).toEqual({ said: '-', seen: '#123' });
  });

  test.each<[string, Base | undefined]>([
    ['kept', base(row({ name: 'Ada' }))],
    ['in conflict', base(row({ name: 'Bo' }))],
    ['not known', undefined],
  ])('of what is %s nothing moves', (_, known) => {
    expect(pair({ found: [listed], base: known }, 'name')).toEqual(known?.pairs.get('name'));
  });

  test.each<[string, Base | undefined]>([
    ['in conflict', base(row({ name: 'Bo' }))],
    ['not known', undefined],
  ])('--keep settles what is %s', (_, known) => {
    const settled = plan({ found: [listed], base: known, winner: 'service' });
    expect(settled.action).toBe('kept');
    expect(plan({ found: [listed], base: settled.base })).toMatchObject({ action: 'kept' });
  });

  test('--keep does not move what only the service has changed', () => {
    const known = base(row({ name: 'Ada' }));
    expect(pair({ found: [listed], base: known, winner: 'service' }, 'name')).toEqual(
      known.pairs.get('name'),
    );
  });
});

describe('a row of several values', () => {
  const sent = row({ name: 'Ada', email: 'ada@b.example', phone: '111', meal: 'fish' });
  const known = base(sent);

  test('sends what only it has changed, and asks for nothing else', () => {
    const registration = row({ name: 'Ada', email: 'ada@b.example', phone: '222', meal: 'meat' });
    const found = [record({ name: 'Ada', email: 'new@b.example', phone: '333', meal: 'fish' })];
    expect(plan({ registration, found, base: known })).toMatchObject({
      action: 'update',
      verdicts: new Map([
        ['meal', 'send'],
        ['email', 'kept'],
        ['phone', 'conflict'],
      ]),
      changes: [
        { field: 'meal', before: 'fish', after: 'meat' },
        { field: 'email', before: 'new@b.example', after: 'ada@b.example' },
        { field: 'phone', before: '333', after: '222' },
      ],
      ask: {
        persona: 'visitor',
        barcode: 'A',
        fields: { name: 'Ada', meal: 'meat' },
        parentBarcode: undefined,
      },
      why: BOTH('phone'),
    });
  });

  test('asks for all of itself where nothing is kept', () => {
    const registration = row({ name: 'Ada L', email: 'ada@b.example', phone: '111' });
    expect(plan({ registration, found: [record(sent.fields)], base: known }).ask).toBeUndefined();
  });

  test.each<[string, Registration['fields'], string]>([
    ['another e-mail', { name: 'Ada', email: 'bo@b.example', phone: '111' }, 'conflict'],
    ['another name', { name: 'Bo', email: 'ada@b.example', phone: '111' }, 'conflict'],
    ['another phone only', { name: 'Ada', email: 'ada@b.example', phone: '111' }, 'kept'],
  ])('that gives the ticket to somebody else mixes nobody into them: %s', (_, fields, verdict) => {
    const found = [record({ name: 'Ada', email: 'ada@b.example', phone: '999' })];
    expect(verdicts({ registration: row(fields), found, base: known })['phone']).toBe(verdict);
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
    [
      'the service has its own way to write it',
      base(row({ name: ' Ada Lee' }), image({ name: 'Ada  Lee' })),
      'Ada  Lee',
    ],
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

  test('a persona changed in the service is kept, one changed in the file sent', () => {
    const found = [record({}, { persona: 'speaker' })];
    expect(verdicts({ registration: row({}), found, base: base(row({})) })).toEqual({ ':persona': 'kept' });
    const sent = base(row({}, { persona: 'speaker' }));
    expect(plan({ registration: row({}), found, base: sent })).toMatchObject({ action: 'update' });
  });

  test('fields of a registration that was moved to another persona are for people to judge', () => {
    const found = [record({ name: 'Ada' }, { persona: 'speaker' })];
    const given = { registration: row({ name: 'Bo' }), found, base: base(row({ name: 'Ada' })) };
    expect(plan(given)).toMatchObject({ action: 'conflict', why: BOTH('persona, name') });
  });

  test.each<[string, Given, string]>([
    ['a guest becomes a member', { found: [record({})], base: base(row({})) }, 'update'],
    [
      'a member of another changes groups',
      { found: [record({}, { parentBarcode: 'Q' })], base: base(row({}, { parentBarcode: 'Q' })) },
      'update',
    ],
    [
      'a member was taken out of the group in the service',
      { found: [record({})], base: base(member) },
      'kept',
    ],
    [
      'a member, as far as is known of a service that shows no parents',
      { found: [record({})], base: unseen(member), parentsShown: false },
      'unchanged',
    ],
    [
      'a member changes groups in a service that shows no parents',
      { found: [record({})], base: unseen(row({}, { parentBarcode: 'Q' })), parentsShown: false },
      'update',
    ],
    [
      'a guest of a service that shows no parents becomes a member',
      { found: [record({})], parentsShown: false },
      'update',
    ],
    [
      'a member of a service that did not list its parent',
      { found: [record({})], base: base(member, image({})) },
      'unchanged',
    ],
  ])('%s', (_, given, action) => {
    expect(plan({ registration: member, ...given })).toMatchObject({ action });
  });

  test('messages that the service never lists as on are not asked for twice', () => {
    const loud = row({}, { enableComms: true });
    const off = { enableComms: false };
    const found = [record({}, off)];
    expect(plan({ registration: loud, found, base: base(row({})) })).toMatchObject({ action: 'update' });
    expect(plan({ registration: loud, found, base: base(loud, image({}, off)) })).toMatchObject({
      action: 'unchanged',
    });
  });

  test('messages that somebody has turned off in the service are not turned on again', () => {
    const loud = row({}, { enableComms: true });
    const found = [record({}, { enableComms: false })];
    const moved = row({ name: 'Bo' }, { enableComms: true });
    expect(verdicts({ registration: loud, found, base: base(loud) })).toEqual({ ':enable_comms': 'kept' });
    expect(plan({ registration: moved, found, base: base(loud) }).ask).toMatchObject({ enableComms: false });
  });

  test('a field called like the parent is a field', () => {
    const registration = row({ parent_barcode: 'x' });
    const given = { registration, found: [record({})], base: base(registration), parentsShown: false };
    expect(verdicts(given)).toEqual({ parent_barcode: 'kept' });
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
  const bases = fc.option(
    fc
      .record({ sent: rows, shown: fc.option(images, { nil: undefined }) })
      .map(({ sent, shown }) => base(sent, shown)),
    { nil: undefined },
  );
  const facts = fc.record({
    registration: rows,
    found: fc.array(images, { maxLength: 2 }),
    base: bases,
    winner: fc.constantFrom<Winner>('ask', 'file', 'service'),
    fields: fc.constant(FIELDS),
    parentsShown: fc.boolean(),
    digest: fc.constant(digest),
  });

  test('an action says what it rests on', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { action, record: one, changes, verdicts: told } = planRow(given);
        if (action === 'create') expect(given.found).toEqual([]);
        expect([...told.values()].some((verdict) => verdict === 'send' || verdict === 'unbased')).toBe(
          action === 'update',
        );
        if (action === 'unchanged' || action === 'unknown') expect(changes).toEqual([]);
        expect(changes).toHaveLength(told.size);
        expect(one).toBe(given.found[0]);
        expect(action === 'unknown').toBe(given.found.length === 1 && given.found[0]?.fields === undefined);
      }),
    );
  });

  test('where somebody wins, nothing is open but several registrations', () => {
    fc.assert(
      fc.property(facts, (given) => {
        fc.pre(given.winner !== 'ask');
        const { action, verdicts: told } = planRow(given);
        const moved = told.get(':persona') === 'conflict';
        fc.pre(!moved);
        expect(action === 'conflict').toBe(given.found.length > 1);
        expect([...told.values()]).not.toContain('conflict');
        expect([...told.values()]).not.toContain('unbased');
      }),
    );
  });

  test('what neither side has changed is left alone', () => {
    fc.assert(
      fc.property(rows, images, (sent, one) => {
        fc.pre(one.fields !== undefined);
        const { action } = plan({ registration: sent, found: [one], base: base(sent, one) });
        expect(['unchanged', 'kept']).toContain(action);
      }),
    );
  });

  test('planning again comes to the same', () => {
    fc.assert(
      fc.property(facts, (given) => {
        fc.pre(given.winner !== 'service');
        const first = planRow(given);
        const second = planRow({ ...given, base: first.base ?? given.base });
        expect([second.action, second.verdicts]).toEqual([first.action, first.verdicts]);
      }),
    );
  });
});
