import { describe, expect, test } from 'vitest';
import { QuestionError } from '../../src/input/source/question-error.ts';
import { openSheet, type SheetOptions } from '../../src/input/open-sheet.ts';
import { type SheetXml, text, workbook, workbookParts } from '../support/workbook.ts';
import { zip } from '../support/zip.ts';
import { refusal } from './open-text.ts';
import { readSheet, stored } from './open-workbook.ts';
import { choice } from '../support/choice-question.ts';

const filled = (name: string, rest: Partial<SheetXml> = {}): SheetXml => ({
  name,
  xml: `<dimension ref="A1:B2"/><sheetData><row>${text(`of ${name}`)}</row></sheetData>`,
  ...rest,
});
const empty = (name: string): SheetXml => ({
  name,
  xml: '<sheetData><row r="7"><c s="0"/></row></sheetData>',
});

async function question(sheets: readonly SheetXml[]): Promise<QuestionError> {
  const options: SheetOptions = {
    sheet: undefined,
    includeHidden: undefined,
    accept: new Set(),
    knows: () => false,
  };
  const error: unknown = await openSheet(await stored(workbook({ sheets })), options).catch(
    (e: unknown) => e,
  );
  if (error instanceof QuestionError) return error;
  throw new Error('no question', { cause: error });
}

describe('the sheet', () => {
  test.each([
    ['the only one', [filled('A')]],
    ['the only one that holds anything', [empty('X'), filled('A'), empty('Y')]],
    [
      'the one that is not for people and drop-downs',
      [filled('A'), filled('_fields'), filled('_lists', { state: 'hidden' })],
    ],
    ['the only one that is no chart', [filled('C', { type: 'chartsheet' }), filled('A')]],
  ])('is %s', async (_, sheets) => {
    const { sheet, rows } = await readSheet(workbook({ sheets }));
    expect([sheet, rows]).toEqual(['A', [[1, 'of A']]]);
  });

  test.each([
    ['its name', 'Guests', 'Guests'],
    ['its exact name before any other', 'guests', 'guests'],
    ['its name in any case', 'STAFF', 'Staff'],
    ['its number', '2', 'guests'],
    ['a name that is a number', '4', '4'],
    ['the name of a hidden one', 'Old', 'Old'],
    ['the number of a hidden one', '5', 'Old'],
    ['the name of an empty one', 'Nothing', 'Nothing'],
  ])('may be chosen by %s', async (_, wanted, expected) => {
    const sheets = ['Guests', 'guests', 'Staff', '4'].map((name) => filled(name));
    const bytes = workbook({ sheets: [...sheets, filled('Old', { state: 'veryHidden' }), empty('Nothing')] });
    expect((await readSheet(bytes, { sheet: wanted })).sheet).toBe(expected);
  });

  test.each(['3', '0', '-1', 'B', ''])('called "%s" is not there', async (wanted) => {
    const bytes = workbook({ sheets: [filled('A'), filled('It&apos;s', { state: 'hidden' })] });
    expect(await refusal(readSheet(bytes, { sheet: wanted }))).toEqual({
      message: `guests.xlsx: there is no sheet "${wanted}".`,
      hint: 'The sheets are: 1 "A", 2 "It\'s".',
      details: [],
    });
  });

  test('is asked for when several hold something, those in sight first', async () => {
    const sheets = [filled('Old', { state: 'hidden' }), filled('A'), filled('B $1')];
    const { questions, message } = await question(sheets);
    expect(message).toBe('guests.xlsx: 3 sheets hold something. Which sheet is to be read?');
    expect(questions).toHaveLength(1);
    expect(choice(questions[0]).answers).toEqual([
      { label: 'A (0 rows: of A)', flag: '--set sheet="A"', option: 'sheet', value: 'A' },
      { label: 'B $1 (0 rows: of B $1)', flag: `--set sheet='B $1'`, option: 'sheet', value: 'B $1' },
      { label: 'Old (hidden, 0 rows: of Old)', flag: '--set sheet="Old"', option: 'sheet', value: 'Old' },
    ]);
  });

  test('is offered by its number when nobody could type its name', async () => {
    const { questions } = await question([filled(''), filled('A'), filled('&#x202e;evil')]);
    expect(choice(questions[0]).answers.map(({ flag }) => flag)).toEqual([
      '--set sheet=1',
      '--set sheet="A"',
      '--set sheet=3',
    ]);
  });

  test('is asked for when the only one is hidden', async () => {
    const { message, questions } = await question([filled('Old', { state: 'hidden' }), empty('A')]);
    expect(message).toBe(
      'guests.xlsx: the only sheet that holds anything is hidden. Is it meant to be read?',
    );
    expect(choice(questions[0]).answers.map(({ flag }) => flag)).toEqual(['--set sheet="Old"']);
  });

  test.each([[[empty('A')]], [[filled('_fields')]], [[]]])('is none in %j', async (sheets) => {
    expect((await refusal(readSheet(workbook({ sheets })))).message).toBe(
      'guests.xlsx: no sheet of this workbook holds anything.',
    );
  });
});

describe('a sheet without a part', () => {
  /** The second sheet leads nowhere, out of the file, or to a part that is not there. */
  const lost = (sheets: readonly SheetXml[], how: 'no link' | 'outside' | 'no part') =>
    zip(
      workbookParts({ sheets }).flatMap((file) => {
        const { name, content } = file;
        if (how === 'no part') return name === 'xl/worksheets/sheet2.xml' ? [] : [file];
        const [from, to] =
          how === 'no link'
            ? ['Id="rId2"', 'Id="rId9"']
            : ['Target="worksheets/sheet2.xml"', 'TargetMode="External" Target="http://127.0.0.1/"'];
        return [
          name.endsWith('workbook.xml.rels') ? { name, content: String(content).replace(from, to) } : file,
        ];
      }),
    );
  const WHY = {
    'no link': 'the sheet "B" leads nowhere',
    outside: 'the sheet "B" lies in another file',
    'no part': 'the part xl/worksheets/sheet2.xml of the sheet "B" is missing',
  };

  test.each(['no link', 'outside', 'no part'] as const)('leaves the others whole: %s', async (how) => {
    const bytes = lost([filled('A'), filled('B'), empty('C')], how);
    const { sheet, rows, remarks } = await readSheet(bytes);
    expect([sheet, rows]).toEqual(['A', [[1, 'of A']]]);
    expect(remarks).toContain(`The workbook is damaged: ${WHY[how]}. Only the sheet "A" is read.`);
    expect((await readSheet(bytes, { sheet: '3' })).sheet).toBe('C');
  });

  test.each(['no link', 'outside', 'no part'] as const)(
    'is damage where it is wanted, or the only one left: %s',
    async (how) => {
      const message = `guests.xlsx: this workbook is damaged: ${WHY[how]}.`;
      const wanted = readSheet(lost([filled('A'), filled('B')], how), { sheet: 'B' });
      expect((await refusal(wanted)).message).toBe(message);
      const only = readSheet(lost([empty('A'), filled('B')], how));
      expect((await refusal(only)).message).toBe(message);
    },
  );
});
