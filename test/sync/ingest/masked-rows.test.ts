import { expect, test } from 'vitest';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { MaskedValues } from '../../../src/sync/journal/learned.ts';
import { MaskedRows } from '../../../src/sync/ingest/masked-rows.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const MARK = 'abcdef';
const DAY_MS = 24 * 60 * 60_000;

/** A machine that has masked 4,000 phone numbers, and what looks at lists there. */
function machine(now = 0): { journal: Journal; look: (phones: readonly string[]) => MaskedRows } {
  const journal = new Journal(temporaryDirectory());
  const values = new MaskedValues(journal);
  const at = { mark: MARK, now };
  for (let n = 0; n < 4000; n += 1) values.add('plain', phoneOf(n), at);
  values.write(at);
  const look = (phones: readonly string[]): MaskedRows => {
    const rows = new MaskedRows(values, {
      files: ['list.csv'],
      targetMark: undefined,
      takesSample: false,
      accepts: false,
      cloneOf: () => 'fair',
    });
    for (const [seq, phone] of phones.entries()) {
      const place = { file: 'list.csv', line: seq + 2 };
      rows.add({ place, columns: ['phone', 'city'], cells: [phone, 'Rotterdam'] }, seq);
    }
    return rows;
  };
  return { journal, look };
}

const phoneOf = (n: number): string => `+34 600 ${String(100_000 + n)}`;
/** So many numbers, of which those from a place on were masked here. */
const phones = (count: number, from: number): string[] =>
  Array.from({ length: count }, (_, n) => (n < from ? `+49 ${n}9999999` : phoneOf(n)));

test.each([
  [4, 2, true],
  [4, 3, false],
  [1, 0, true],
  [4000, 500, true],
  [4000, 501, false],
])('a list of %i numbers, masked here from the one at %i on: %s', (count, from, stops) => {
  const { journal, look } = machine();
  const rows = look(phones(count, from));
  const refuse = (): void => rows.refuseForeign();
  if (stops) expect(refuse).toThrow('at least half of');
  else expect(refuse).not.toThrow();
  journal.close();
});

test('a spreadsheet program may have made numbers of them, and after a year they are forgotten', () => {
  const { journal, look } = machine();
  expect(() => look(['0034600100000']).refuseForeign()).toThrow('masked values');
  expect(() => look(['34600100001']).refuseForeign()).toThrow('masked values');
  new MaskedValues(journal).write({ mark: MARK, now: 366 * DAY_MS });
  expect(() => look(['34600100001']).refuseForeign()).not.toThrow();
  journal.close();
});
