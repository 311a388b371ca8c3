import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../../src/registration/model/registration.ts';
import { decideCommand } from '../../../src/sync/decide/judge-found.ts';
import { isAlike, KEY_WORDS, sharedKey } from '../../../src/sync/decide/judge-person.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const FIELDS = fieldsOf(
  event(
    persona('visitor', [field('name', 'name'), field('email', 'email'), field('office', 'email')]),
    persona('speaker', [field('contact', 'email')]),
    persona('crew', [field('name', 'name')]),
  ),
);

const row = (fields: Registration['fields'], more: Partial<Registration> = {}): Registration => ({
  persona: 'visitor',
  barcode: 'a1',
  parentBarcode: undefined,
  enableComms: false,
  ...more,
  fields,
});
const ADA = row({ name: 'Ada', email: 'ada@example.com', office: 'desk@example.com' });

describe('what a row and another registration have in common', () => {
  test.each<[string, Registration, Registration | RecordImage, ReturnType<typeof sharedKey>]>([
    ['the barcode in another case', ADA, { barcode: 'A1' }, 'case'],
    ['nothing, as to the letter it is the same barcode', ADA, { barcode: 'a1' }, undefined],
    ['nothing, as one has no barcode', { ...ADA, barcode: undefined }, { barcode: 'A1' }, undefined],
    ['nothing, as the other shows no barcode', ADA, { persona: 'visitor' }, undefined],
    ['nothing, as barcodes are others', ADA, { barcode: 'a2', fields: { email: 'bo@b.example' } }, undefined],
    ['the e-mail in any case', ADA, row({ email: 'ADA@example.com' }, { barcode: 'B' }), 'email'],
    ['the e-mail, where no persona is shown', ADA, { fields: { email: 'ada@example.com' } }, 'email'],
    [
      'the e-mail of another persona, by whatever name its field goes',
      ADA,
      { persona: 'speaker', fields: { contact: 'ada@example.com' } },
      'email-across',
    ],
    [
      'the barcode in another case before the e-mail',
      ADA,
      { barcode: 'A1', fields: { email: 'ada@example.com' } },
      'case',
    ],
    ['nothing, as only the first e-mail counts', ADA, { fields: { office: 'desk@example.com' } }, undefined],
    [
      'nothing, as e-mails that are not there are not the same',
      row({ name: 'Ada' }),
      { fields: { name: 'Ada' } },
      undefined,
    ],
    ['nothing, as an empty e-mail is none', row({ email: '' }), { fields: { email: ' ' } }, undefined],
    [
      'nothing, as the persona has no e-mail',
      row({ name: 'Ada' }, { persona: 'crew' }),
      { persona: 'crew', fields: { name: 'Ada' } },
      undefined,
    ],
  ])('%s', (_, registration, other, expected) => {
    expect(sharedKey(registration, other, FIELDS)).toBe(expected);
  });

  test('is called by its name', () => {
    expect(KEY_WORDS).toEqual({
      email: 'e-mail',
      'email-across': 'e-mail, whatever the persona',
      case: 'barcode, whatever its case',
    });
  });
});

describe('an id that may have been used again names the person of a row', () => {
  test.each<[string, RecordImage, boolean]>([
    ['with the same e-mail', { fields: { name: 'Bo', email: 'Ada@example.com' } }, true],
    [
      'with the same e-mail in another persona',
      { persona: 'speaker', fields: { contact: 'ada@example.com' } },
      true,
    ],
    ['with the same name in any case', { fields: { name: 'ADA', email: 'new@example.com' } }, true],
    [
      'with the same e-mail, under a barcode in another case',
      { barcode: 'A1', fields: { email: 'ada@example.com' } },
      true,
    ],
    ['not with another name and e-mail', { fields: { name: 'Bo', email: 'bo@example.com' } }, false],
    ['not by a barcode in another case', { barcode: 'A1', fields: { name: 'Bo' } }, false],
    ['not where nothing is shown', { barcode: 'a1' }, false],
  ])('%s', (_, record, expected) => {
    expect(isAlike(ADA, record, FIELDS)).toBe(expected);
  });
});

test('the command that settles a doubt can be pasted, also of a file with a space in its name', () => {
  expect(decideCommand('r1', { file: 'guests.csv', line: 3 })).toBe(
    '`eventreg runs decide r1 guests.csv:3 sent`, or not-sent',
  );
  expect(decideCommand('r1', { file: 'my guests.csv', line: 3 })).toBe(
    '`eventreg runs decide r1 "my guests.csv:3" sent`, or not-sent',
  );
  expect(decideCommand('r1', { file: '', line: 0 }, 'QR-7')).toBe(
    '`eventreg runs decide r1 QR-7 sent`, or not-sent',
  );
});
