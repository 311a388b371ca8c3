import { expect, test } from 'vitest';
import type { Registration } from '../../../src/registration/model/registration.ts';
import { PackedPayloads } from '../../../src/sync/ingest/input-row.ts';

const row = (fields: Registration['fields'], more: Partial<Registration> = {}): Registration => ({
  persona: 'visitor',
  fields,
  barcode: undefined,
  parentBarcode: undefined,
  enableComms: false,
  ...more,
});

test.each([0, 25_000])('What is sent of rows is read as it was, in any order, from row %i on', (from) => {
  const all = [
    row({ first_name: 'Łukasz', note: 'two\nlines' }, { barcode: 'A', enableComms: true }),
    undefined,
    row({ meals: ['fish', 'none'], note: '' }, { parentBarcode: 'A' }),
    row({}, { persona: 'speaker', leavesGroup: true }),
    row({ note: 'é'.repeat(50_000) }),
    row({ note: 'é'.repeat(50_000), first_name: 'Bo' }),
    row(Object.fromEntries([['__proto__', 'x']])),
  ];
  const packed = new PackedPayloads();
  for (const [seq, one] of all.entries()) if (one !== undefined) packed.add(from + seq, one);
  for (const seq of [6, 0, 1, 5, 4, 3, 2, 7, 0])
    expect(packed.registrationOf({ seq: from + seq })).toEqual(all[seq]);
});
