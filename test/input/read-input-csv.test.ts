import { describe, expect, test } from 'vitest';
import { linesAndCells, readString, refusal } from './open-text.ts';

describe('rows of a CSV file', () => {
  test('carry file, line, trimmed header names and untouched cells', async () => {
    const input = await readString(' Name ,E-mail\r\n Ann ,a@example.com\r\n');
    expect(input.format).toBe('csv');
    expect(input.delimiter).toBe(',');
    expect(input.rows).toEqual([
      {
        place: { file: 'attendees.csv', line: 2 },
        columns: ['Name', 'E-mail'],
        cells: [' Ann ', 'a@example.com'],
      },
    ]);
  });

  test('of one column need no delimiter', async () => {
    expect(linesAndCells(await readString('Name\nAnn\n10:00:00\n'))).toEqual([
      [2, 'Ann'],
      [3, '10:00:00'],
    ]);
  });

  test('may have blank cells behind the last column, and columns without name that stay blank', async () => {
    const { rows } = await readString('a,,b,,\n1,,2,, \n3, ,4\n');
    expect(rows.map((row) => [row.columns, row.cells])).toEqual([
      [
        ['a', 'b'],
        ['1', '2'],
      ],
      [
        ['a', 'b'],
        ['3', '4'],
      ],
    ]);
  });
});

describe('line numbers', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['bare CR', '\r'],
  ])('are physical lines with %s, with quoted line breaks and blank lines', async (_, eol) => {
    const lines = ['a,b', '', '"x', 'y",1', '', '   ', ',', '"p', '', 'q","r', 's"', '5,6'];
    expect(linesAndCells(await readString(lines.join(eol)))).toEqual([
      [3, `x${eol}y`, '1'],
      [8, `p${eol}${eol}q`, `r${eol}s`],
      [12, '5', '6'],
    ]);
  });

  test('count a CRLF inside quotes once in a file of LF lines', async () => {
    expect(linesAndCells(await readString('a,b\n"x\r\ny\r\nz",1\n2,3\n'))).toEqual([
      [2, 'x\r\ny\r\nz', '1'],
      [5, '2', '3'],
    ]);
  });

  test('are asked about where a sep= line says another delimiter than the headings have', async () => {
    const text = 'sep=,\nName;E-mail\nAda;ada@example.com\n';
    await expect(readString(text)).rejects.toThrow(
      'its first line says that cells are separated by ",", and its headings are not. By what are they?',
    );
    const { rows } = await readString(text, undefined, { delimiter: ';' });
    expect(rows[0]?.cells).toEqual(['Ada', 'ada@example.com']);
    const one = await readString('sep=,\nE-mail\nada@example.com\n');
    expect([one.delimiter, one.rows.length]).toEqual([',', 1]);
  });

  test('go on right behind a sep= line and blank lines before the header', async () => {
    const input = await readString('sep=|\r\n\r\na|b\r\n1|2\r\n');
    expect(input.delimiter).toBe('|');
    expect(linesAndCells(input)).toEqual([[4, '1', '2']]);
  });
});

describe('a CSV file is refused', () => {
  test('when a column without a name holds a value, the first one, too', async () => {
    expect((await refusal(readString(',b\n1,2\n'))).message).toBe(
      'attendees.csv:2: column 1 holds a value, but its header in line 1 is empty.',
    );
  });
});
