import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadNationalPhones } from '../../../src/commands/push/push-repairs.ts';
import { FIELD_KINDS, type FieldKind } from '../../../src/registration/model/persona.ts';
import type { RepairOptions } from '../../../src/registration/repairs/repair-options.ts';
import type { Cell } from '../../../src/registration/model/row.ts';
import { readOne } from '../read-cells.ts';
import { casesOf, runsOf } from '../../support/night.ts';

const ENDS = 'spaces at the ends removed';
const ALONE = 'only the address kept';
const INVISIBLE = 'invisible characters removed';
const SPACES = 'no-break spaces written as plain spaces';
const WIDE = 'full-width characters written as plain ones';

const SPAIN = await loadNationalPhones('ES');
const AMERICA = await loadNationalPhones('US');

type Kind = FieldKind | 'barcode';
type Row = readonly [kind: Kind, cell: Cell, value: unknown, repair: string | undefined];

it.each<Row>([
  ['name', 'Zoë  van Dam', 'Zoë  van Dam', undefined],
  ['name', ' \u00A0Zoë\u200B\uFEFF\t', 'Zoë', ENDS],
  ['name', 'Zoë\u00A0van\u202FDam', 'Zoë van Dam', SPACES],
  ['name', '\u00A0Zoë\u00A0van Dam', 'Zoë van Dam', `${ENDS}, ${SPACES}`],
  ['name', 'می‌خواهم', 'می‌خواهم', undefined],
  ['text', '👩‍👩‍👧 Ｗｉｄｅ', '👩‍👩‍👧 Ｗｉｄｅ', undefined],
  ['text', '\u200Fשלום', '\u200Fשלום', undefined],
  ['text', '12345.0', '12345.0', undefined],
  ['email', ' a@x.com ', 'a@x.com', ENDS],
  ['email', 'a\u200B@x\u00AD.com\u200E', 'a@x.com', INVISIBLE],
  ['email', 'ana＠ｘ.com', 'ana@x.com', WIDE],
  ['email', 'josé@exämple.com', 'josé@exämple.com', undefined],
  ['email', 'почта@пример.рф', 'почта@пример.рф', undefined],
  ['email', 'ana@пример.com', 'ana@пример.com', undefined],
  ['email', 'mailto:j.weiss@gmx.net', 'j.weiss@gmx.net', ALONE],
  ['email', ' Mailto: mailto:a@x.com', 'a@x.com', `${ENDS}, ${ALONE}`],
  ['email', 'Ada Lane <ada@example.com>', 'ada@example.com', ALONE],
  ['email', 'Mae West <mae@example.com>', 'mae@example.com', ALONE],
  ['email', 'a@x.com (work)', 'a@x.com', ALONE],
  ['email', 'E-mail: a@x.com', 'a@x.com', ALONE],
  ['email', '<ada@example.com>', 'ada@example.com', ALONE],
  ['email', '"Lane, Ada" <mailto:ada@example.com>;', 'ada@example.com', ALONE],
  ['email', 'ada@example.com <ada@example.com>', 'ada@example.com', ALONE],
  ['email', '[Ada@example.com](mailto:ada@example.com)', 'Ada@example.com', ALONE],
  ['email', 'ada@example.com (work)', 'ada@example.com', ALONE],
  ['email', '(work) ada@example.com', 'ada@example.com', ALONE],
  ['email', 'ada@example.com <Ada Lane>', 'ada@example.com', ALONE],
  ['email', 'ada@example.com;', 'ada@example.com', ALONE],
  ['email', '"ada@example.com",', 'ada@example.com', ALONE],
  ['email', "Neil: o'neil@example.com ;", "o'neil@example.com", ALONE],
  ['email', 'SMTP:ada@example.com', 'ada@example.com', ALONE],
  ['email', 'mailto:ada@example.com?subject=Hello%20there', 'ada@example.com', ALONE],
  ['phone', '+34\u00A0600 00-00', '+34 600 00-00', SPACES],
  ['phone', '+34 (600) 00-00', '+34 (600) 00-00', undefined],
  ['phone', '\u202A+34600000000\u202C', '+34600000000', INVISIBLE],
  ['phone', '＋34６00000', '+34600000', WIDE],
  ['phone', 'tel:+34600000000', '+34600000000', 'tel: removed'],
  ['phone', 'tel:34600000.0', '34600000', 'tel: removed, decimals of nothing removed'],
  ['phone', 'tel: tel:+34600000000', '+34600000000', 'tel: removed'],
  ['phone', '600123456.0', '600123456', 'decimals of nothing removed'],
  ['phone', '600123456', '600123456', undefined],
  ['barcode', '5901234123457', '5901234123457', undefined],
  ['barcode', ' 0012\u200B3', '00123', `${ENDS}, ${INVISIBLE}`],
  ['barcode', 'A\u00A0B', 'A B', SPACES],
  ['barcode', '１２', '12', WIDE],
  ['barcode', '12345.0', '12345', 'decimals of nothing removed'],
  ['barcode', '12345.000', '12345', 'decimals of nothing removed'],
  ['country', 'es', 'es', undefined],
  ['country', 'ESP', 'ESP', undefined],
  ['country', 'Spain', 'ES', 'country name written as its code'],
  ['country', ' España ', 'ES', `${ENDS}, country name written as its code`],
  ['country', 'E\u200BS', 'ES', INVISIBLE],
  ['country', 'uk', 'GB', 'country name written as its code'],
  ['website', ' https://example.com\u200B', 'https://example.com', ENDS],
  ['website', 'https://ex\u00ADample.com', 'https://example.com', INVISIBLE],
  ['upload', 'https://example.com/\u200Ba.jpg', 'https://example.com/a.jpg', INVISIBLE],
  ['numeric', '12.0', '12', 'decimals of nothing removed'],
  ['numeric', '１２', '12', WIDE],
  ['numeric', 7, '7', undefined],
])('a value that is mended: %s %j is sent as %j (%s)', (kind, cell, value, repair) => {
  expect(readOne(kind, cell)).toEqual({ value, repair });
});

describe('a value that is damaged', () => {
  const others = 'is said to be somebody else’s, or an old one';
  const scripts = 'mixes letters of different alphabets that look alike';
  it.each<readonly [Kind, Cell, string]>([
    ['email', 'a b@x.com', 'has a space inside'],
    ['email', 'Assistant: bo@x.com', others],
    ['email', 'Assistant: Bo Marsh <bo@x.com>', others],
    ['email', 'Assistant <bo@x.com>', others],
    ['email', 'bo@x.com (Ada’s assistant)', others],
    ['email', 'bo@x.com (Mutter)', others],
    ['email', 'ada@x.com (old)', others],
    ['email', 'not: ada@x.com', others],
    ['email', 'ancien: ada@x.com', others],
    ['email', 'a\u00A0b@x.com', 'has a space inside'],
    ['email', 'pаypal@x.com', scripts],
    ['email', 'a@pаypal.com', scripts],
    ['email', 'αlpha@x.com', scripts],
    ['name', 'JosÃ©', 'was decoded wrongly once: "Ã©" is probably "é"'],
    ['text', 'it â€™s', 'was decoded wrongly once: "â€™" is probably "’"'],
    ['name', 'M\uFFFDller', 'contains a damaged character (U+FFFD)'],
    ['email', 'm\uFFFD@x.com', 'has U+FFFD before the @'],
    ['barcode', '12.5', 'has decimals'],
    ['barcode', '123.000', 'has decimals'],
    ['barcode', '12,0', 'has decimals'],
    ['barcode', '5.90123E+12', 'is a number in scientific notation, so its last digits are lost'],
    ['barcode', '\u00AD', 'holds nothing that can be seen'],
    ['phone', '600 000 000', 'is a phone number in local format, without + or 00'],
    ['country', 'Congo', 'is not an ISO 3166 country code of 2 or 3 letters'],
    ['numeric', '1,000', 'has thousands separators'],
    ['numeric', '12.000', 'has dots inside'],
    ['numeric', '1\u00A0000', 'has thousands separators'],
  ])('%s %j is refused: %s', (kind, cell, problem) => {
    expect(readOne(kind, cell)).toMatchObject({ problem });
  });

  it('is taken when the user says so', () => {
    expect(readOne('email', 'pаypal@x.com')).toMatchObject({
      remedy: 'type it again, or take it as it is with --set accept=mixed-scripts',
    });
    expect(readOne('email', 'pаypal@x.com', { accept: new Set(['mixed-scripts']) })).toEqual({
      value: 'pаypal@x.com',
      repair: undefined,
    });
    expect(readOne('name', 'JosÃ©')).toMatchObject({
      remedy: 'type it again, or take it as it is with --set accept=mojibake',
    });
    expect(readOne('name', 'JosÃ©', { accept: new Set(['mojibake']) })).toEqual({
      value: 'JosÃ©',
      repair: undefined,
    });
  });
});

describe('the escape of spreadsheet programs', () => {
  it('is a note with the text as it stands in the file', () => {
    expect(readOne('phone', '+34600000000', {}, { escaped: "'+34600000000" })).toEqual({
      value: '+34600000000',
      repair: 'escape for spreadsheet programs removed',
    });
    expect(readOne('name', '=A ', {}, { escaped: "'=A " })).toEqual({
      value: '=A',
      repair: `escape for spreadsheet programs removed, ${ENDS}`,
    });
  });
});

describe('zeros in front', () => {
  const pad = (name: string, width: number): Partial<RepairOptions> => ({ pad: new Map([[name, width]]) });
  const padded = (value: string, width: number) => ({
    value,
    repair: `zeros put in front up to ${width} digits`,
  });

  it('are put where --set pad says so, by column, slug or reserved name', () => {
    expect(readOne('barcode', '12', pad('barcode', 4))).toEqual(padded('0012', 4));
    expect(readOne('parent_barcode', '12', pad('barcode', 4))).toEqual(padded('0012', 4));
    expect(readOne('phone', '61234567', pad('phone', 9))).toEqual(padded('061234567', 9));
    expect(readOne('text', '8001', pad('text', 5))).toEqual(padded('08001', 5));
    expect(readOne('numeric', '7', pad('numeric', 3))).toEqual(padded('007', 3));
  });

  it('are put before digits only, and only before fewer of them', () => {
    expect(readOne('barcode', 'A12', pad('barcode', 5))).toEqual({ value: 'A12', repair: undefined });
    expect(readOne('barcode', '12345', pad('barcode', 4))).toEqual({ value: '12345', repair: undefined });
    expect(readOne('name', '12', pad('barcode', 4))).toEqual({ value: '12', repair: undefined });
  });
});

describe('any text', () => {
  const odd = [' ', '\u00A0', '\u200B', '\u200D', '\uFEFF', '\u00AD', '\u202E', '１', 'Ａ', 'Ã©', 'é'];
  const parts = '0 1 12 .0 / + 00 - . a @ x.com ES Spain Feb tel: T : 2026 02 26'.split(' ');
  const awkward = fc.constantFrom(...odd, ...parts);
  const text = fc.oneof(
    fc.array(awkward, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  const repairs: Partial<RepairOptions>[] = [
    {},
    { dateOrder: 'dmy', dateSerials: '1900', phones: SPAIN, pad: new Map([['barcode', 13]]) },
    {
      dateOrder: 'mdy',
      dateSerials: '1904',
      phones: AMERICA,
      accept: new Set(['mojibake', 'mixed-scripts']),
    },
  ];
  const kinds = [...FIELD_KINDS, 'barcode' as const];
  const options = { choices: ['ES', '1', 'a'], multiple: false };

  it('is read without throwing, and once mended it stays as it is', () => {
    const kind = fc.constantFrom(...kinds);
    fc.assert(
      fc.property(text, kind, fc.constantFrom(...repairs), (cell, kind, repairs) => {
        const read = readOne(kind, cell, repairs, options);
        if ('problem' in read || read.value === undefined) return;
        if (read.repair === undefined) expect(read.value).toBe(cell);
        const again = readOne(kind, read.value as string, repairs, options);
        expect(again).toEqual({ value: read.value, repair: undefined });
      }),
      { numRuns: runsOf(4000) },
    );
  });

  it.each(kinds)('of 100 kB is read as %s without hanging', (kind) => {
    const pieces = [
      ' ',
      '\u00A0',
      '\u200B',
      'Ã',
      'Ã©',
      '0',
      '0.',
      '1/',
      'a ',
      '１',
      '-',
      'T',
      '26 ',
      '\u00A0a',
      '.0',
    ];
    for (const piece of casesOf(pieces, 3)) {
      const long = piece.repeat(100_000 / piece.length);
      for (const cell of [long, `a${long}a`, `1${long}1`, `+34${long}x`]) {
        for (const change of repairs) readOne(kind, cell, change, options);
      }
    }
  });
});

it.each([
  ['Ada ada@example.com', 'has a space inside'],
  ['ada lane@example.com', 'has a space inside'],
  ['ada@mail.example .com', 'has a space inside'],
  ['ada@example.com bo@example.com', 'holds more than one e-mail address'],
  ['Ada <ada@example.com>, Bo <bo@example.com>', 'holds more than one e-mail address'],
  ['ada@example.com/bo@example.com', 'holds more than one e-mail address'],
  ['Ada <ada@example>', 'has a space inside'],
  ['x:ada@example.com', 'has ":" before the @'],
])('an address that is not set off from what stands beside it: %s is refused: it %s', (cell, problem) => {
  expect(readOne('email', cell)).toMatchObject({ problem });
});
