import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { Registration } from '../../../src/registration/model/registration.ts';
import { hasOtherBarcode, type Recognition, whyOtherBarcode } from '../../../src/sync/decide/undo-barcode.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const fields = fieldsOf(event(persona('visitor', [field('email', 'email')])));
const SENT: Registration = {
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  enableComms: false,
  fields: { email: 'ada@example.com' },
};
const NOW = { persona: 'visitor', barcode: 'Z', fields: { email: 'ada@example.com' } };
const WHY = 'its barcode is Z now, and was A, which cannot be brought back';
const knows = (more: Partial<Recognition> = {}): Recognition => ({
  email: undefined,
  'email-across': undefined,
  case: undefined,
  ...more,
});

test('a barcode is another only where both are known', () => {
  expect(hasOtherBarcode({ barcode: 'A' }, { barcode: 'Z' })).toBe(true);
  expect(hasOtherBarcode({ barcode: 'A' }, { barcode: 'A' })).toBe(false);
  expect(hasOtherBarcode({}, { barcode: 'Z' })).toBe(false);
  expect(hasOtherBarcode({ barcode: 'A' }, {})).toBe(false);
});

describe('a registration with another barcode than it had', () => {
  const why = (recognition?: Recognition, isTaken?: (barcode: string) => boolean) =>
    whyOtherBarcode(SENT, NOW, { fields, recognition, isTaken });

  test('gets it back of a service that knows the person by what they have in common', () => {
    expect(why(knows({ email: 'yes' }))).toBeUndefined();
    expect(why(knows({ email: 'yes' }), (barcode) => barcode === 'Z')).toBeUndefined();
  });

  test.each<[string, Recognition | undefined, ((barcode: string) => boolean)?]>([
    ['nothing is known of the service', undefined],
    ['it has not been seen to', knows()],
    ['it is seen not to', knows({ email: 'no' })],
    ['it knows people by something else', knows({ case: 'yes', 'email-across': 'yes' })],
    ['somebody else has that barcode', knows({ email: 'yes' }), (barcode) => barcode === 'A'],
  ])('is left as it is where %s', (_, recognition, isTaken) => {
    expect(why(recognition, isTaken)).toBe(WHY);
  });

  test('is left as it is where they have nothing in common', () => {
    const other = { ...NOW, fields: { email: 'bo@example.com' } };
    const recognition = knows({ email: 'yes', 'email-across': 'yes', case: 'yes' });
    expect(whyOtherBarcode(SENT, other, { fields, recognition })).toBe(WHY);
  });
});
