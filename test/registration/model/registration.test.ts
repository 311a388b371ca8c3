import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalRegistration, type Registration } from '../../../src/registration/model/registration.ts';

const base: Registration = {
  persona: 'visitor',
  fields: { b: '2', a: ['x', 'y'] },
  barcode: '007',
  parentBarcode: undefined,
  enableComms: false,
};

describe('the identity of a registration', () => {
  it('is canonical JSON', () => {
    expect(canonicalRegistration(base)).toBe(
      '{"barcode":"007","enable_comms":false,"fields":{"a":["x","y"],"b":"2"},"persona":"visitor"}',
    );
  });

  it('does not depend on the order of keys', () => {
    const slug = fc.oneof(fc.string(), fc.constantFrom('__proto__', '10', '9', 'é', 'e\u0301'));
    const fields = fc.uniqueArray(fc.tuple(slug, fc.oneof(fc.string(), fc.array(fc.string()))), {
      selector: ([key]) => key,
    });
    const shuffled = fields.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const first = canonicalRegistration({ ...base, fields: Object.fromEntries(one) });
        expect(canonicalRegistration({ ...base, fields: Object.fromEntries(other) })).toBe(first);
        expect(JSON.parse(first)).toEqual({
          persona: 'visitor',
          fields: Object.fromEntries(one),
          barcode: '007',
          enable_comms: false,
        });
      }),
    );
  });

  it.each<[string, Partial<Registration>]>([
    ['persona', { persona: 'speaker' }],
    ['a value', { fields: { b: '3', a: ['x', 'y'] } }],
    ['one value or a list of one', { fields: { b: ['2'], a: ['x', 'y'] } }],
    ['a composed letter', { fields: { b: '2', a: ['x', 'y'], e: '\u00E9' } }],
    ['a decomposed letter', { fields: { b: '2', a: ['x', 'y'], e: 'e\u0301' } }],
    ['barcode', { barcode: '7' }],
    ['no barcode', { barcode: undefined }],
    ['parent', { parentBarcode: '1' }],
    ['enable_comms', { enableComms: true }],
  ])('differs by %s', (_, change) => {
    const all = [base, { ...base, fields: { ...base.fields, e: 'x' } }];
    expect(all.map(canonicalRegistration)).not.toContain(canonicalRegistration({ ...base, ...change }));
  });
});
