import { describe, expect, test } from 'vitest';
import { changesTo, fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { event, field, persona } from '../persona-fixture.ts';

const VISITOR = persona('visitor', [
  field('name', 'name'),
  field('email', 'email'),
  field('meal', 'choice', ['fish', 'meat'], true),
  field('persona', 'text'),
]);
const FIELDS = fieldsOf(event(VISITOR, persona('speaker', [field('email', 'text')])));

const sent = (
  fields: Registration['fields'],
  more: Partial<Omit<Registration, 'fields'>> = {},
): Registration => ({
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  ...more,
  fields,
});
const listed = (fields: RecordImage['fields'], more: RecordImage = {}): RecordImage => ({
  id: 'reg-1',
  persona: 'visitor',
  barcode: 'A',
  ...more,
  fields,
});

test('the fields of a persona are found by its slug', () => {
  expect(FIELDS('speaker').map(({ slug }) => slug)).toEqual(['email']);
  expect(FIELDS('nobody')).toEqual([]);
  expect(FIELDS('constructor')).toEqual([]);
});

describe('what sending a row would change', () => {
  test('is nothing when the service has it all, however it writes it', () => {
    const row = sent({ name: 'Ada', email: 'ADA@example.com', meal: ['fish', 'meat'] });
    const record = listed({ name: ' Ada', email: 'ada@example.com', meal: 'meat label; fish', phone: 'x' });
    expect(changesTo(row, record, FIELDS)).toEqual([]);
  });

  test('is told by field, with both values', () => {
    const row = sent({ name: 'Ada', email: '', meal: ['fish', 'meat'], unknown: 'x' });
    const record = listed({ name: 'Bo', email: 'bo@example.com', meal: [{ value: 'fish' }] });
    expect(changesTo(row, record, FIELDS)).toEqual([
      { field: 'name', before: 'Bo', after: 'Ada' },
      { field: 'email', before: 'bo@example.com', after: undefined },
      { field: 'meal', before: ['fish'], after: ['fish', 'meat'] },
      { field: 'unknown', before: undefined, after: 'x' },
    ]);
  });

  test('compares a field as its persona has it', () => {
    const speaker = (email: string) => sent({ email }, { persona: 'speaker' });
    const record = listed({ email: 'ada@example.com' }, { persona: 'speaker' });
    expect(changesTo(speaker('ADA@example.com'), record, FIELDS)).toHaveLength(1);
  });

  test('cannot be told when the record shows no fields', () => {
    expect(changesTo(sent({}), listed(undefined), FIELDS)).toBeUndefined();
  });

  test('takes a value for what it is called only where the record itself has it', () => {
    const changes = changesTo(sent({ constructor: 'x', __proto__: 'y' }), listed({}), FIELDS);
    expect(changes).toEqual([{ field: 'constructor', before: undefined, after: 'x' }]);
  });

  test('includes the persona, unless it is not shown', () => {
    expect(changesTo(sent({}), listed({}, { persona: 'speaker' }), FIELDS)).toEqual([
      { field: 'persona', before: 'speaker', after: 'visitor' },
    ]);
    expect(changesTo(sent({}), { fields: {} }, FIELDS)).toEqual([]);
  });

  test('tells a field called persona from the persona', () => {
    expect(changesTo(sent({ persona: 'x' }), listed({}), FIELDS)).toEqual([
      { field: 'persona', before: undefined, after: 'x' },
    ]);
  });

  test('includes the parent that a row names', () => {
    const member = sent({}, { parentBarcode: 'P' });
    expect(changesTo(member, listed({}), FIELDS)).toEqual([
      { field: 'parent_barcode', before: undefined, after: 'P' },
    ]);
    expect(changesTo(member, listed({}, { parentBarcode: 'Q' }), FIELDS)).toMatchObject([{ before: 'Q' }]);
    expect(changesTo(member, listed({}, { parentBarcode: 'P' }), FIELDS)).toEqual([]);
    expect(changesTo(sent({}), listed({}, { parentBarcode: 'Q' }), FIELDS)).toEqual([]);
  });

  test('includes messages that are asked for and off, and never takes them back', () => {
    const loud = sent({}, { enableComms: true });
    expect(changesTo(loud, listed({}, { enableComms: false }), FIELDS)).toEqual([
      { field: 'enable_comms', before: 'false', after: 'true' },
    ]);
    expect(changesTo(loud, listed({}, { enableComms: true }), FIELDS)).toEqual([]);
    expect(changesTo(loud, listed({}), FIELDS)).toEqual([]);
    expect(changesTo(sent({}), listed({}, { enableComms: true }), FIELDS)).toEqual([]);
  });

  test('tells persona, parent and messages before the fields', () => {
    const row = sent({ name: 'Ada' }, { parentBarcode: 'P', enableComms: true });
    const record = listed({}, { persona: 'speaker', enableComms: false });
    expect(changesTo(row, record, FIELDS)?.map((change) => change.field)).toEqual([
      'persona',
      'parent_barcode',
      'enable_comms',
      'name',
    ]);
  });
});
