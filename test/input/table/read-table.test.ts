import { describe, expect, test } from 'vitest';
import { EventregError } from '../../../src/errors.ts';
import { columnKnower } from '../../../src/input/columns/heading-reader.ts';
import { QuestionError } from '../../../src/input/source/question-error.ts';
import { readTable } from '../../../src/input/table/read-table.ts';
import type { TableOptions } from '../../../src/input/table/table-options.ts';
import type { TableRecord, TableRecords } from '../../../src/input/source/table-record.ts';
import type { Cell, SourceRow } from '../../../src/registration/model/row.ts';
import { SheetCell } from '../../../src/registration/model/sheet-cell.ts';
import { field, persona } from '../persona-of-labels.ts';
import { refusal } from '../open-text.ts';
import { answer, choice } from '../../support/choice-question.ts';
import * as fc from 'fast-check';

const knows = columnKnower([
  persona('visitor', [field('email', 'E-mail'), field('seat', 'Seat'), field('a')]),
]);
const NUMBER = { code: 'General', kind: 'number', zeros: 0 } as const;
const number = (stored: string): SheetCell => new SheetCell('number', stored, NUMBER, false);

const csv: TableOptions = { file: 'a.csv', headerRow: undefined, knows, delimiter: '";"' };
const sheet: TableOptions = {
  ...csv,
  file: 'a.xlsx',
  sheet: 'Guests',
  delimiter: undefined,
};

type Cells = readonly Cell[];

/** Records on lines 1, 2, 3 …, in batches of `size`. */
async function* recordsOf(lines: readonly Cells[], size = 2): TableRecords {
  const records = lines.map((cells, at): TableRecord => ({ line: at + 1, cells }));
  for (let at = 0; at < records.length; at += size) yield records.slice(at, at + size);
}

async function read(lines: readonly Cells[], options: Partial<TableOptions> = {}, size = 2) {
  const table = await readTable(recordsOf(lines, size), { ...csv, ...options });
  const rows: SourceRow[] = [];
  /** Lines of records that are told of, and are no rows. */
  const rejected: number[] = [];
  for await (const batch of table.batches) {
    rows.push(...batch.rows);
    rejected.push(...batch.rejects.map(({ place }) => place.line));
  }
  return { header: table.headerLine, remarks: table.remarks, rows, rejected };
}

/** The lines and cells of the rows. */
async function rowsOf(lines: readonly Cells[], options: Partial<TableOptions> = {}): Promise<unknown[]> {
  return (await read(lines, options)).rows.map(({ place, cells }) => [place.line, ...cells]);
}

async function questionOf(lines: readonly Cells[], options: Partial<TableOptions> = {}) {
  const error: unknown = await read(lines, options).catch((reason: unknown) => reason);
  if (!(error instanceof QuestionError)) throw new Error('no question', { cause: error });
  expect(error.questions).toHaveLength(1);
  return choice(error.questions[0]);
}

async function flagsOf(
  lines: readonly Cells[],
  options: Partial<TableOptions> = {},
): Promise<(string | undefined)[]> {
  return (await questionOf(lines, options)).answers.map(({ flag }) => flag);
}

const HEADER = ['E-mail', 'First name', 'Seat'];
const ANN = ['ann@example.com', 'Ann', '1'];
const BOB = ['bob@example.com', 'Bob', '2'];

describe('a row of a text with more cells than the header', () => {
  const WIDE = [...ANN, ''];
  const SHIFTED = ['bob@example.com', 'Bob, Jr.', '', ' '];
  const of = (line: number, blank: string, cells = 4, width = 3) =>
    `a.csv:${line}: this row has ${cells} cells (the last ${blank} blank), but the header has ${width}.`;

  test.each<readonly [string, readonly Cells[], string]>([
    ['that is the only one so', [HEADER, ANN, SHIFTED], of(3, '2 are')],
    ['that comes first', [HEADER, SHIFTED, ANN], of(2, '2 are')],
    ['that is not as wide as the others', [HEADER, WIDE, [...ANN, '', '']], of(3, '2 are', 5)],
    ['that is the only row', [HEADER, WIDE], of(2, 'is')],
    ['that is the only row but for the header again', [HEADER, WIDE, HEADER, ['', '', '', '']], of(2, 'is')],
    ['that is wider than an unnamed column', [[...HEADER, ''], ANN, [...WIDE, '']], of(3, '2 are', 5, 4)],
  ])('is asked about though they are blank: %s', async (_, lines, message) => {
    for (const size of [1, 2, 50]) {
      expect((await refusal(read(lines, {}, size))).message).toContain(message);
    }
    expect(await flagsOf(lines)).toEqual(['--set extra-cells=blank']);
    const headings = lines[0]?.filter((name) => name !== '').map(String);
    const recallFile = (columns: readonly string[]) =>
      columns.join() === headings?.join() ? { extraCells: 'blank' } : {};
    expect((await questionOf(lines, { recallFile })).remembered).toMatchObject({ value: 'blank' });
    expect((await questionOf(lines, { recallFile: () => ({}) })).remembered).toBeUndefined();
    const { rows } = await read(lines, { extraCells: 'blank' });
    for (const { cells } of rows) expect(cells).toHaveLength(3);
  });

  test('is told how to mend it', async () => {
    expect(await questionOf([HEADER, ANN, SHIFTED])).toMatchObject({
      text: expect.stringContaining('Does a value hold the delimiter ";", so that'),
      details: ['The row: "b••@e••••••.c••" "B••, J•." "" " "'],
    });
    const filled = read([HEADER, ANN, [...ANN, '', 'x']], { extraCells: 'blank' });
    await expect(refusal(filled)).resolves.toMatchObject({ message: expect.stringContaining('has 5 cells') });
  });

  test.each<readonly [string, readonly Cells[]]>([
    ['all rows are so, and more than one', [HEADER, WIDE, ['', '', ''], HEADER, WIDE]],
    [
      'the header has that many cells, too',
      [
        [...HEADER, '', ''],
        [...WIDE, ''],
      ],
    ],
    ['the header has that many cells, whatever other rows have', [[...HEADER, ''], WIDE, ANN]],
  ])('is read where %s', async (_, lines) => {
    for (const row of (await read(lines)).rows) expect(row.cells).toEqual(ANN);
  });
});

describe('rows of formulas', () => {
  test('carry which of their columns add up others', async () => {
    async function* records(): TableRecords {
      yield [
        { line: 1, cells: ['E-mail', null, 'Seat'] },
        { line: 2, cells: ['', null, '2'], aggregates: [1, 2] },
      ];
    }
    const table = await readTable(records(), sheet);
    const { value } = await table.batches.next();
    expect(value?.rows[0]?.aggregates).toEqual([1]);
  });
});

describe('rows of a table', () => {
  test.each([1, 2, 3, 50])('carry place, shared columns and cells, in batches of %i', async (size) => {
    const { rows } = await read([HEADER, ANN, BOB], sheet, size);
    expect(rows).toEqual([
      { place: { file: 'a.xlsx', sheet: 'Guests', line: 2 }, columns: HEADER, cells: ANN },
      { place: { file: 'a.xlsx', sheet: 'Guests', line: 3 }, columns: HEADER, cells: BOB },
    ]);
    expect(rows[0]?.columns).toBe(rows[1]?.columns);
  });

  test('of a text name no sheet, and leave blank records out', async () => {
    const { rows } = await read([['', ' '], HEADER, ['', '\u00A0', null], ANN]);
    expect(rows.map(({ place }) => place)).toEqual([{ file: 'a.csv', line: 4 }]);
  });

  test('of a sheet may be narrower than the header, and wider with blanks', async () => {
    const lines = [HEADER, ['x@example.com'], [...ANN, null, ' ']];
    expect(await rowsOf(lines, sheet)).toEqual([
      [2, 'x@example.com', null, null],
      [3, ...ANN],
    ]);
  });

  test('keep the cells of a workbook as they are', async () => {
    const seat = number('5.0E1');
    const { rows } = await read([HEADER, ['a@example.com', 'Ann', seat]], sheet);
    expect(rows[0]?.cells[2]).toBe(seat);
  });

  test('lose one apostrophe before = + - @ tab and CR, and say where', async () => {
    const lines = [
      ['email', "'=seat", 'c', 'd'],
      ["'=1", "'+49", "''-x", "'plain"],
      ["'@", "'\t", "'\r", "'"],
      ['1', '2', '3', '4'],
    ];
    const { rows } = await read(lines);
    expect(rows.map(({ cells, escaped }) => [cells, escaped && [...escaped]])).toEqual([
      [
        ['=1', '+49', "'-x", "'plain"],
        [
          [0, "'=1"],
          [1, "'+49"],
          [2, "''-x"],
        ],
      ],
      [
        ['@', '\t', '\r', "'"],
        [
          [0, "'@"],
          [1, "'\t"],
          [2, "'\r"],
        ],
      ],
      [['1', '2', '3', '4'], undefined],
    ]);
    expect(rows[2]).not.toHaveProperty('escaped');
    expect(rows[0]?.columns).toEqual(['email', '=seat', 'c', 'd']);
  });

  test('name unescaped cells by column, also behind columns without a name', async () => {
    const { rows } = await read([
      ['email', '', 'seat'],
      ['x', '', "'=1"],
    ]);
    expect(rows[0]).toMatchObject({ cells: ['x', '=1'], escaped: new Map([[1, "'=1"]]) });
  });

  test('are the text of a formula that holds nothing else, as shops write for Excel', async () => {
    const { rows } = await read([
      ['="email"', 'b', 'c', 'd', 'e'],
      ['="0049 170 1"', '=""', '="a""b"', '="a"&"b"', '="a'],
      ['\'="4711"', '= "1"', '="x" ', '="a"b"', 'x'],
    ]);
    expect(rows.map(({ columns, cells, escaped }) => [columns[0], cells, [...(escaped ?? [])]])).toEqual([
      [
        'email',
        ['0049 170 1', '', 'a"b', '="a"&"b"', '="a'],
        [
          [0, '="0049 170 1"'],
          [1, '=""'],
          [2, '="a""b"'],
        ],
      ],
      ['email', ['="4711"', '= "1"', '="x" ', '="a"b"', 'x'], [[0, '\'="4711"']]],
    ]);
  });
});

describe('names of columns', () => {
  test('lose what is not seen at their ends and stand on one line', async () => {
    const header = ['\u200B E-mail\u00A0\u200E', ' First\r\n  name\n', 'Seat \u2028 no', 'x  y'];
    const { rows } = await read([header, ['1', '2', '3', '4']]);
    expect(rows[0]?.columns).toEqual(['E-mail', 'First name', 'Seat no', 'x  y']);
  });

  test('may be numbers and dates of a workbook: their stored text', async () => {
    const { rows } = await read(
      [
        ['email', number('2026'), 'seat'],
        ['a', 'b', 'c'],
      ],
      sheet,
    );
    expect(rows[0]?.columns).toEqual(['email', '2026', 'seat']);
  });

  test('may be called like properties of every object', async () => {
    const { rows } = await read([
      ['email', '__proto__', 'constructor'],
      ['1', '2', '3'],
    ]);
    expect(rows[0]?.columns).toEqual(['email', '__proto__', 'constructor']);
  });
});

describe('the header', () => {
  test('is the first line when that one knows as many names as any', async () => {
    const lines = [
      ['E-mail', 'Favourite colour'],
      ['Company', 'blue'],
      ['x', 'y'],
    ];
    expect(await read(lines)).toMatchObject({ header: 1, remarks: [] });
  });

  test('is found below other lines, which are counted, blank ones too', async () => {
    const lines = [['Attendees 2026'], [], ['Export of', '3 May'], HEADER, ANN];
    const { header, remarks, rows } = await read(lines);
    expect([header, rows.length]).toEqual([4, 1]);
    expect(remarks).toEqual(['The header is line 4; the 3 lines above it are left out.']);
    const one = await read([['Attendees'], HEADER, ANN], sheet);
    expect(one.remarks).toEqual(['The header is row 2; the row above it is left out.']);
  });

  test('is found below a title that happens to be a known name', async () => {
    expect(await read([['Company'], HEADER, ANN])).toMatchObject({ header: 2 });
  });

  test('is looked for among the first 20 lines that are not blank', async () => {
    const above = Array.from({ length: 19 }, (_, at) => [`remark ${at}`]);
    expect(await read([...above, [''], HEADER, ANN])).toMatchObject({ header: 21 });
    const { message } = await refusal(read([...above, ['one more'], HEADER, ANN]));
    expect(message).toBe('a.csv:21: this row has 3 cells, but the header has 1.');
    expect((await refusal(read([...above, ['one more'], HEADER, ANN], {}, 50))).message).toBe(message);
  });

  test('is found without reading on', async () => {
    let read = 0;
    const counted = async function* (): TableRecords {
      for await (const batch of recordsOf([HEADER, ...Array.from({ length: 200 }, () => ANN)])) {
        read += batch.length;
        yield batch;
      }
    };
    await readTable(counted(), csv);
    expect(read).toBe(20);
  });

  test('is not a line for the one known name in it, nor for a name repeated', async () => {
    expect(
      await read([
        ['Kolumna', 'Druga'],
        ['Company', 'x'],
      ]),
    ).toMatchObject({ header: 1 });
    expect(await read([['Seat', 'Seat', ''], ['E-mail', 'Seat', 'x'], ANN])).toMatchObject({ header: 2 });
  });

  test('of unknown names is the first line', async () => {
    expect(
      await read([
        ['Kolumna', 'Druga'],
        ['1', '2'],
      ]),
    ).toMatchObject({ header: 1, remarks: [] });
    expect(await read([['Kolumna']])).toMatchObject({ header: 1 });
    expect(await read([[number('1')]], sheet)).toMatchObject({ header: 1 });
  });

  test('that is not there is an error', async () => {
    expect((await refusal(read([]))).message).toBe('a.csv: the file has no header line.');
    expect((await refusal(read([['', null], [' ']], sheet))).message).toBe(
      'a.xlsx:Guests: the file has no header line.',
    );
  });
});

describe('--set header-row', () => {
  test('names the line, wherever it is, and however unknown its names', async () => {
    const above = Array.from({ length: 30 }, () => HEADER);
    expect(await read([...above, ['x', 'y'], ['1', '2']], { headerRow: 31 })).toMatchObject({
      header: 31,
      remarks: [],
      rows: [{ columns: ['x', 'y'], cells: ['1', '2'] }],
    });
  });

  test('ends the question of two rows', async () => {
    expect(await rowsOf([HEADER, ['Seat', 'E-mail'], ['x', 'y']], { headerRow: 2 })).toEqual([[3, 'x', 'y']]);
  });

  test.each([
    ['a blank line', 2],
    ['no line', 9],
  ])('must not name %s', async (_, headerRow) => {
    const error = await refusal(read([HEADER, [''], ANN], { headerRow }));
    expect(error.message).toContain(`a.csv:${headerRow}: no header can stand here`);
  });
});

describe('somebody has to say which line is the header', () => {
  test('when a title stands above unknown names', async () => {
    const lines = [['Lista\u0007 gości'], [], ['Imię', 'Miasto', 'x'.repeat(50)], ['Jan', 'Łódź', '1']];
    expect(await questionOf(lines)).toEqual({
      unlikely: true,
      text: 'a.csv: the first line does not look like a header, and no other one holds names that are known. Which line holds the names of the columns?',
      details: [
        String.raw`line 1: "Lista\u{7} gości"`,
        `line 3: "Imię" "Miasto" "${'x'.repeat(39)}…"`,
        'line 4: "Jan" "Łódź" "1"',
      ],
      answers: [
        answer(`line 3: "Imię" "Miasto" "${'x'.repeat(39)}…"`, 'headerRow', '3'),
        answer(String.raw`line 1: "Lista\u{7} gości"`, 'headerRow', '1'),
        answer('line 4: "Jan" "Łódź" "1"', 'headerRow', '4'),
        answer('none: the first line is a guest', 'headerRow', '0'),
      ],
    });
  });

  test('when the first row of a sheet is narrower than others, or holds numbers, and nothing is known', async () => {
    expect(
      await flagsOf(
        [
          ['a b', 'c'],
          ['1', '2', '3'],
        ],
        sheet,
      ),
    ).toEqual(['--set header-row=2', '--set header-row=1', '--set header-row=0']);
    expect(
      await flagsOf(
        [
          ['x', number('1')],
          ['y', number('2')],
        ],
        sheet,
      ),
    ).toEqual(['--set header-row=1', '--set header-row=2', '--set header-row=0']);
  });

  test('when several lines know as many names', async () => {
    const lines = [['Attendees'], HEADER, ANN, ['First name', 'Seat', 'E-mail'], BOB];
    const question = await questionOf(lines, sheet);
    expect(question.text).toContain('a.xlsx:Guests: more than one row may be the header.');
    expect(question.answers.map(({ flag }) => flag).slice(0, 2)).toEqual([
      '--set header-row=2',
      '--set header-row=4',
    ]);
  });

  test('when lines as wide as the header stand above it, which may be people', async () => {
    expect(await flagsOf([ANN, BOB, HEADER])).toEqual([
      '--set header-row=3',
      '--set header-row=1',
      '--set header-row=2',
    ]);
  });

  test('when a second line of known names follows', async () => {
    const lines = [['Company', 'Name', 'First name'], ['E-mail', '', 'Seat'], ANN];
    const question = await questionOf(lines);
    expect(question.text).toContain('the header seems to stand in two lines');
    expect(question.answers[0]?.flag).toBe('--set header-row=2');
    expect(question.answers[1]?.flag).toBe('--set header-row=1');
    expect(await flagsOf([['Title'], HEADER, ['Seat', 'E-mail'], ANN], sheet)).toContain(
      '--set header-row=3',
    );
  });

  test('but not when the line that follows holds anything else', async () => {
    expect(await rowsOf([HEADER, ['Seat', 'x', 'y'], ['', 'Seat', '']])).toHaveLength(2);
    expect(await rowsOf([HEADER, ['', 'Seat', ''], ANN])).toHaveLength(2);
  });

  test('and is shown at most five lines and eight cells', async () => {
    const wide = Array.from({ length: 9 }, (_, at) => `box ${at}`);
    const { details } = await questionOf([['title'], ...Array.from({ length: 9 }, () => wide)]);
    expect(details).toHaveLength(5);
    expect(details[1]).toMatch(/"box 7" …$/);
  });
});

test('A value behind the last heading may be what moved, or one of a column without a name', async () => {
  const nameless = await refusal(read([[...HEADER, ''], ANN, [...ANN, 'x']]));
  expect(nameless).toMatchObject({
    message: 'a.csv:3: column 4 (after "Seat") holds a value, but its header in line 1 is empty.',
    hint: 'Give the column a name, or empty the cell. If the cells have moved, one holds the delimiter ";" and must be in double quotes.',
  });
});

describe('a table is refused', () => {
  test.each<[string, readonly Cells[]]>([
    ['a.csv:3: this row has 2 cells, but the header has 3.', [HEADER, ANN, ['x', 'y']]],
    ['a.csv:2: this row has 1 cell, but the header has 3.', [HEADER, ['x']]],
    ['a.csv:2: this row has 5 cells, but the header has 3.', [HEADER, [...ANN, '', 'x']]],
    [
      'a.csv:2: column 2 (after "email") holds a value, but its header in line 1 is empty.',
      [
        ['email', '', 'seat'],
        ['1', 'x', '2'],
      ],
    ],
    [
      'a.csv:1: the header has 1001 columns; 1,000 is the most.',
      [Array.from({ length: 1001 }, (_, at) => `c${at}`)],
    ],
  ])('%s', async (message, lines) => {
    expect((await refusal(read(lines))).message).toBe(message);
  });

  test('with the letters of the columns, in a sheet', async () => {
    const nameless = [
      ['x', ''],
      ['1', '2'],
    ];
    expect((await refusal(read(nameless, { ...sheet, headerRow: 1 }))).message).toBe(
      'a.xlsx:Guests:2: column B (after "x") holds a value, but its header in row 1 is empty.',
    );
    const beyond = [
      ['', 'email'],
      [null, 'a'],
      [null, 'b', null, 'c'],
    ];
    expect((await refusal(read(beyond, { ...sheet, headerRow: 1 }))).message).toContain(
      'a.xlsx:Guests:3: column D (after "email") holds a value',
    );
  });

  test('with the row shown, cut', async () => {
    const { details, hint } = await refusal(read([HEADER, ['x'.repeat(50), 'a\nb']]));
    expect(details).toEqual([String.raw`The row: "x${'•'.repeat(38)}…" "•\n•"`]);
    expect(hint).toContain('Write the cells that are missing');
    const wide = await refusal(read([HEADER, ['a', 'b', 'c', 'd']]));
    expect(wide.hint).toContain('the delimiter ";" or a line break');
  });

  test('and its records are let go', async () => {
    const records = recordsOf([HEADER, ...Array.from({ length: 50 }, () => ['x'])]);
    await expect(readTable(records, { ...csv, headerRow: 99 })).rejects.toThrow(EventregError);
    expect(await records.next()).toEqual({ done: true, value: undefined });
    const later = recordsOf([HEADER, ...Array.from({ length: 50 }, () => ANN)]);
    for await (const _ of (await readTable(later, csv)).batches) break;
    expect(await later.next()).toEqual({ done: true, value: undefined });
  });
});

test('Whatever the records, every value is in a row, rejected, above the header, or the table is refused', async () => {
  const cell = fc.oneof(
    fc.constantFrom<Cell>('', ' ', null, 'E-mail', 'Seat', 'Name', "'=x", number('7')),
    fc.string({ maxLength: 3 }),
  );
  const lines = fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(lines, fc.constantFrom(csv, sheet), async (records, options) => {
      const result = await read(records, options).catch((error: unknown) => {
        if (error instanceof EventregError) return undefined;
        throw error;
      });
      if (result === undefined) return;
      const filled = (cells: Cells) =>
        cells.filter((one) => (typeof one !== 'string' ? one !== null : one.trim() !== ''));
      const expected = records
        .filter((_, at) => at >= result.header && !result.rejected.includes(at + 1))
        .map(filled)
        .filter((cells) => cells.length > 0);
      const unescape = (one: Cell) =>
        typeof one === 'string' ? one.replace(/^'(?='*[=+\-@\t\r])/, '') : one;
      expect(result.rows.map(({ cells }) => filled(cells))).toEqual(
        expected.map((cells) => cells.map(unescape)),
      );
    }),
  );
});

test('Hostile cells cost no more than their length', async () => {
  const big = 300_000;
  const evil = [' '.repeat(big), 'a '.repeat(big), "'".repeat(big), '\u0301'.repeat(big), '(['.repeat(big)];
  const lines = [evil.map((text) => `x${text}x`), evil];
  expect((await read(lines, { ...sheet, headerRow: 1 })).rows).toHaveLength(1);
});

describe('rows that are none', () => {
  test('of blank cells are counted, below the header, wherever they stand', async () => {
    const lines = [
      ['', ''],
      ['email', 'seat'],
      ['', ' '],
      ['a', 'b'],
      [''],
      ['', ''],
      ['c', 'd'],
      [null, null],
    ];
    for (const size of [1, 2, 20]) {
      for (const headerRow of [undefined, 2]) {
        const table = await readTable(recordsOf(lines, size), { ...csv, headerRow });
        const rows: SourceRow[] = [];
        for await (const batch of table.batches) rows.push(...batch.rows);
        expect([size, rows.length, table.emptyRows()]).toEqual([size, 2, 3]);
      }
    }
  });

  test('and repeat the header are rejected, each with its place', async () => {
    const lines = [
      ['email', 'seat'],
      ['a', 'b'],
      ['email ', 'seat'],
      ['email', 'x'],
      ['email', 'seat', ''],
    ];
    const table = await readTable(recordsOf(lines), csv);
    const found: unknown[] = [];
    for await (const { rows, rejects } of table.batches) {
      found.push(...rows.map(({ place }) => place.line));
      found.push(...rejects.map(({ place, reasons }) => [place.line, reasons[0]?.problem]));
    }
    const problem = 'repeats the header of a.csv:1';
    expect(found).toEqual([2, 4, [3, problem], [5, problem]]);
  });
});
