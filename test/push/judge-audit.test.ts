import { describe, expect, test } from 'vitest';
import { type AuditFacts, type AuditFinding, judgeAudit } from '../../src/push/judge-audit.ts';
import { PLAN_ACTIONS } from '../../src/push/plan-action.ts';
import { fieldsOf } from '../../src/registration/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../src/registration/registration.ts';
import { event, field, persona } from '../registration/persona-fixture.ts';

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
    raw: {},
  };
}

const judge = (facts: Partial<AuditFacts>): AuditFinding =>
  judgeAudit({
    registration: SENT,
    plan: 'create',
    before: undefined,
    found: [],
    fields: FIELDS,
    parentsShown: true,
    ownWays: [],
    ...facts,
  });

const NEW = record({ name: 'Ada', company: 'New' });
const OLD = record({ name: 'Eva', company: 'Old' });
const HALF = record({ name: 'Ada', company: 'Old' });
const there = (found: RegistrationRecord, ...different: string[]): AuditFinding => ({
  kind: 'there',
  record: found,
  different,
});

describe('a row that the service is said to hold', () => {
  test.each(PLAN_ACTIONS)('is missing when it is not listed (%s)', (plan) => {
    expect(judge({ plan, before: OLD })).toEqual({ kind: 'missing' });
  });

  test('is doubled when several are, whatever they hold', () => {
    expect(judge({ found: [NEW, { ...OLD, id: 'reg-2' }] })).toEqual({
      kind: 'doubled',
      why: '2 registrations in the service have this barcode: reg-1, reg-2',
    });
  });

  test.each<[string, Partial<AuditFacts>, AuditFinding]>([
    ['as sent', { found: [NEW] }, there(NEW)],
    ['as sent, changed from what was', { plan: 'update', before: OLD, found: [NEW] }, there(NEW)],
    ['as sent, as it was before', { plan: 'update', before: NEW, found: [NEW] }, there(NEW)],
    ['with another value', { found: [HALF] }, there(HALF, 'company')],
    ['half changed', { plan: 'update', before: OLD, found: [HALF] }, there(HALF, 'company')],
    [
      'changed to something else',
      { plan: 'update', before: HALF, found: [record({ name: 'Ada', company: 'Third' })] },
      there(record({ name: 'Ada', company: 'Third' }), 'company'),
    ],
    [
      'all as before',
      { plan: 'update', before: OLD, found: [OLD] },
      { kind: 'unapplied', fields: ['name', 'company'] },
    ],
    [
      'all that was to change as before',
      { plan: 'update', before: HALF, found: [HALF] },
      { kind: 'unapplied', fields: ['company'] },
    ],
    [
      'as before, but not by its plan',
      { plan: 'create', before: OLD, found: [OLD] },
      there(OLD, 'name', 'company'),
    ],
    [
      'otherwise, with nothing known of before',
      { plan: 'update', found: [OLD] },
      there(OLD, 'name', 'company'),
    ],
    ['without its fields', { found: [record(undefined)] }, there(record(undefined))],
    [
      'without its fields, before as well',
      { plan: 'update', before: record(undefined), found: [record(undefined)] },
      there(record(undefined)),
    ],
  ])('%s', (_name, facts, finding) => {
    expect(judge(facts)).toEqual(finding);
  });

  test('may lack its parent only where no parent is shown', () => {
    const alone = record(NEW.fields, { parentBarcode: undefined });
    expect(judge({ found: [alone] })).toEqual(there(alone, 'parent_barcode'));
    expect(judge({ found: [alone], parentsShown: false })).toEqual(there(alone));
    const update = { plan: 'update' as const, before: alone, found: [alone] };
    expect(judge(update)).toEqual({ kind: 'unapplied', fields: ['parent_barcode'] });
    expect(judge({ ...update, parentsShown: false })).toEqual(there(alone));
  });
});

describe('an update after which the old value is still listed', () => {
  const asked = { ...SENT, fields: { name: 'Ada', company: 'Acme' } };
  const upper = record({ name: 'Ada', company: 'ACME' });
  const less = record({ name: 'Ada' });

  test.each<[string, RegistrationRecord, AuditFacts['ownWays'], AuditFinding['kind']]>([
    ['may just be listed late', upper, [], 'unapplied'],
    ['is stored in another spelling', upper, ['spelling'], 'there'],
    ['is not told from one that was ignored', less, ['spelling'], 'unapplied'],
    ['is stored without it, where updates are taken', less, ['spelling', 'dropped'], 'there'],
    ['was ignored', OLD, ['spelling', 'dropped'], 'unapplied'],
  ])('%s', (_, listed, ownWays, kind) => {
    const facts = { registration: asked, plan: 'update', before: listed, found: [listed], ownWays } as const;
    expect(judge(facts).kind).toBe(kind);
  });
});
