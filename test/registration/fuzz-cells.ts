import * as fc from 'fast-check';
import { loadNationalPhones } from '../../src/commands/push/push-repairs.ts';
import type { PhoneWish } from '../../src/registration/repairs/repair-phone.ts';
import type { DateOrder } from '../../src/registration/rules/date-forms.ts';
import type { RepairOptions } from '../../src/registration/repairs/repair-options.ts';
import type { Cell } from '../../src/registration/model/row.ts';
import { SheetCell } from '../../src/registration/model/sheet-cell.ts';
import { listed } from '../support/tables.ts';

const PHONES = await Promise.all(['ES', 'US', 'IT', 'AQ'].map(loadNationalPhones));

/** Texts near to what each kind of column takes, so that mutations of them are often taken too. */
const SEEDS: readonly string[] = [
  [
    ' odd ',
    'S; M label|S',
    ...listed(`
      S | M | S label | s | s; M | m label | A;B | 45000 | 2023-03-15 | '=S | é | ["S","M"] |
      S, M label / s and m | [1]
    `),
  ],
  listed(`
    Zoë | name@example.com | n.ame@exämple.com | +34 600 000 000 | 0034600000000 | 600000000 |
    tel:+34600000000
  `),
  ['34600000000', '(0)20 7946 0000', '12.000', '12345.0', '0012', '5.90123E+12', '12E4', '0', '-1', '1,000'],
  listed(`
    ES | esp | España | Iran, Islamic Republic of | Congo | UK | Côte d'Ivoire | https://a.example/x.png
  `),
  ['2026-02-26', '2026-02-30', '26/02/2026', '3/4/2026', '4.4.2026', '20260226', '26 Feb 2026', '45000.5'],
  ['2026-02-26T10:00', '3/4/2026 10:00:00.000', '2026/2/6, 9:30', 'Müller', '=1+1', '@x', 'true', '#N/A', ''],
].flat();
/** Characters that damage, decorate or hide. */
const SIGNS = [
  ...Array.from(
    ' \t\r\n\v\f\u0000\u0007\u001B\u007F\u0085\u009B\u00A0\u00AD\u061C\u1680\u2003\u2028\u2029\u202F\u3000',
  ),
  ...Array.from('\u200B\u200C\u200D\u200E\u200F\u202A\u202E\u2060\u2066\u2069\uFEFF\uFFFD\u0301\u0308\uFE0F'),
  ...Array.from('０９ＡｚＳ＠＋．／：；，－＝ﬁ①Ⅷ²٣آאпаΑІ漢💥ßİıſÃ©â€™'),
  ...Array.from('aZ09+-./:;|,@()[]{}"\'=<>_#%&*!?~^`$\\'),
  '\uD83D',
  '\uDE00',
  '👩‍🚀',
];

const sign = fc.constantFrom(...SIGNS);
const words = fc.string({ unit: sign, maxLength: 12 });
const place = fc.double({ min: 0, max: 1, noNaN: true });

/** A seed with signs put in, or without some of its own characters. */
const changed = fc
  .tuple(fc.constantFrom(...SEEDS), fc.array(fc.tuple(place, words, fc.nat(2)), { maxLength: 2 }))
  .map(([seed, changes]) =>
    changes.reduce((text, [where, put, cut]) => {
      const at = Math.floor(where * (text.length + 1));
      return text.slice(0, at) + put + text.slice(at + cut);
    }, seed),
  );
const wrapped = fc.tuple(words, fc.constantFrom(...SEEDS), words).map((parts) => parts.join(''));
const wide = fc
  .constantFrom(...SEEDS)
  .map((seed) => seed.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)));

/** Any text that a file may hold, some of it huge. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: changed },
  { weight: 3, arbitrary: wrapped },
  { weight: 2, arbitrary: words },
  { weight: 1, arbitrary: wide },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(changed, fc.constantFrom(300, 5000)).map(([text, times]) => text.repeat(times)),
  },
);

const number = fc.oneof(
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom(
    '0012',
    '1.0',
    '5.901234123457E12',
    '-0',
    '1e999',
    '60',
    '.5',
    '45000',
    '45000.75',
    '999999999999999',
  ),
);
const format = fc.record({
  code: fc.constantFrom('General', '0000', '#,##0', '00 00 00', '000-000', '"A-"0000', '[', '"', '\\'),
  kind: fc.constantFrom(
    'number' as const,
    'date' as const,
    'datetime' as const,
    'time' as const,
    'clock' as const,
    'span' as const,
    'text' as const,
  ),
  zeros: fc.constantFrom(0, 3, 4, 13, 1_000_000),
});
const iso = fc.constantFrom(
  '2026-02-26',
  '2026-02-26T10:00:00.499',
  '2026-02-26T00:00',
  '2026-02-26T23:59:59.9',
  'x',
);

/** Any cell of a workbook that is no text. */
export const anySheetCell: fc.Arbitrary<SheetCell> = fc.oneof(
  ...(['number', 'boolean', 'error', 'date', 'missing'] as const).map((type) =>
    fc
      .tuple(
        type === 'date' ? iso : type === 'boolean' ? fc.constantFrom('0', '1') : number,
        format,
        fc.boolean(),
      )
      .map(([stored, shown, date1904]) => new SheetCell(type, stored, shown, date1904)),
  ),
);

const json = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(changed, fc.integer(), fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(words, words, { maxKeys: 2 }),
) as fc.Arbitrary<Cell>;

/** Any cell of any file. */
export const anyCell: fc.Arbitrary<Cell> = fc.oneof(
  { weight: 6, arbitrary: anyText },
  { weight: 2, arbitrary: anySheetCell },
  { weight: 1, arbitrary: json },
);

/** Any repairs but `fix`. */
export const anyRepairs: fc.Arbitrary<RepairOptions> = fc.record({
  phones: fc.constantFrom(undefined, ...PHONES),
  dateOrder: fc.constantFrom(undefined, 'dmy' as const, 'mdy' as const),
  dateSerials: fc.constantFrom(undefined, '1900' as const, '1904' as const),
  pad: fc.constantFrom(
    new Map<string, number>(),
    new Map([
      ['barcode', 13],
      ['text', 5],
      ['phone', 9],
    ]),
  ),
  leaveOut: fc.constantFrom(new Map<string, true>()),
  accept: fc.constantFrom(new Set<never>(), new Set(['mojibake', 'mixed-scripts'] as const)),
  decisions: fc.constantFrom(
    new Map(),
    new Map([['date', { dateOrder: 'dmy' as const, dateConflict: undefined }]]),
    new Map([['date', { dateOrder: undefined, dateConflict: ['a:1', 'a:2'] as const }]]),
  ),
  phonesOf: fc.constantFrom(
    new Map<string, PhoneWish>(),
    new Map([['phone', { phones: PHONES[2], coded: true }]]),
    new Map([['phone', { phones: undefined }]]),
  ),
  dateOrderOf: fc.constantFrom(new Map<string, DateOrder>(), new Map([['date', 'mdy' as const]])),
  values: fc.constant(new Map<string, Map<string, string>>()),
});
