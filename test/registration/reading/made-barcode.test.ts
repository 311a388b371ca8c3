import { describe, expect, it } from 'vitest';
import { isMade, makeBarcode } from '../../../src/registration/reading/companions.ts';
import { field } from '../persona-fixture.ts';

const FIELDS = [
  field('first', 'name'),
  field('last', 'name'),
  field('email', 'email'),
  field('note', 'text'),
];
const made = (values: Record<string, string>) => makeBarcode(new Map(Object.entries(values)), FIELDS);

describe('a barcode that is made', () => {
  it('is always the same: what was sent with it has to be found again', () => {
    expect(made({ email: 'ana@example.com' })).toEqual({ barcode: 'GUEST-YJCR-6B8J-PMVG', from: 'e-mail' });
    expect(made({ first: 'Ana', last: 'Gil' })).toEqual({ barcode: 'GUEST-206J-GV1C-QY1S', from: 'name' });
  });

  it('comes from the e-mail alone where there is one, whatever its case, and else from the names', () => {
    const { barcode } = made({ email: 'ana@example.com' }) ?? {};
    expect(made({ email: 'Ana@Example.com', first: 'Anna', note: 'x' })?.barcode).toBe(barcode);
    expect(made({ email: 'ann@example.com' })?.barcode).not.toBe(barcode);
    expect(made({ first: 'ana  maria', last: 'GIL' })).toEqual(made({ first: 'Ana Maria', last: 'Gil' }));
    expect(made({ first: 'Ana' })?.barcode).not.toBe(made({ first: 'Bo' })?.barcode);
    expect(made({ note: 'x', first: ' ' })).toBeUndefined();
  });

  it('looks as it is looked for', () => {
    for (let number = 0; number < 100; number += 1) {
      const { barcode = '' } = made({ email: `${number}@example.com` }) ?? {};
      expect([barcode, isMade(barcode)]).toEqual([
        expect.stringMatching(/^GUEST(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/),
        true,
      ]);
    }
  });
});
