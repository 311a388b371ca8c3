import { describe, expect, it } from 'vitest';
import { loadNationalPhones } from '../../../src/commands/push/push-repairs.ts';
import { ColumnSurvey, type Surveyed } from '../../../src/registration/evidence/column-survey.ts';
import { DEFAULT_REPAIRS, type RepairOptions } from '../../../src/registration/repairs/repair-options.ts';
import type { Cell } from '../../../src/registration/model/row.ts';
import { event, field, mappingOf, persona } from '../persona-fixture.ts';
import { numberCell } from '../read-cells.ts';

const expo = event(
  persona('visitor', [
    field('born', 'date'),
    field('name', 'name'),
    field('mobile', 'phone'),
    field('land', 'country'),
  ]),
  persona('speaker', [field('arrives', 'date'), field('talk', 'text')]),
);

/** The result after columns of cells, row by row from line 2 on, in one file or as many as there are sheets. */
function survey(
  columns: Readonly<Record<string, readonly Cell[]>>,
  repairs: Partial<RepairOptions> = {},
  files: readonly { file: string; sheet?: string }[] = [{ file: 'a.csv' }],
) {
  const survey = new ColumnSurvey(expo, { ...DEFAULT_REPAIRS, ...repairs });
  const names = Object.keys(columns);
  const mapping = mappingOf(names);
  const height = Math.max(...Object.values(columns).map((cells) => cells.length));
  for (let row = 0; row < height; row += 1) {
    const place = { ...(files[row % files.length] ?? { file: 'a.csv' }), line: row + 2 };
    survey.add({ place, columns: names, cells: names.map((name) => columns[name]?.[row] ?? null) }, mapping);
  }
  return survey.result();
}

const orders = [
  ['--set date-order=dmy', 'dateOrder', 'dmy'],
  ['--set date-order=mdy', 'dateOrder', 'mdy'],
];
const flagsOf = (result: ReturnType<typeof survey>) =>
  result.questions.map(({ answers }) => answers.map(({ flag, option, value }) => [flag, option, value]));

describe('dates of a column', () => {
  it('are day first as soon as one of them shows it', () => {
    const result = survey({ born: ['03/04/2026', '', ' 26/06/2026 ', '1.2.2026'] });
    expect(result.decisions.get('born')).toEqual({ dateOrder: 'dmy', dateConflict: undefined });
    expect(result.questions).toEqual([]);
    expect(result.remarks).toEqual(['Dates in "born" are day first: line 4 is 26/06/2026.']);
  });

  it('are month first as soon as one of them shows it, in whatever file', () => {
    const result = survey({ arrives: ['03/04/2026', '06/26/2026'] }, {}, [
      { file: 'a.csv' },
      { file: 'b.xlsx', sheet: 'Guests' },
    ]);
    expect(result.decisions.get('arrives')).toEqual({ dateOrder: 'mdy', dateConflict: undefined });
    expect(result.remarks).toEqual(['Dates in "arrives" are month first: row 3 is 06/26/2026.']);
  });

  it('show it with a year of two digits, and with such a year alone ask nothing', () => {
    expect(survey({ born: ['03/04/2026', '26/06/67'] }).decisions.get('born')?.dateOrder).toBe('dmy');
    expect(survey({ born: ['03/04/67', '27-03-14'] })).toMatchObject({ questions: [] });
    expect(survey({ born: ['03/04/2026', '27-03-14'] }).questions).toHaveLength(1);
  });

  it('say so when the flag says otherwise, which then does not count for them', () => {
    const columns = { born: ['26/06/2026'], arrives: ['06/26/2026'] };
    const dayFirst = 'Dates in "born" are day first: line 2 is 26/06/2026.';
    const monthFirst = 'Dates in "arrives" are month first: line 2 is 06/26/2026.';
    expect(survey(columns).remarks).toEqual([dayFirst, monthFirst]);
    for (const dateOrder of ['mdy', 'dmy'] as const)
      expect(survey(columns, { dateOrder }).remarks).toEqual([dayFirst, monthFirst]);
    const both = { born: ['06/26/2026', '26/06/2026', '03/04/2026'] };
    expect(survey(both, { dateOrder: 'dmy' }).remarks).toEqual([]);
    expect(survey({ born: ['03.04.2026'] }, { dateOrder: 'mdy' }).remarks).toEqual([]);
  });

  it('are not certain when both orders are shown', () => {
    const result = survey({ born: ['06/26/2026', '03/04/2026', '26/06/2026'] });
    expect(result.decisions.get('born')).toEqual({
      dateOrder: undefined,
      dateConflict: ['a.csv:4', 'a.csv:2'],
    });
    expect(result.questions).toEqual([]);
    expect(result.remarks[0]).toContain('a.csv:4 is day first, a.csv:2 is month first');
  });

  it('are asked about when none of them tells, once for all columns', () => {
    const result = survey({
      born: ['03/04/2026', '05/05/2026', '3/5/2026', '3/6/2026', '3/7/2026'],
      arrives: ['01/02/2026', '2026-02-26', '1 Feb 2026'],
    });
    expect(flagsOf(result)).toEqual([orders]);
    expect(result.questions[0]?.text).toBe(
      'a.csv: dates in "born" and "arrives" may be read day first or month first, and none of them tells which.',
    );
    expect(result.questions[0]?.details).toEqual([
      'a.csv:2: 03/04/2026',
      'a.csv:4: 3/5/2026',
      'a.csv:5: 3/6/2026',
    ]);
  });

  it('with dots are day first, unless a column shows or somebody says that they are not', () => {
    const dateOrderOf = (result: Surveyed) => result.decisions.get('born')?.dateOrder;
    const dotted = survey({ born: ['3.4.2026', '03/04/2026'] });
    expect([dateOrderOf(dotted), dotted.questions]).toEqual(['dmy', []]);
    expect(dateOrderOf(survey({ born: ['3.4.2026', '12.25.2026'] }))).toBe('mdy');
    expect(survey({ born: ['3.4.2026'] }, { dateOrder: 'mdy' })).toMatchObject({ remarks: [] });
    expect(dateOrderOf(survey({ born: ['3.4.2026'] }, { dateOrder: 'mdy' }))).toBeUndefined();
  });

  it('need no question when they are the same in both orders, or when the user has said it', () => {
    expect(survey({ born: ['05/05/2026', '26 Feb 2026'] }).questions).toEqual([]);
    expect(survey({ born: ['03/04/2026'] }, { dateOrder: 'mdy' }).questions).toEqual([]);
    expect(survey({ talk: ['03/04/2026'] }).questions).toEqual([]);
  });

  it('are asked about without naming columns that are certain', () => {
    const { questions } = survey({ born: ['03/04/2026'], arrives: ['2026-02-26'] });
    expect(questions[0]?.text).toContain('dates in "born" may be');
  });

  it('count in a column that holds dates for one persona only', () => {
    const mixed = event(persona('a', [field('x', 'text')]), persona('b', [field('x', 'date')]));
    const survey = new ColumnSurvey(mixed, DEFAULT_REPAIRS);
    survey.add(
      { place: { file: 'a.csv', line: 2 }, columns: ['x'], cells: ['26/06/2026'] },
      mappingOf(['x']),
    );
    expect(survey.result().decisions.get('x')?.dateOrder).toBe('dmy');
  });

  it('that are bare numbers are asked about', () => {
    const result = survey({
      born: ['46079', 46080, numberCell('46081'), '1985', numberCell('46082', { kind: 'date' })],
    });
    expect(flagsOf(result)).toEqual([
      [
        ['--set date-serials=1900', 'dateSerials', '1900'],
        ['--set date-serials=1904', 'dateSerials', '1904'],
      ],
    ]);
    expect(result.questions[0]?.details).toEqual(['a.csv:2: 46079', 'a.csv:3: 46080', 'a.csv:4: 46081']);
    expect(result.questions[0]?.answers.map(({ label }) => label)).toEqual([
      'days since 1900: 46079 is 2026-02-26',
      'days since 1904: 46079 is 2030-02-27',
    ]);
    expect(survey({ born: ['46079'] }, { dateSerials: '1900' }).questions).toEqual([]);
  });

  it('of a workbook that counts from 1904 most likely do so too', () => {
    const { questions } = survey({ born: [numberCell('44617', {}, true)] });
    expect(questions[0]?.answers[0]).toMatchObject({
      value: '1904',
      label: 'days since 1904: 44617 is 2026-02-26',
    });
  });
});

describe('barcodes of fewer digits than the others', () => {
  const full = ['1234567890123', '2345678901234', '3456789012345', '4567890123456'];

  it('are asked about', () => {
    const result = survey({ barcode: [...full, numberCell('12345678901')] });
    expect(flagsOf(result)).toEqual([
      [
        ['--set pad=barcode:13', 'pad', 'barcode:13'],
        ['--set accept=short-barcodes', 'accept', 'short-barcodes'],
      ],
    ]);
    expect(result.questions[0]?.text).toBe(
      'a.csv: 1 of 5 barcodes has fewer than 13 digits. A spreadsheet may have dropped zeros in front.',
    );
    expect(result.questions[0]?.details).toEqual(['a.csv:6: 12345678901']);
  });

  it('are looked at over all columns of barcodes', () => {
    expect(survey({ barcode: full, parent_barcode: ['123456789012'] }).questions).toHaveLength(1);
  });

  it('are asked about in a short list where all others begin with a zero', () => {
    expect(survey({ barcode: ['0012345', '12346', '0012347'] }).questions).toHaveLength(1);
  });

  it('are told of where fewer have all digits, and they are codes', () => {
    const remarks = (...barcode: string[]) => survey({ barcode }).remarks;
    expect(remarks(...full, '12345678901', '2345678901')).toEqual([
      'a.csv: 2 of 6 barcodes have fewer than 13 digits. Where a spreadsheet has dropped zeros in front, --set pad=barcode:13 puts them back.',
    ]);
    // Numbers that count people, codes of two kinds, and a few long ones.
    for (const others of [
      ['8', '9', '10', '11', '12'],
      [...full, '12345678', '23456789'],
      ['1234567890123', '1234567890', '2345678901'],
    ])
      expect(remarks(...others)).toEqual([]);
  });

  it.each<readonly [string, readonly Cell[], Partial<RepairOptions>]>([
    ['there are fewer than five', [...full.slice(1), '1'], {}],
    ['one of the others begins with none', ['0012345', '12346', '1012347'], {}],
    ['as many are shorter', ['0012345', '12346'], {}],
    ['more than a fifth are shorter', [...full, '1', '2'], {}],
    ['all are as long', [...full, ...full], {}],
    ['they are not digits', [...full, ...full, 'A1', 'B22'], {}],
    ['--set pad has said it', [...full, '1'], { pad: new Map([['barcode', 13]]) }],
    ['--set accept has said it', [...full, '1'], { accept: new Set(['short-barcodes']) }],
  ])('are not asked about when %s', (_, barcode, repairs) => {
    expect(survey({ barcode }, repairs).questions).toEqual([]);
  });
});

describe('phone numbers of a column', () => {
  const mobile = ['600000000', '+34600000001', '12345', '555 0109', '123456', '112'];

  it('that are none of the country that is named are counted, without showing them', async () => {
    const phones = await loadNationalPhones('ES');
    expect(survey({ mobile }, { phones }).remarks).toEqual([
      '2 phone numbers are not complete ones of ES: sent as in the file, without a country code (a.csv:4, column "mobile").',
    ]);
    expect(survey({ mobile: mobile.slice(0, 3) }, { phones }).remarks).toEqual([
      '1 phone number is not a complete one of ES: sent as in the file, without a country code (a.csv:4, column "mobile").',
    ]);
  });

  it('are none to remark where their row names a country: what does not fit it is refused', async () => {
    const phones = await loadNationalPhones('ES');
    const columns = { mobile: ['611223344', '5550109', '5550109'], land: ['DE', 'US', ''] };
    expect(survey(columns, { phones }).remarks).toEqual([
      '1 phone number is not a complete one of ES: sent as in the file, without a country code (a.csv:4, column "mobile").',
    ]);
  });

  it('are not looked at when no country is named', () => {
    expect(survey({ mobile }).remarks).toEqual([]);
  });
});
