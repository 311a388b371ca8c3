import { expect, test } from 'vitest';
import { completed, holdsAny, lostValues, unsentValues } from '../../src/push/unsent-fields.ts';
import { fieldsOf } from '../../src/registration/field-change.ts';
import type { Registration } from '../../src/registration/registration.ts';
import { event, field, persona } from '../registration/persona-fixture.ts';

const FIELDS = fieldsOf(
  event(
    persona(
      'visitor',
      ['name', 'company', 'meal', 'phone', '__proto__'].map((slug) => field(slug, 'text')),
    ),
  ),
);
const ROW: Registration = {
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  fields: { name: '' },
};

test('what a row does not send is what its registration holds in other fields of its persona', () => {
  const before = {
    fields: { name: 'Ada', company: 'Acme', meal: [{ value: 'fish' }], phone: '', status: 'paid' },
  };
  const values = unsentValues(ROW, before, FIELDS);
  expect([...values.fields]).toEqual([
    ['company', 'Acme'],
    ['meal', ['fish']],
  ]);
  expect(lostValues(values, { fields: { company: 'ACME', meal: [] } })).toEqual(['meal']);
  expect(lostValues(values, {})).toEqual(['company', 'meal']);
  expect(completed(ROW, values)).toEqual({ ...ROW, fields: { name: '', company: 'Acme', meal: ['fish'] } });
});

test('a registration that shows no fields holds nothing that is known', () => {
  expect(holdsAny(unsentValues(ROW, {}, FIELDS))).toBe(false);
});

test('a field called __proto__ is sent along like any other', () => {
  const before = { fields: JSON.parse('{"__proto__": "x"}') as Record<string, unknown> };
  const values = unsentValues(ROW, before, FIELDS);
  expect(Object.entries(completed(ROW, values).fields)).toEqual([
    ['name', ''],
    ['__proto__', 'x'],
  ]);
});

test('a row that names no parent holds on to the group that its registration is a member of', () => {
  const values = unsentValues(ROW, { parentBarcode: 'P', fields: {} }, FIELDS);
  expect(holdsAny(values)).toBe(true);
  expect(lostValues(values, { parentBarcode: 'Q' })).toEqual([]);
  expect(lostValues(values, {})).toEqual(['parent_barcode']);
  expect(completed(ROW, values).parentBarcode).toBe('P');
});

test('a row that names a parent goes by its own', () => {
  const moved = { ...ROW, parentBarcode: 'Q' };
  const values = unsentValues(moved, { parentBarcode: 'P', fields: {} }, FIELDS);
  expect(holdsAny(values)).toBe(false);
  expect(completed(moved, values).parentBarcode).toBe('Q');
});
