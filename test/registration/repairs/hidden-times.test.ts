import { describe, expect, it } from 'vitest';
import { ColumnSurvey } from '../../../src/registration/evidence/column-survey.ts';
import type { Cell } from '../../../src/registration/model/row.ts';
import { readRow } from '../../../src/registration/reading/read-row.ts';
import { DEFAULT_REPAIRS, type RepairOptions } from '../../../src/registration/repairs/repair-options.ts';
import { event, field, mappingOf, persona, rowOf } from '../persona-fixture.ts';
import { numberCell } from '../read-cells.ts';
import { listed } from '../../support/tables.ts';

const expo = event(persona('p', [field('birth_date', 'date'), field('arrival', 'date')]));
type Slug = 'birth_date' | 'arrival';

/** What is sent of a date, or why it is not. */
function read(slug: Slug, cell: Cell, repairs: Partial<RepairOptions> = {}) {
  const row = rowOf({ [slug]: cell });
  const options = {
    event: expo,
    persona: 'p',
    blank: 'omit' as const,
    repairs: { ...DEFAULT_REPAIRS, ...repairs },
  };
  const result = readRow(row, mappingOf(row.columns), options);
  return result.ok ? result.read.registration.fields[slug] : { ...result.reasons[0] };
}

function questionOf(slug: Slug, ...cells: Cell[]) {
  const survey = new ColumnSurvey(expo, DEFAULT_REPAIRS);
  for (const [at, cell] of cells.entries()) {
    survey.add(
      { place: { file: 'a.xlsx', line: at + 2 }, columns: [slug], cells: [cell] },
      mappingOf([slug]),
    );
  }
  return survey.result().questions.find(({ answers }) => answers[0]?.option === 'hiddenTimes');
}

const DAY_MS = 86_400_000;
/** A moment as a workbook, a CSV and a JSON file have it. */
const serial = (ms: number): string => String(ms / DAY_MS + 25_569);
const dayOnly = (ms: number): Cell => numberCell(serial(ms), { code: 'dd/mm/yyyy', kind: 'date' });
const shown = (ms: number): Cell => numberCell(serial(ms), { code: 'dd/mm/yyyy hh:mm', kind: 'datetime' });
const json = (ms: number): Cell => new Date(ms).toISOString();
const csv = (ms: number): Cell => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const dotted = (ms: number): Cell => {
  const [day = '', time = ''] = new Date(ms).toISOString().slice(0, 19).split('T');
  return `${day.split('-').toReversed().join('.')} ${time}`;
};

const ENTERED = ['1989-05-13', '1955-12-31', '2004-02-29'];
/** Hours east of Greenwich. Midnight of the 12th is noon, which programs write so that no zone moves the day. */
const ZONES = [-11, -8, -5, -3.5, -1, 0, 1, 2, 3, 5.5, 8, 9.5, 13, 14];
const CASES = ENTERED.flatMap((day) => ZONES.map((zone) => [day, zone] as const));

describe.each(CASES)('%s, that was midnight %d hours east', (day, zone) => {
  const at = Date.parse(`${day}T00:00:00Z`) - zone * 3_600_000;
  const forms = [
    ['arrival', dayOnly(at)],
    ['birth_date', dayOnly(at)],
    ['birth_date', csv(at)],
    ['birth_date', json(at)],
    ['birth_date', dotted(at)],
  ] as const;

  it.each(forms)('is sent as that day, or asked about (%s)', (slug, cell) => {
    const sent = read(slug, cell, { dateOrder: 'dmy' });
    const question = questionOf(slug, cell);
    if (question === undefined) expect(sent).toBe(day);
    else expect(sent).toMatchObject({ problem: expect.stringContaining('leaves open which day is meant') });
    const hiddenTimes = zone > 0 ? 'next' : 'shown';
    expect(read(slug, cell, { dateOrder: 'dmy', hiddenTimes })).toBe(day);
  });
});

describe('a day with a time', () => {
  const near = (clock: string): number => Date.parse(`1989-05-12T${clock}Z`);

  it.each([
    ['23:59:16', '1989-05-13'],
    ['00:00:44', '1989-05-12'],
  ])('that misses midnight by seconds is that of midnight: %s', (clock, day) => {
    for (const form of [dayOnly, csv, json]) {
      expect(read('birth_date', form(near(clock)))).toBe(day);
      expect(questionOf('birth_date', form(near(clock)))).toBeUndefined();
    }
  });

  it('keeps it where the sheet shows it, or where it is no birth', () => {
    expect(read('arrival', shown(near('22:00:00')))).toBe('1989-05-12 22:00:00');
    expect(read('birth_date', shown(near('22:00:00')))).toBe('1989-05-12 22:00:00');
    expect(read('arrival', csv(near('22:00:00')))).toBe('1989-05-12 22:00:00');
  });

  it('is asked about once, with both days; midnight of one zone is the likelier where all are so', () => {
    const zone = questionOf('arrival', dayOnly(near('22:00:00')), dayOnly(near('23:00:00')));
    expect(zone?.text).toContain('"arrival" has days with a time of day');
    expect(zone?.answers.map(({ label, flag }) => [label, flag])).toEqual([
      [
        'the day after, as midnight in another time zone: 1989-05-12 22:00:00 is 1989-05-13',
        '--set hidden-times=next',
      ],
      ['the day itself: 1989-05-12 22:00:00 is 1989-05-12', '--set hidden-times=shown'],
    ]);
    const meeting = ['14:31:07', '19:02:55', '16:44:00'].map((clock) => dayOnly(near(clock)));
    expect(questionOf('arrival', ...meeting)?.answers[0]?.value).toBe('shown');
  });

  it('that is noon is its own day, whatever is said of others, and tells nothing of them', () => {
    for (const form of [dayOnly, csv, json]) {
      for (const hiddenTimes of ['next', 'shown', undefined] as const)
        expect(read('birth_date', form(near('12:00:00')), { hiddenTimes })).toBe('1989-05-12');
      expect(questionOf('birth_date', form(near('12:00:00')))).toBeUndefined();
      const clocks = ['22:00:00', '12:00:00', '23:00:00'].map((clock) => form(near(clock)));
      expect(questionOf('birth_date', ...clocks)?.answers[0]?.value).toBe('next');
    }
  });

  it('that does not exist is refused like any other', () => {
    expect(read('birth_date', '1989-02-30 22:00:00')).toMatchObject({ code: 'date-invalid' });
    expect(questionOf('birth_date', '1989-02-30 22:00:00')?.answers[0]?.label).toMatch(/zone$|itself$/);
  });
});

describe('a year', () => {
  const forms: readonly (readonly [string, (year: string) => Cell])[] = [
    ['text', (year) => `${year}-05-14`],
    ['dotted text', (year) => `14.05.${year}`],
    ['text with a time', (year) => `${year}-05-14 00:00:00`],
    ['a word', (year) => `14 May ${year}`],
    ['JSON', (year) => `${year}-05-14T00:00:00.000Z`],
    ['a date of a workbook', (year) => dayOnly(Date.parse(`${year}-05-14T00:00:00Z`))],
  ];
  const repairs = { dateOrder: 'dmy', lastBirth: '2027-03-01' } as const;

  it.each(forms)('that nobody meant is refused in %s', (form, write) => {
    for (const year of ['0001', '0018', '0090', '0099', '1018', '1899', '2200', '9999']) {
      // No workbook has days before 1900.
      if (form.endsWith('workbook') && year < '1900') continue;
      for (const slug of ['birth_date', 'arrival'] as const) {
        if (slug === 'arrival' && form === 'JSON') continue;
        expect(read(slug, write(year), repairs)).toMatchObject({
          problem: expect.stringContaining(`has the year ${year}`),
        });
      }
    }
  });

  it.each(forms)('of a birth is not in the future in %s', (_, write) => {
    for (const year of ['1900', '1931', '2026'])
      expect(read('birth_date', write(year), repairs)).toBe(`${year}-05-14`);
    for (const year of ['2027', '2031', '2199']) {
      expect(read('birth_date', write(year), repairs)).toMatchObject({
        problem: `is a birth in the future, in ${year}`,
      });
    }
    expect(read('arrival', '2031-05-14', repairs)).toBe('2031-05-14');
    expect(read('birth_date', '2027-03-01', repairs)).toBe('2027-03-01');
    expect(read('birth_date', '2027-03-02', repairs)).toMatchObject({ code: 'date-invalid' });
  });

  it.each(
    listed(`
      birthday | Geburtsdatum | fecha_de_nacimiento | date_de_naissance | data_di_nascita |
      data de nascimento | dob
    `),
  )('of a field called %s is one of birth', (slug) => {
    const row = rowOf({ [slug]: '2031-05-14' });
    const named = event(persona('p', [field(slug, 'date')]));
    const options = { event: named, persona: 'p', blank: 'omit' as const };
    const result = readRow(row, mappingOf([slug]), {
      ...options,
      repairs: { ...DEFAULT_REPAIRS, ...repairs },
    });
    expect(result.ok).toBe(false);
  });
});
