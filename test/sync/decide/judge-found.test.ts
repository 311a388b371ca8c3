import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type FoundFacts,
  judgeFound,
  otherValues,
  outcomeOf,
  type Verdict,
} from '../../../src/sync/decide/judge-found.ts';
import { PLAN_ACTIONS } from '../../../src/sync/decide/plan-decision.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { Registration } from '../../../src/registration/model/registration.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';
import { image, record } from './plan-row-bench.ts';

const FIELDS = fieldsOf(
  event(persona('visitor', [field('name', 'name'), field('email', 'email'), field('company', 'text')])),
);

const SENT: Registration = {
  persona: 'visitor',
  fields: { name: 'Ada', company: 'New' },
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
};

const judge = (facts: Partial<FoundFacts>): Verdict =>
  judgeFound({
    registration: SENT,
    plan: undefined,
    before: undefined,
    found: [],
    fields: FIELDS,
    ...facts,
  });

const OLD = image({ name: 'Ada', company: 'Old' });
const AS_SENT = record({ name: 'Ada', company: 'New' });
const MASKED = record({ name: 'Ada', company: 'N***' });
const DONE: Verdict = { kind: 'done', id: 'reg-1' };
const GONE: Verdict = {
  kind: 'conflict',
  why: 'it is not listed any more: deleted in the service since it was compared, or given another barcode',
};
const conflict = (why: string): Verdict => ({ kind: 'conflict', why });

describe('nothing is found', () => {
  test.each([undefined, 'create', 'unknown'] as const)(
    'and nothing was there before (%s): absent',
    (plan) => {
      expect(judge({ plan })).toEqual({ kind: 'absent' });
    },
  );

  test.each(PLAN_ACTIONS)('and it was there before (%s): it has been deleted', (plan) => {
    expect(judge({ plan, before: OLD })).toEqual(GONE);
  });
});

describe('one is found', () => {
  const cases: readonly [string, Partial<FoundFacts>, Verdict][] = [
    ['as sent', { found: [AS_SENT] }, DONE],
    ['as sent, where nothing was before', { plan: 'create', found: [AS_SENT] }, DONE],
    ['as sent, where it was otherwise before', { plan: 'update', before: OLD, found: [AS_SENT] }, DONE],
    ['as sent and as before', { plan: 'update', before: image(AS_SENT.fields), found: [AS_SENT] }, DONE],
    ['written otherwise', { found: [record({ name: ' Ada ', company: 'New' })] }, DONE],
    ['with more than was sent', { found: [record({ ...AS_SENT.fields, email: 'a@b.example' })] }, DONE],
    [
      'without an id',
      { found: [record(AS_SENT.fields, { id: undefined })] },
      { kind: 'done', id: undefined },
    ],
    ['as it was before', { plan: 'update', before: OLD, found: [record(OLD.fields)] }, { kind: 'untouched' }],
    [
      'as it was before, but for what the row does not send',
      { plan: 'update', before: OLD, found: [record({ ...OLD.fields, email: 'new@b.example' })] },
      { kind: 'untouched' },
    ],
    [
      'as an image that was not read for its plan',
      { before: OLD, found: [record(OLD.fields)] },
      conflict('the service holds other values in: company'),
    ],
    [
      'as an image of a create',
      { plan: 'create', before: OLD, found: [record(OLD.fields)] },
      conflict('the service holds other values in: company'),
    ],
    [
      'changed by somebody else',
      { plan: 'update', before: OLD, found: [record({ name: 'Ada', company: 'Third' })] },
      conflict('the service holds other values in: company'),
    ],
    [
      'in part as before, in part as sent: the rest goes again',
      {
        plan: 'update',
        before: image({ name: 'Eva', company: 'Old' }),
        found: [record({ name: 'Ada', company: 'Old' })],
      },
      { kind: 'untouched' },
    ],
    [
      'with other values, where nothing was before',
      { plan: 'create', found: [record({ name: 'Eva', company: 'Old' })] },
      conflict('the service holds other values in: name, company'),
    ],
    ['with a mask, where nothing was before', { plan: 'create', found: [MASKED] }, DONE],
    [
      'with another mask than before',
      { plan: 'update', before: image({ name: 'Ada', company: 'O***' }), found: [MASKED] },
      DONE,
    ],
    [
      'with the mask that it had before',
      { plan: 'update', before: image(MASKED.fields), found: [MASKED] },
      { kind: 'untouched' },
    ],
    [
      'with another persona',
      { found: [record(AS_SENT.fields, { persona: 'speaker' })] },
      conflict('the service holds other values in: persona'),
    ],
  ];
  test.each(cases)('%s', (_name, facts, verdict) => {
    expect(judge(facts)).toEqual(verdict);
  });

  test('without its fields: it came by the request only where nothing was before', () => {
    const found = [record(undefined)];
    expect(judge({ plan: 'create', found })).toEqual(DONE);
    for (const plan of [undefined, 'update', 'unknown'] as const) {
      expect(judge({ plan, found })).toEqual({ kind: 'hidden' });
      expect(judge({ plan, before: image(undefined), found })).toEqual({ kind: 'hidden' });
    }
  });
});

describe('what a service need not show', () => {
  const member = { ...SENT, parentBarcode: 'P' };
  const parentless = conflict('the service holds other values in: parent_barcode');

  test('a new registration without its parent is the one that was sent', () => {
    expect(judge({ registration: member, plan: 'create', found: [AS_SENT] })).toEqual(DONE);
  });

  test('one that was there already, and has none, is not', () => {
    expect(judge({ registration: member, found: [AS_SENT] })).toEqual(parentless);
    expect(judge({ registration: member, plan: 'unknown', found: [AS_SENT] })).toEqual(parentless);
    const update = { registration: member, plan: 'update' as const, found: [AS_SENT] };
    expect(judge({ ...update, before: image(AS_SENT.fields) })).toEqual({ kind: 'untouched' });
    expect(judge({ ...update, before: image(AS_SENT.fields, { parentBarcode: 'Q' }) })).toEqual(parentless);
  });

  test('another parent is a difference, however new it is', () => {
    const found = [record(AS_SENT.fields, { parentBarcode: 'Q' })];
    expect(judge({ registration: member, plan: 'create', found })).toEqual(parentless);
  });

  test('whether people get a message is no value of a registration', () => {
    const registration = { ...SENT, enableComms: true };
    const found = [record(AS_SENT.fields, { enableComms: false })];
    expect(judge({ registration, found })).toEqual(DONE);
    const before = image(OLD.fields, { enableComms: true });
    const old = [record(OLD.fields, { enableComms: false })];
    expect(judge({ registration, plan: 'update', before, found: old })).toEqual({ kind: 'untouched' });
  });
});

describe('several are found', () => {
  test('all ids are named, and one is told without its own', () => {
    const found = [AS_SENT, { ...AS_SENT, id: 'reg-2' }, { ...AS_SENT, id: undefined }];
    expect(judge({ plan: 'create', found })).toEqual(
      conflict('3 registrations in the service have this barcode: reg-1, reg-2, one without id'),
    );
    expect(judge({ found: found.slice(0, 2), by: 'e-mail' })).toEqual(
      conflict('2 registrations in the service have this e-mail: reg-1, reg-2'),
    );
  });
});

describe('whatever is found', () => {
  const fields = fc.option(
    fc.record({ name: fc.constantFrom('Ada', 'Eva'), company: fc.constantFrom('New', 'Old') }),
    { nil: undefined },
  );
  const facts = fc.record({
    plan: fc.constantFrom(undefined, ...PLAN_ACTIONS),
    before: fc.option(
      fields.map((values) => image(values)),
      { nil: undefined },
    ),
    found: fc.array(
      fields.map((values) => record(values)),
      { maxLength: 3 },
    ),
  });

  test('it is sent again only when nothing is there that is neither as before nor as sent', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const verdict = judge(given);
        const again = outcomeOf(verdict).state === 'pending';
        if (!again) return;
        expect(given.found.length).toBeLessThan(2);
        for (const [slug, value] of Object.entries(given.found[0]?.fields ?? {}))
          expect([given.before?.fields?.[slug], SENT.fields[slug]]).toContainEqual(value);
        expect(given.found[0]?.fields).not.toEqual(SENT.fields);
        if (given.found.length === 0) expect(given.before).toBeUndefined();
      }),
    );
  });

  test('it is done only with one registration that holds all of it, or shows nothing and is new', () => {
    fc.assert(
      fc.property(facts, (given) => {
        if (judge(given).kind !== 'done') return;
        expect(given.found).toHaveLength(1);
        const [only] = given.found;
        if (only?.fields === undefined) expect(given.plan).toBe('create');
        else expect(only.fields).toEqual(SENT.fields);
      }),
    );
  });
});

test('what is written about a row', () => {
  const because = (verdict: Verdict) => outcomeOf(verdict);
  expect(because(DONE)).toEqual({
    state: 'done',
    remoteId: 'reg-1',
    message: 'found in the service as sent',
  });
  expect(because({ kind: 'absent' })).toEqual({ state: 'pending', message: 'not in the service' });
  expect(because({ kind: 'untouched' })).toEqual({
    state: 'pending',
    message: 'in the service without what was to change',
  });
  expect(because({ kind: 'hidden' })).toEqual({
    state: 'uncertain',
    message: 'its barcode is there, but the service does not show its fields',
  });
  expect(because(conflict('so'))).toEqual({ state: 'conflict', message: 'so' });
  const change = { before: undefined, after: undefined };
  expect(
    otherValues([
      { field: 'a', ...change },
      { field: 'b', ...change },
    ]),
  ).toBe('the service holds other values in: a, b');
});
