import { describe, expect, test } from 'vitest';
import {
  type AuditFacts,
  type AuditFinding,
  isUnapplied,
  judgeAudit,
} from '../../../src/sync/decide/judge-audit.ts';
import { PLAN_ACTIONS } from '../../../src/sync/decide/plan-decision.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type {
  RecordImage,
  Registration,
  RegistrationRecord,
} from '../../../src/registration/model/registration.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const FIELDS = fieldsOf(event(persona('visitor', [field('name', 'name'), field('company', 'text')])));

const SENT: Registration = {
  persona: 'visitor',
  fields: { name: 'Ada', company: 'New' },
  barcode: 'A',
  parentBarcode: 'P',
  enableComms: true,
};

function record(fields: RecordImage['fields'], more: RecordImage = {}): RegistrationRecord {
  return {
    id: 'reg-1',
    persona: 'visitor',
    barcode: 'A',
    parentBarcode: 'P',
    enableComms: false,
    ...more,
    fields,
  };
}

const judge = (facts: Partial<AuditFacts>): AuditFinding =>
  judgeAudit({
    registration: SENT,
    plan: 'create',
    before: undefined,
    found: [],
    fields: FIELDS,
    personas: ['visitor'],
    parentsShown: true,
    isNeverStored: () => false,
    ...facts,
  });

const NEW = record({ name: 'Ada', company: 'New' });
const OLD = record({ name: 'Eva', company: 'Old' });
const HALF = record({ name: 'Ada', company: 'Old' });

/** What is found otherwise, by field, and whether nothing of it has changed. */
function seen(facts: Partial<AuditFacts>): unknown {
  const finding = judge(facts);
  if (finding.kind !== 'there') return finding;
  const { differences, spelling, isOld } = finding;
  return {
    differences: differences.map(({ field, kind, expected, found }) => [field, kind, expected, found]),
    ...(spelling.length > 0 ? { spelling } : {}),
    ...(isOld ? { isOld } : {}),
  };
}

const stored = (field: string, expected?: string, found?: string): unknown[] => [
  field,
  'stored',
  expected,
  found,
];
const COMPANY = stored('company', 'New', 'Old');
const NAME = stored('name', 'Ada', 'Eva');

test('an update that has registered another one is told by both ids', () => {
  const facts = { plan: 'update' as const, before: OLD, found: [{ ...NEW, id: 'reg-9' }] };
  expect(seen(facts)).toEqual({ differences: [['id', 'changed', 'reg-1', 'reg-9']] });
  expect(seen({ ...facts, found: [NEW] })).toEqual({ differences: [] });
});

test('an update of which nothing is shown but what was there before proves nothing', () => {
  const hidden = { parentBarcode: undefined };
  const as = (before: RegistrationRecord, parentsShown = false) =>
    judge({ plan: 'update', parentsShown, before, found: [{ ...NEW, ...hidden }] });
  expect(as({ ...NEW, ...hidden })).toMatchObject({ isUnseen: true, differences: [] });
  expect(as({ ...OLD, ...hidden })).toMatchObject({ isUnseen: false });
  expect(as({ ...NEW, ...hidden }, true)).toMatchObject({ isUnseen: false });
});

test.each([
  [undefined, true],
  [false, true],
  [true, false],
])(
  'an update that asks for messages alone is seen where the list shows that they are asked for: %s',
  (enableComms, isUnseen) => {
    const facts = { plan: 'update' as const, before: NEW, found: [{ ...NEW, enableComms }] };
    expect(judge(facts)).toMatchObject({ isUnseen, differences: [] });
    expect(judge({ ...facts, before: OLD })).toMatchObject({ isUnseen: false });
  },
);

describe('a row that the service is said to hold', () => {
  test.each(PLAN_ACTIONS)('is missing when it is not listed (%s)', (plan) => {
    expect(judge({ plan, before: OLD })).toEqual({ kind: 'missing' });
  });

  test('is doubled when several are, whatever they hold', () => {
    expect(judge({ found: [NEW, { ...OLD, id: 'reg-2' }] })).toMatchObject({
      kind: 'doubled',
      why: '2 registrations in the service have this barcode: reg-1, reg-2',
    });
  });

  test.each<[string, Partial<AuditFacts>, readonly unknown[], boolean]>([
    ['as sent', { found: [NEW] }, [], false],
    ['as sent, changed from what was', { plan: 'update', before: OLD, found: [NEW] }, [], false],
    ['as sent, as it was before', { plan: 'update', before: NEW, found: [NEW] }, [], false],
    ['with another value', { found: [HALF] }, [COMPANY], false],
    ['half changed', { plan: 'update', before: OLD, found: [HALF] }, [COMPANY], false],
    [
      'changed to something else',
      { plan: 'update', before: HALF, found: [record({ name: 'Ada', company: 'Third' })] },
      [stored('company', 'New', 'Third')],
      false,
    ],
    ['all as before', { plan: 'update', before: OLD, found: [OLD] }, [NAME, COMPANY], true],
    ['all that was to change as before', { plan: 'update', before: HALF, found: [HALF] }, [COMPANY], true],
    ['as before, but not by its plan', { plan: 'create', before: OLD, found: [OLD] }, [NAME, COMPANY], false],
    ['otherwise, with nothing known of before', { plan: 'update', found: [OLD] }, [NAME, COMPANY], false],
    ['without its fields', { found: [record(undefined)] }, [], false],
    [
      'without its fields, before as well',
      { plan: 'update', before: record(undefined), found: [record(undefined)] },
      [],
      false,
    ],
  ])('%s', (_name, facts, differences, isOld) => {
    expect(seen(facts)).toEqual({ differences, ...(isOld ? { isOld } : {}) });
  });

  test('may lack its parent only where no parent is shown, and none was', () => {
    const alone = record(NEW.fields, { parentBarcode: undefined });
    const parent = stored('parent_barcode', 'P');
    expect(seen({ found: [alone] })).toEqual({ differences: [parent] });
    expect(seen({ found: [alone], parentsShown: false })).toEqual({ differences: [] });
    const update = { plan: 'update' as const, before: alone, found: [alone] };
    expect(seen(update)).toEqual({ differences: [parent], isOld: true });
    expect(seen({ ...update, parentsShown: false })).toEqual({ differences: [] });
    expect(seen({ ...update, before: NEW, parentsShown: false })).toEqual({ differences: [parent] });
  });
});

test('a field that held a value before is none that the service has no room for', () => {
  const dropped = { found: [record({ name: 'Ada' })], isNeverStored: () => true };
  expect(seen(dropped)).toEqual({ differences: [], spelling: ['company'] });
  expect(seen({ ...dropped, plan: 'update', before: OLD })).toEqual({
    differences: [stored('company', 'New', undefined)],
  });
});

test('a field that is empty beside one that did not arrive is none either, where nothing was compared', () => {
  const half = { found: [record({ name: 'Eva' })], isNeverStored: () => true };
  const both = [stored('name', 'Ada', 'Eva'), stored('company', 'New', undefined)];
  expect(seen({ ...half, plan: 'unknown' })).toEqual({ differences: both });
  expect(seen(half)).toEqual({ differences: [both[0]], spelling: ['company'] });
});

describe('what was not sent', () => {
  const asked: Registration = {
    ...SENT,
    fields: { name: 'Ada' },
    parentBarcode: undefined,
    enableComms: false,
  };
  const before = record({ name: 'Eva', company: 'Old' }, { enableComms: true });

  test('is as it was before, or named: a field, the parent, messages', () => {
    const found = record({ name: 'Ada' }, { parentBarcode: undefined, enableComms: false });
    expect(seen({ registration: asked, plan: 'update', before, found: [found] })).toEqual({
      differences: [
        ['enable_comms', 'changed', 'true', 'false'],
        ['parent_barcode', 'changed', 'P', undefined],
        ['company', 'changed', 'Old', undefined],
      ],
    });
    const mayTakeBack = {
      registration: asked,
      plan: 'update',
      before,
      found: [found],
      mayTakeBack: true,
    } as const;
    expect(seen(mayTakeBack)).toEqual({
      differences: [
        ['parent_barcode', 'changed', 'P', undefined],
        ['company', 'changed', 'Old', undefined],
      ],
    });
    const kept = { ...before, fields: { name: 'Ada', company: 'Old' }, raw: {} };
    expect(seen({ registration: asked, plan: 'update', before, found: [kept] })).toEqual({ differences: [] });
  });
});

describe('the own way of a service', () => {
  const asked = { ...SENT, fields: { name: 'Ada', company: 'Acme' } };

  test.each<[string, unknown, boolean, unknown]>([
    ['is another case', 'ACME', false, { differences: [], spelling: ['company'] }],
    ['is not to cut off', 'Ac', true, { differences: [stored('company', 'Acme', 'Ac')] }],
    ['is to drop a column that nobody has', undefined, true, { differences: [], spelling: ['company'] }],
    ['is not to drop one that somebody has', undefined, false, { differences: [stored('company', 'Acme')] }],
  ])('%s', (_, company, isNever, outcome) => {
    const found = [record({ name: 'Ada', company })];
    const isNeverStored = (): boolean => isNever;
    expect(seen({ registration: asked, found, isNeverStored })).toEqual(outcome);
    // Also where it was so before.
    const update = { plan: 'update' as const, before: record({ name: 'Eva', company }) };
    expect(seen({ registration: asked, found, isNeverStored, ...update })).toEqual(outcome);
  });
});

describe('a service that took a change without making it', () => {
  const unapplied = (facts: Partial<AuditFacts>): boolean => {
    const finding = judge(facts);
    return finding.kind === 'there' && isUnapplied(finding);
  };

  test('holds everything that was to change as it was before', () => {
    expect(unapplied({ plan: 'update', before: OLD, found: [OLD] })).toBe(true);
    expect(unapplied({ plan: 'update', before: OLD, found: [HALF] })).toBe(false);
    expect(unapplied({ plan: 'update', before: OLD, found: [NEW] })).toBe(false);
  });

  test('also where it has changed something else', () => {
    const found = [{ ...OLD, parentBarcode: 'Q' }];
    const asked = { ...SENT, parentBarcode: undefined };
    expect(unapplied({ registration: asked, plan: 'update', before: OLD, found })).toBe(true);
  });

  test('is no service that has twice refused a value, which is told as that', () => {
    const finding = judge({ plan: 'update', before: OLD, found: [OLD] });
    if (finding.kind !== 'there') throw new Error('it is there');
    const differences = finding.differences.map((one) => ({ ...one, kind: 'refused' as const }));
    expect(isUnapplied({ ...finding, differences })).toBe(false);
  });

  test('is told by what is not only its own way to write it', () => {
    const before = record({ name: 'Eva', company: 'NEW' });
    expect(seen({ plan: 'update', before, found: [before] })).toEqual({
      differences: [NAME],
      spelling: ['company'],
      isOld: true,
    });
  });
});

describe('what an update has registered anew', () => {
  const facts = { plan: 'update', before: OLD, found: [{ ...NEW, id: 'reg-9' }] } as const;

  test.each<[string, Partial<AuditFacts>]>([
    ['a row that was no update', { plan: 'create' }],
    ['nothing that was listed before', { before: undefined }],
    ['ids that were not listed before', { before: { ...OLD, id: undefined } }],
    ['ids that are not listed now', { found: [{ ...NEW, id: undefined }] }],
  ])('is not told of %s', (_, more) => {
    expect(seen({ ...facts, ...more })).toEqual({ differences: [] });
  });
});

describe('what the service has no room for', () => {
  const never = { isNeverStored: () => true };

  test('is a field alone: neither the parent nor what is not empty', () => {
    expect(seen({ ...never, found: [record(NEW.fields, { parentBarcode: undefined })] })).toEqual({
      differences: [stored('parent_barcode', 'P')],
    });
    expect(seen({ ...never, found: [record({ name: 'Ada', company: 'Third' })] })).toEqual({
      differences: [stored('company', 'New', 'Third')],
    });
  });

  test('is no field that was kept before', () => {
    const before = record({ name: 'Ada', company: 'Old' });
    const found = [record({ name: 'Ada' })];
    expect(seen({ ...never, plan: 'update', before, found })).toEqual({
      differences: [stored('company', 'New')],
    });
    const empty = record({ name: 'Ada', company: '' });
    expect(seen({ ...never, plan: 'update', before: empty, found })).toEqual({
      differences: [],
      spelling: ['company'],
    });
  });

  test('is told where all that arrived is empty, also where nothing was compared', () => {
    const found = [record({ name: 'Ada' })];
    expect(seen({ ...never, plan: 'unknown', found })).toEqual({ differences: [], spelling: ['company'] });
  });

  test('is still its own way to write a value, where another did not arrive', () => {
    const found = [record({ name: 'Eva', company: 'NEW' })];
    expect(seen({ ...never, plan: 'unknown', found })).toEqual({
      differences: [NAME],
      spelling: ['company'],
    });
    const both = [record({ name: 'Eva' })];
    const compared = { ...never, plan: 'unknown', found: both, before: record({ name: 'Bo' }) } as const;
    expect(seen(compared)).toEqual({ differences: [NAME], spelling: ['company'] });
  });
});

describe('persona and parent', () => {
  test('are compared also where no fields are shown', () => {
    const found = [record(undefined, { persona: 'speaker', parentBarcode: 'Q' })];
    expect(seen({ found })).toEqual({
      differences: [stored('persona', 'visitor', 'speaker'), stored('parent_barcode', 'P', 'Q')],
    });
  });

  test('a parent is not missed where the service shows none, but for one that it showed before', () => {
    const found = [record(NEW.fields, { parentBarcode: undefined })];
    const hidden = { found, parentsShown: false };
    expect(seen(hidden)).toEqual({ differences: [] });
    expect(seen({ ...hidden, before: { parentBarcode: 'P' } })).toMatchObject({
      differences: [stored('parent_barcode', 'P')],
    });
  });
});

describe('what was not sent, of a registration that was moved to another persona', () => {
  const fields = fieldsOf(
    event(
      persona('visitor', [field('name', 'name'), field('code', 'numeric')]),
      persona('speaker', [field('name', 'name'), field('code', 'text'), field('topic', 'text')]),
    ),
  );
  const asked: Registration = { ...SENT, fields: { name: 'Ada' }, parentBarcode: undefined };
  const facts = (was: RecordImage['fields'], is: RecordImage['fields'], more: Partial<AuditFacts> = {}) => ({
    fields,
    registration: asked,
    plan: 'update' as const,
    before: record({ name: 'Ada', ...was }, { persona: 'speaker' }),
    found: [record({ name: 'Ada', ...is })],
    personas: [],
    ...more,
  });

  test('is told also of fields of the persona before, and of any other', () => {
    expect(seen(facts({ topic: 'x' }, {}))).toEqual({
      differences: [['topic', 'changed', 'x', undefined]],
    });
    const other = { before: record({ name: 'Ada', topic: 'x' }) };
    expect(seen(facts({}, {}, other))).toEqual({ differences: [] });
    expect(seen(facts({}, {}, { ...other, personas: ['speaker'] }))).toEqual({
      differences: [['topic', 'changed', 'x', undefined]],
    });
    expect(seen(facts({}, {}, { before: record({ code: '1' }, { persona: undefined }) }))).toEqual({
      differences: [['code', 'changed', '1', undefined]],
    });
  });

  test('is compared by the rules of its own persona', () => {
    expect(seen(facts({ code: '05' }, { code: '5' }, { personas: ['visitor', 'speaker'] }))).toEqual({
      differences: [],
    });
  });

  test('is not compared where fields were, or are, not shown', () => {
    const hidden = record(undefined, { persona: 'speaker', parentBarcode: 'Q' });
    const parent = ['parent_barcode', 'changed', 'Q', 'P'];
    expect(seen(facts({}, { code: '5' }, { before: hidden }))).toMatchObject({ differences: [parent] });
    const now = record(undefined, { parentBarcode: 'Q' });
    expect(seen(facts({ topic: 'x' }, {}, { found: [now] }))).toEqual({
      differences: [['parent_barcode', 'changed', 'P', 'Q']],
    });
  });
});

describe('messages that were not asked for', () => {
  const asked = { ...SENT, enableComms: false };
  const change = (then: boolean | undefined, now: boolean | undefined, mayTakeBack = false) =>
    seen({
      registration: asked,
      plan: 'update',
      before: record(NEW.fields, { enableComms: then }),
      found: [record(NEW.fields, { enableComms: now })],
      mayTakeBack,
    });

  test('are told where they were turned on or off', () => {
    expect(change(false, true)).toEqual({ differences: [['enable_comms', 'changed', 'false', 'true']] });
    expect(change(true, false)).toEqual({ differences: [['enable_comms', 'changed', 'true', 'false']] });
    expect(change(true, true)).toEqual({ differences: [] });
  });

  test('are not told where they were, or are, not shown', () => {
    expect(change(undefined, true)).toEqual({ differences: [] });
    expect(change(true, undefined)).toEqual({ differences: [] });
  });

  test('are told where they were turned on, though an update was said to turn them off', () => {
    expect(change(true, false, true)).toEqual({ differences: [] });
    expect(change(false, true, true)).toEqual({
      differences: [['enable_comms', 'changed', 'false', 'true']],
    });
  });
});
