import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../support/night.ts';
import { type Bench, noList, pushBench } from '../sync/push-bench.ts';

const GUESTS = runsOf(500);
/** Beginnings that spreadsheet programs run, and that our own escape of them could be confused with. */
const PREFIXES = [
  '',
  '=',
  '+',
  '-',
  '@',
  "'",
  "'=",
  "''+",
  "'''-",
  '\u200f',
  '"',
  '=cmd|',
  "'@",
  '_x0041_',
  '#N/A',
];
const PIECES = [
  'O"Neill',
  ';',
  ',',
  '|',
  'a\nb',
  'c\r\nd',
  'e\tf',
  'é',
  'ñ',
  'İ',
  'ß',
  '山',
  '👩‍👩‍👧',
  '🇪🇸',
  'עברית',
  'x_x000D_',
  '1E5',
  '0012',
  '<b>&amp;',
  ']]>',
  '𝒜',
  'TRUE',
  '2026-02-26',
  'ﬁ',
  '\u0301',
  '%',
  '\\',
];

const name = fc
  .tuple(
    fc.constantFrom(...PREFIXES),
    fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 6 })), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([prefix, pieces]) => prefix + pieces.join(''));
const phone = fc
  .tuple(fc.constantFrom('+', '00', ''), fc.integer({ min: 10_000, max: 9_999_999_999 }))
  .map(([prefix, digits]) => prefix + digits);

/** Pushes hostile guests as JSON, which takes texts as they are, and exports what the service then holds. */
async function exported(format: 'csv' | 'xlsx'): Promise<{ bench: Bench; file: string; sent: number }> {
  const bench = await pushBench();
  const texts = fc.sample(fc.tuple(name, name, phone), { numRuns: GUESTS, seed: 20_270_212 });
  const guests = texts.map(([first_name, company, phone], n) => ({
    persona: 'visitor',
    barcode: `X${String(n).padStart(4, '0')}`,
    fields: { first_name, last_name: 'Example', email: `g${n}@example.com`, phone, company },
  }));
  const list = bench.write('guests.json', JSON.stringify(guests));
  const { summary } = await bench.push([
    list,
    '--invalid',
    'skip',
    '--set',
    'accept=mojibake',
    '--set',
    'nothing=kept',
  ]);
  const file = `export.${format}`;
  const { code } = await bench.run(['list', '--to', join(bench.directory, file)]);
  expect(code).toBe(0);
  return { bench, file, sent: summary.sent };
}

test.each(['csv', 'xlsx'] as const)(
  'What the service holds comes back from %s to the letter',
  async (format) => {
    const { bench, file, sent } = await exported(format);
    // Some samples hold nothing but spaces or characters that no registration may have.
    expect(sent).toBeGreaterThan(GUESTS * 0.8);
    bench.service.fault = noList;
    // By the journal alone: comparing would pass over what the service only writes otherwise.
    const argv = [file, '--dry-run', '--set', 'accept=mojibake', '--set', 'nothing=kept'];
    // Without its barcode every row is somebody who was sent before and may be there.
    const bare = (await bench.push([...argv, '--ignore-column', 'barcode'])).summary;
    expect([bare.pending, bare.conflict]).toEqual([0, sent]);
    const { code, summary } = await bench.push(argv);
    expect([code, summary.unchanged, summary.pending, summary.rejected]).toEqual([0, sent, 0, 0]);
  },
  60_000,
);
