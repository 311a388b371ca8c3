import { describe, expect, test } from 'vitest';
import { columnKnower } from '../../../src/input/columns/heading-reader.ts';
import { text, workbook } from '../../support/workbook.ts';
import { readAll, readString, sourceOf } from '../open-text.ts';
import { field, persona } from '../persona-of-labels.ts';
import { QuestionError } from '../../../src/input/source/question-error.ts';
import { choice } from '../../support/choice-question.ts';
import type { InputOptions } from '../../../src/input/read-input.ts';

const knows = columnKnower([
  persona('visitor', [field('email', 'E-mail'), field('phone', 'Phone'), field('first_name', 'First name')]),
]);

/** A cell of a sheet; empty ones are left out. */
const cellAt = (value: string, row: number, column: number): string =>
  value === '' ? '' : text(value, `${String.fromCharCode(65 + column)}${row}`);

function bookOf(rows: readonly (readonly string[])[], ranges: readonly string[]): Buffer {
  const cells = rows.map(
    (row, at) => `<row r="${at + 1}">${row.map((value, no) => cellAt(value, at + 1, no)).join('')}</row>`,
  );
  const merged = ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const xml = `<sheetData>${cells.join('')}</sheetData><mergeCells>${merged}</mergeCells>`;
  return workbook({ sheets: [{ name: 'Guests', xml }] });
}

const read = (
  rows: readonly (readonly string[])[],
  ranges: readonly string[],
  options: Partial<InputOptions> = {},
) => readAll(sourceOf([bookOf(rows, ranges)], 'guests.xlsx'), { knows, ...options });

const TWO_ROWS = [
  ['First name', 'Contact', '', 'Seat'],
  ['', 'E-mail', 'Phone', ''],
];
const ADA = ['Ada', 'ada@example.com', '1', 'A1'];
const MERGED = ['A1:A2', 'B1:C1', 'D1:D2'];
const COLUMNS = ['First name', 'Contact / E-mail', 'Contact / Phone', 'Seat'];

describe('headings over two rows', () => {
  test.each([undefined, 1, 2])('are one heading: --set header-row=%s', async (headerRow) => {
    const { rows, remarks } = await read([...TWO_ROWS, ADA], MERGED, { headerRow });
    expect(rows.map(({ columns, cells, place }) => [columns, cells, place.line])).toEqual([
      [COLUMNS, ADA, 3],
    ]);
    expect(remarks).toEqual(headerRow === undefined ? ['The header is rows 1 and 2.'] : []);
  });

  test('stand below titles, which may be merged, too', async () => {
    const { rows, remarks } = await read(
      [['Guests'], ...TWO_ROWS, ADA],
      ['A1:D1', 'A2:A3', 'B2:C2', 'D2:D3'],
    );
    expect(rows[0]?.columns).toEqual(COLUMNS);
    expect(remarks).toEqual(['The header is rows 2 and 3; the row above it is left out.']);
  });

  test('have groups that are merged across, even where nothing is merged down', async () => {
    const rows = [['Person', '', 'Contact', ''], ['First name', 'Nickname', 'E-mail', 'Phone'], ADA];
    expect((await read(rows, ['A1:B1', 'C1:D1'])).rows[0]?.columns).toEqual([
      'Person / First name',
      'Person / Nickname',
      'Contact / E-mail',
      'Contact / Phone',
    ]);
  });

  test('may be merged down and across, and over three rows', async () => {
    const rows = [['First name', 'Contact', ''], ['', '', ''], ['', 'E-mail', 'Phone'], ADA.slice(0, 3)];
    expect((await read(rows, ['A1:A3', 'B1:C2'])).rows[0]?.columns).toEqual(COLUMNS.slice(0, 3));
  });

  test('are one where nothing is merged, too, where both are known and fill gaps of each other', async () => {
    const csv = 'List;;;\nFirst name;Contact;;Seat\n;E-mail;Phone;\nAda;ada@example.com;1;A1\n';
    const { rows, remarks } = await readAll(sourceOf([Buffer.from(csv)], 'a.csv'), { knows });
    expect(rows.map(({ columns, cells }) => [columns, cells])).toEqual([
      [['First name', 'Contact / E-mail', 'Phone', 'Seat'], ADA],
    ]);
    expect(remarks).toEqual(['The header is lines 2 and 3; the line above it is left out.']);
  });

  test('are not those of a guest below a heading that is merged across', async () => {
    const { rows } = await read(
      [
        ['First name', 'E-mail', '', ''],
        ['Ada', 'ada@example.com', '', ''],
      ],
      ['B1:C1'],
    );
    expect(rows.map(({ columns, cells }) => [columns, cells])).toEqual([
      [
        ['First name', 'E-mail'],
        ['Ada', 'ada@example.com'],
      ],
    ]);
  });
});

describe('merged cells below the headings', () => {
  const HEADER = ['First name', 'Stand'];
  const LIST = [HEADER, ['Ada', 'Quay'], ['Bo', ''], ['Cy', 'Pier']];
  const standsOf = async (options: Partial<InputOptions>, ranges = ['B2:B3'], list = LIST) =>
    (await read(list, ranges, options)).rows.map(({ cells }) => cells[1]);
  const ask = async (ranges: readonly string[], list = LIST) => {
    const error: unknown = await read(list, ranges).catch((reason: unknown) => reason);
    if (!(error instanceof QuestionError)) throw new Error('no question', { cause: error });
    return choice(error.questions[0]);
  };

  test('count for every row that they cover, or for the first', async () => {
    expect(await standsOf({ merged: 'every-row' })).toEqual(['Quay', 'Quay', 'Pier']);
    expect(await standsOf({ merged: 'first-row' })).toEqual(['Quay', null, 'Pier']);
    expect(await standsOf({ merged: 'every-row' }, ['B3:B2'])).toEqual(['Quay', 'Quay', 'Pier']);
  });

  test('count in the order of the rows, several side by side, and across in their first column only', async () => {
    const list = [
      ['A', 'B', 'C', 'D'],
      ['1', 'x', '', 'y'],
      ['2', '', '', ''],
      ['3', '', '', 'z'],
      ['4', 'w', '', ''],
    ];
    const ranges = ['D4:D5', 'B2:C4', 'D2:D3'];
    const { rows } = await read(list, ranges, { merged: 'every-row', headerRow: 1 });
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['1', 'x', null, 'y'],
      ['2', 'x', null, 'y'],
      ['3', 'x', null, 'z'],
      ['4', 'w', null, 'z'],
    ]);
  });

  test('make nobody of a row that holds nothing else', async () => {
    const list = [HEADER, ['Ada', 'Quay'], ['', ''], ['Bo', '']];
    expect(await standsOf({ merged: 'every-row' }, ['B2:B4'], list)).toEqual(['Quay', 'Quay']);
  });

  test('are asked about', async () => {
    expect(await ask(['B2:B3'])).toEqual({
      text: 'guests.xlsx:Guests: 1 range of cells is merged. For which rows does a merged value count?',
      details: ['B2:B3: "Quay" over 2 rows'],
      answers: [
        expect.objectContaining({
          flag: '--set merged=every-row',
          label: 'for every row that the cells cover',
        }),
        expect.objectContaining({ flag: '--set merged=first-row', label: 'for the first cell only' }),
      ],
      mayStop: true,
    });
    const across = await ask(['A2:B2']);
    expect([across.details, across.answers.map(({ flag }) => flag)]).toEqual([
      ['A2:B2: "Ada"'],
      ['--set merged=first-row'],
    ]);
  });

  test('are counted however many there are, and named three at most', async () => {
    const list = [HEADER, ...Array.from({ length: 1500 }, (_, at) => [`n${at}`, 'x'])];
    const { text: asked, details } = await ask(
      list.map((_, at) => `A${at + 2}:B${at + 2}`),
      list,
    );
    expect(asked).toContain('1500 ranges of cells are merged.');
    expect(details).toEqual(['A2:B2: "n0"', 'A3:B3: "n1"', 'A4:B4: "n2"', '…']);
  });

  test.each(['A1:B1', 'C2:C3', 'A9:B12', 'B3:B4', 'A2:A2', 'A2', 'nonsense', ''])(
    'are none in %s, where no value stands, or among the headings',
    async (range) => {
      expect(await standsOf({}, [range])).toEqual(['Quay', null, 'Pier']);
    },
  );
});

describe('headings that are alike', () => {
  test('are told apart by their number', async () => {
    const { rows } = await readString('a,Name,b,name ,NAME\n1,2,3,4,5\n');
    expect(rows[0]?.columns).toEqual(['a', 'Name (1 of 3)', 'b', 'name (2 of 3)', 'NAME (3 of 3)']);
  });

  test('and like one that tells them apart are apart all the same', async () => {
    const { rows } = await readString('a,a,a (1 of 2)\n1,2,3\n');
    expect(new Set(rows[0]?.columns).size).toBe(3);
  });

  test('are no guest where they stand again', async () => {
    const { rows, rejects } = await readString('a,Name,Name\n1,2,3\na,Name,Name\n');
    expect([rows.length, rejects.length]).toEqual([1, 1]);
  });
});

describe('a list without headings', () => {
  const LIST = 'Ada,ada@example.com\nBo,bo@example.com\n';

  test('is asked about', async () => {
    const error: unknown = await readString(LIST, 'a.csv', { knows }).catch((reason: unknown) => reason);
    if (!(error instanceof QuestionError)) throw new Error('no question', { cause: error });
    const question = choice(error.questions[0]);
    expect(question.text).toBe(
      'a.csv: the first line seems to be a guest, and no other one holds names that are known. Which line holds the names of the columns?',
    );
    expect([question.unlikely, question.answers.map(({ flag }) => flag)]).toEqual([
      false,
      ['--set header-row=0', '--set header-row=1', '--set header-row=2'],
    ]);
  });

  test('has all of its guests', async () => {
    const { rows } = await readString(LIST, 'a.csv', { knows, headerRow: 0 });
    expect(rows.map(({ columns, cells, place }) => [place.line, columns, cells])).toEqual([
      [1, ['Column 1', 'Column 2'], ['Ada', 'ada@example.com']],
      [2, ['Column 1', 'Column 2'], ['Bo', 'bo@example.com']],
    ]);
  });

  test('has columns with the letters of its sheet', async () => {
    const { rows } = await read([['Ada'], ['Bo', '', 'x']], [], { headerRow: 0 });
    expect(rows.map(({ columns, cells }) => [columns, cells])).toEqual([
      [
        ['Column A', 'Column B', 'Column C'],
        ['Ada', null, null],
      ],
      [
        ['Column A', 'Column B', 'Column C'],
        ['Bo', null, 'x'],
      ],
    ]);
  });
});
