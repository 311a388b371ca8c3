import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { describeThings, fateOf, isMove, unsentThings } from '../../../src/sync/decide/unsent-things.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const FIELDS = fieldsOf(event(persona('visitor', [field('name', 'name'), field('phone', 'phone')])));
const ROW: Registration = {
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  fields: { name: 'Ann' },
};
const BEFORE: RecordImage = {
  persona: 'visitor',
  parentBarcode: 'P',
  enableComms: true,
  fields: { name: 'Ann', phone: '+34600111222' },
};

const things = (registration: Registration = ROW, before: RecordImage = BEFORE) =>
  unsentThings(registration, before, FIELDS);
const names = (registration?: Registration, before?: RecordImage) =>
  things(registration, before).map(({ name }) => name);

describe('what a registration holds and a row does not send', () => {
  test('is its parent, its messages, and the fields that are not in the row', () => {
    expect(names()).toEqual(['parent', 'comms', 'visitor:phone']);
    expect(things().map(({ field: one }) => one?.slug)).toEqual([undefined, undefined, 'phone']);
  });

  test.each<[string, Partial<Registration>, Partial<RecordImage>, string[]]>([
    ['no parent that the row names', { parentBarcode: 'Q' }, {}, ['comms', 'visitor:phone']],
    ['no parent that the row leaves', { leavesGroup: true }, {}, ['comms', 'visitor:phone']],
    ['no parent where there is none', {}, { parentBarcode: undefined }, ['comms', 'visitor:phone']],
    ['no messages that the row asks for', { enableComms: true }, {}, ['parent', 'visitor:phone']],
    ['no messages that are off', {}, { enableComms: false }, ['parent', 'visitor:phone']],
    ['no field that the row empties', { fields: { phone: '' } }, {}, ['parent', 'comms', 'visitor:name']],
    ['no field that is empty', {}, { fields: { phone: '' } }, ['parent', 'comms']],
    ['no field of a persona that is not known', { persona: 'crew' }, {}, ['parent', 'comms']],
  ])('%s', (_, row, before, expected) => {
    expect(names({ ...ROW, ...row }, { ...BEFORE, ...before })).toEqual(expected);
  });

  test('is told as people know it, also of a persona with a colon in its name', () => {
    expect(describeThings(['visitor:phone', 'parent', 'comms', 'day%3A1:a:b'])).toBe(
      'phone of visitor, parent_barcode, enable_comms, a:b of day:1',
    );
  });
});

describe('what became of a thing that was not sent', () => {
  const fates = (now: RecordImage) =>
    Object.fromEntries(things().map((thing) => [thing.name, fateOf(thing, BEFORE, now)]));

  test('it stayed', () => {
    const respelt = { ...BEFORE, fields: { phone: '0034 600 111 222' } };
    expect(fates(respelt)).toEqual({ parent: 'merge', comms: 'merge', 'visitor:phone': 'merge' });
  });

  test('it is gone', () => {
    const now = { persona: 'visitor', enableComms: false, fields: { phone: '' } };
    expect(fates(now)).toEqual({ parent: 'reset', comms: 'reset', 'visitor:phone': 'reset' });
  });

  test('it is another', () => {
    const now = { parentBarcode: 'Q', fields: { phone: '+34999' } };
    expect(fates(now)).toMatchObject({ parent: 'changed', 'visitor:phone': 'changed' });
  });

  test('nothing is known of messages and fields that are not shown', () => {
    expect(fates({ parentBarcode: 'P' })).toEqual({
      parent: 'merge',
      comms: undefined,
      'visitor:phone': undefined,
    });
  });
});

test('a registration moves where it was listed with another persona, and not where none was shown', () => {
  expect(isMove(ROW, { persona: 'speaker' })).toBe(true);
  expect(isMove(ROW, { persona: 'visitor' })).toBe(false);
  expect(isMove(ROW, {})).toBe(false);
});
