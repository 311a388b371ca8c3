import { describe, expect, test } from 'vitest';
import { judgeLastLook, judgeTrial, type TrialFacts } from '../../../src/sync/decide/judge-trial.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RecordImage } from '../../../src/registration/model/registration.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const FIELDS = fieldsOf(event(persona('visitor', [field('name', 'name'), field('company', 'text')])));
const BEFORE: RecordImage = { id: 'reg-1', persona: 'visitor', barcode: 'A', fields: { name: 'Old' } };

const listed = (fields: RecordImage['fields'], id = 'reg-1'): RecordImage => ({ ...BEFORE, id, fields });

/** An update of the name to `New`. */
function facts(found: readonly RecordImage[], more: Partial<TrialFacts> = {}): TrialFacts {
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
  test.each<[string, TrialFacts, string, Record<string, string>?]>([
    ['that it doubles', facts([listed({ name: 'Old' }), listed({ name: 'New' }, 'reg-2')]), 'double'],
    ['that it updates', facts([listed({ name: 'New' })]), 'update'],
    ['that it updates, in its own spelling', facts([listed({ name: 'NEW' })]), 'update'],
    [
      'that it updates, if only in part',
      facts([listed({ name: 'New', company: 'Acme' })], {
        registration: { ...facts([]).registration, fields: { name: 'New', company: 'Other' } },
        before: COMPANY,
      }),
      'update',
    ],
    ['that it updates, by emptying', facts([listed({})]), 'update'],
    ['nothing yet: the old values', facts([listed({ name: 'Old' })]), 'look'],
    ['nothing yet: no registration', facts([]), 'look'],
    ['nothing yet: no fields', facts([listed(undefined)]), 'look'],
    [
      'nothing yet: no fields, and another id',
      facts([listed(undefined)], { outcome: done('reg-2') }),
      'look',
    ],
    ['that it does no harm: the same id', facts([listed(undefined)], { outcome: done('reg-1') }), 'harmless'],
    ['nothing yet: there was nothing to change', facts([listed({ name: 'New' })], { before: SAME }), 'look'],
    [
      'nothing yet: no fields, and no id at all',
      facts([listed(undefined)], { before: { ...BEFORE, id: undefined } }),
      'look',
    ],
    [
      'nothing yet: a parent, where none are shown',
      facts([SAME], {
        registration: { ...facts([]).registration, parentBarcode: 'P' },
        before: SAME,
        parentsShown: false,
      }),
      'look',
    ],
    [
      'that it updates: the name, where parents are not shown',
      facts([SAME], {
        registration: { ...facts([]).registration, parentBarcode: 'P' },
        parentsShown: false,
      }),
      'update',
    ],
    [
      'that it updates: the parent',
      facts([{ ...SAME, parentBarcode: 'P' }], {
        registration: { ...facts([]).registration, parentBarcode: 'P' },
        before: SAME,
      }),
      'update',
    ],
    [
      'nothing of messages that are not shown',
      facts([listed({ name: 'New' })], { before: { ...BEFORE, enableComms: true } }),
      'update',
    ],
    [
      'that it does no harm: there was nothing to change',
      facts([listed({ name: 'New' })], { before: SAME, outcome: done('reg-1') }),
      'harmless',
    ],
    [
      'that it does no harm: the fields were not shown before',
      facts([listed({ name: 'New' })], { before: HIDDEN, outcome: done('reg-1') }),
      'harmless',
    ],
    [
      'that other fields are kept',
      facts([listed({ name: 'New', company: 'Acme' })], { before: COMPANY }),
      'update',
      { 'visitor:company': 'merge' },
    ],
    [
      'that another field has another value, whoever changed it',
      facts([listed({ name: 'New', company: 'Zenith' })], { before: COMPANY }),
      'update',
      { 'visitor:company': 'changed' },
    ],
    [
      'that other fields are emptied',
      facts([listed({ name: 'New' })], { before: COMPANY }),
      'update',
      { 'visitor:company': 'reset' },
    ],
    [
      'that other fields are emptied, if written as empty',
      facts([listed({ name: 'New', company: '' })], { before: COMPANY }),
      'update',
      { 'visitor:company': 'reset' },
    ],
    [
      'that a parent that is not sent is lost',
      facts([listed({ name: 'New' })], { before: { ...BEFORE, parentBarcode: 'P' } }),
      'update',
      { parent: 'reset' },
    ],
    [
      'that a parent that is not sent is kept',
      facts([{ ...listed({ name: 'New' }), parentBarcode: 'P' }], {
        before: { ...BEFORE, parentBarcode: 'P' },
      }),
      'update',
      { parent: 'merge' },
    ],
    [
      'that other fields are emptied, also while the old values are listed',
      facts([listed({ name: 'Old', company: '' })], { before: COMPANY }),
      'update',
      { 'visitor:company': 'reset' },
    ],
    [
      'nothing of other fields while the old values are listed',
      facts([listed({ name: 'Old', company: 'Acme' })], { before: COMPANY }),
      'look',
    ],
    [
      'that messages are taken back',
      facts([{ ...listed({ name: 'New' }), enableComms: false }], {
        before: { ...BEFORE, enableComms: true },
      }),
      'update',
      { comms: 'reset' },
    ],
    [
      'that messages stay',
      facts([{ ...listed({ name: 'New' }), enableComms: true }], {
        before: { ...BEFORE, enableComms: true },
      }),
      'update',
      { comms: 'merge' },
    ],
    [
      'each thing for itself',
      facts([listed({ name: 'New', company: 'Acme' })], { before: { ...COMPANY, parentBarcode: 'P' } }),
      'update',
      { parent: 'reset', 'visitor:company': 'merge' },
    ],
    [
      'nothing of other fields when it moves to another persona',
      facts([{ ...listed({ name: 'New' }), persona: 'speaker' }], {
        before: { ...COMPANY, parentBarcode: 'P' },
        registration: { ...facts([]).registration, persona: 'speaker' },
      }),
      'update',
    ],
  ])('%s', (_, given, rule, unsent = {}) => {
    expect(judgeTrial(given)).toEqual({ rule, unsent: new Map(Object.entries(unsent)) });
  });
});

describe('by the last look an update has shown', () => {
  const old = [listed({ name: 'Old' })];
  test.each<[string, TrialFacts, string]>([
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
