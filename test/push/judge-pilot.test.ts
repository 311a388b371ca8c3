import { describe, expect, test } from 'vitest';
import { judgeLastLook, judgePilot, type PilotFacts } from '../../src/push/judge-pilot.ts';
import { fieldsOf } from '../../src/registration/field-change.ts';
import type { RecordImage } from '../../src/registration/registration.ts';
import { event, field, persona } from '../registration/persona-fixture.ts';

const FIELDS = fieldsOf(event(persona('visitor', [field('name', 'name'), field('company', 'text')])));
const BEFORE: RecordImage = { id: 'reg-1', persona: 'visitor', barcode: 'A', fields: { name: 'Old' } };

const listed = (fields: RecordImage['fields'], id = 'reg-1'): RecordImage => ({ ...BEFORE, id, fields });

/** An update of the name to `New`. */
function facts(found: readonly RecordImage[], more: Partial<PilotFacts> = {}): PilotFacts {
  return {
    registration: {
      persona: 'visitor',
      barcode: 'A',
      parentBarcode: undefined,
      enableComms: false,
      fields: { name: 'New' },
    },
    before: BEFORE,
    outcome: { state: 'done', remoteId: undefined },
    found,
    fields: FIELDS,
    ...more,
  };
}

const COMPANY = { ...BEFORE, fields: { name: 'Old', company: 'Acme' } };
const SAME = { ...BEFORE, fields: { name: 'New' } };
const HIDDEN = { ...BEFORE, fields: undefined };
const done = (remoteId?: string) => ({ state: 'done', remoteId }) as const;

describe('an update has shown', () => {
  test.each<[string, PilotFacts, string, string | undefined]>([
    [
      'that it doubles',
      facts([listed({ name: 'Old' }), listed({ name: 'New' }, 'reg-2')]),
      'double',
      undefined,
    ],
    ['that it updates', facts([listed({ name: 'New' })]), 'update', undefined],
    ['that it updates, in its own spelling', facts([listed({ name: 'NEW' })]), 'update', undefined],
    [
      'that it updates, if only in part',
      facts([listed({ name: 'New', company: 'Acme' })], {
        registration: { ...facts([]).registration, fields: { name: 'New', company: 'Other' } },
        before: COMPANY,
      }),
      'update',
      undefined,
    ],
    ['that it updates, by emptying', facts([listed({})]), 'update', undefined],
    ['nothing yet: the old values', facts([listed({ name: 'Old' })]), 'look', undefined],
    ['nothing yet: no registration', facts([]), 'look', undefined],
    ['nothing yet: no fields', facts([listed(undefined)]), 'look', undefined],
    [
      'nothing yet: no fields, and another id',
      facts([listed(undefined)], { outcome: done('reg-2') }),
      'look',
      undefined,
    ],
    [
      'that it does no harm: the same id',
      facts([listed(undefined)], { outcome: done('reg-1') }),
      'harmless',
      undefined,
    ],
    [
      'nothing yet: there was nothing to change',
      facts([listed({ name: 'New' })], { before: SAME }),
      'look',
      undefined,
    ],
    [
      'that it does no harm: there was nothing to change',
      facts([listed({ name: 'New' })], { before: SAME, outcome: done('reg-1') }),
      'harmless',
      undefined,
    ],
    [
      'that it does no harm: the fields were not shown before',
      facts([listed({ name: 'New' })], { before: HIDDEN, outcome: done('reg-1') }),
      'harmless',
      undefined,
    ],
    [
      'that other fields are kept',
      facts([listed({ name: 'New', company: 'Acme' })], { before: COMPANY }),
      'update',
      'merge',
    ],
    [
      'that other fields are kept, in its own spelling',
      facts([listed({ name: 'New', company: 'ACME' })], { before: COMPANY }),
      'update',
      'merge',
    ],
    [
      'that other fields are emptied',
      facts([listed({ name: 'New' })], { before: COMPANY }),
      'update',
      'replace',
    ],
    [
      'that other fields are emptied, if written as empty',
      facts([listed({ name: 'New', company: '' })], { before: COMPANY }),
      'update',
      'replace',
    ],
    [
      'that a parent that is not sent is lost',
      facts([listed({ name: 'New' })], { before: { ...BEFORE, parentBarcode: 'P' } }),
      'update',
      'replace',
    ],
    [
      'that a parent that is not sent is kept',
      facts([{ ...listed({ name: 'New' }), parentBarcode: 'P' }], {
        before: { ...BEFORE, parentBarcode: 'P' },
      }),
      'update',
      'merge',
    ],
    [
      'nothing of other fields while the old values are listed',
      facts([listed({ name: 'Old', company: '' })], { before: COMPANY }),
      'look',
      undefined,
    ],
  ])('%s', (_, given, rule, unsent) => {
    expect(judgePilot(given)).toEqual({ rule, unsent });
  });
});

describe('by the last look an update has shown', () => {
  const old = [listed({ name: 'Old' })];
  test.each<[string, PilotFacts, string]>([
    ['what it had shown before', facts([listed({ name: 'New' })]), 'update'],
    ['that it is ignored', facts(old), 'ignore'],
    ['that it is ignored, by the same id', facts(old, { outcome: done('reg-1') }), 'ignore'],
    ['that it doubles, by another id', facts(old, { outcome: done('reg-2') }), 'double'],
    [
      'that it is ignored, where ids are not listed',
      facts(old, { outcome: done('reg-2'), before: { ...BEFORE, id: undefined } }),
      'ignore',
    ],
    [
      'only how it is spelt',
      facts([listed({ name: 'NEW' })], { before: { ...BEFORE, fields: { name: 'NEW' } } }),
      'spelling',
    ],
    [
      'that it may keep less than was sent',
      facts([listed({ name: 'N' })], { before: { ...BEFORE, fields: { name: 'N' } } }),
      'dropped',
    ],
    ['nothing, without a certain answer', facts(old, { outcome: { state: 'uncertain' } }), 'look'],
    ['nothing, when it is not listed', facts([]), 'look'],
    ['no harm, when fields are not shown', facts([listed(undefined)]), 'harmless'],
    ['no harm, when fields were not shown', facts([listed({ name: 'New' })], { before: HIDDEN }), 'harmless'],
    [
      'no harm, when there was nothing to change',
      facts([listed({ name: 'New' })], { before: SAME }),
      'harmless',
    ],
    [
      'nothing, without a certain answer and fields',
      facts([listed(undefined)], { outcome: { state: 'uncertain' } }),
      'look',
    ],
  ])('%s', (_, given, rule) => {
    expect(judgeLastLook(given).rule).toBe(rule);
  });
});
