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

  test('share one array of columns', async () => {
    const { rows } = await readString('a,b\n1,2\n3,4\n');
    expect(rows[0]?.columns).toBe(rows[1]?.columns);
  });

  test('of a header alone are none', async () => {
    expect((await readString('Name,E-mail\n')).rows).toEqual([]);
  });

  test('of one column need no delimiter', async () => {
    expect(linesAndCells(await readString('Name\nAnn\n10:00:00\n'))).toEqual([
      [2, 'Ann'],
      [3, '10:00:00'],
    ]);
  });

  test('lose exactly one apostrophe that our own export puts before = + - @ tab and CR', async () => {
    const text = "a,b\n'=1,'+49\n'-x,'@y\n'\tz,\"'\rq\"\n''=1,'plain\n";
    const cells = (await readString(text)).rows.flatMap((row) => row.cells);
    expect(cells).toEqual(['=1', '+49', '-x', '@y', '\tz', '\rq', "'=1", "'plain"]);
  });

  test('may be called like properties of every object', async () => {
    const { rows } = await readString('__proto__,constructor\n1,2\n');
    expect(rows[0]?.columns).toEqual(['__proto__', 'constructor']);
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

  test('go on right behind a sep= line and blank lines before the header', async () => {
    const input = await readString('sep=|\r\n\r\na|b\r\n1|2\r\n');
    expect(input.delimiter).toBe('|');
    expect(linesAndCells(input)).toEqual([[4, '1', '2']]);
  });
});

describe('a CSV file is refused', () => {
  test.each([
    [
      'when a row has too few cells',
      'a,b,c\n1,2,3\n4,5\n',
      'attendees.csv:3: this row has 2 cells, but the header has 3.',
    ],
    [
      'when a row has too many cells',
      'a,b\n"x\ny",2\n1,2,3\n',
      'attendees.csv:4: this row has 3 cells, but the header has 2.',
    ],
    [
      'when a quote is never closed, naming the line of the quote',
      'a,b\n1,2\n"x\ny","z\n3,4\n5,6\n',
      'attendees.csv:4: the double quote that opens here is never closed.',
    ],
    [
      'when text follows a closing quote',
      'a,b\n1,2\n"x\ny"z,3\n4,5\n',
      'attendees.csv:3: text follows the closing quote of the quoted cell that opens here.',
    ],
    [
      'when an unquoted cell holds a quote',
      'a,b\n1,2\n"m\nn",5" pipe\n4,5\n',
      'attendees.csv:4: a cell without quotes round it holds a double quote.',
    ],
    [
      'when a column without name holds a value',
      'a,,c\n1,,2\n1,x,2\n',
      'attendees.csv:3: column 2 (after "a") holds a value, but its header in line 1 is empty.',
    ],
    [
      'when the first column has no name',
      ',b\n1,2\n',
      'attendees.csv:2: column 1 holds a value, but its header in line 1 is empty.',
    ],
    [
      'when two columns have the same name',
      'Email,Name,email \n1,2,3\n',
      'attendees.csv:1: columns 1 ("Email") and 3 ("email ") have the same name.',
    ],
    ['when there is no header', ',,\n,,\n', 'attendees.csv: the file has no header line.'],
    [
      'when it has more than 1,000 columns',
      Array.from({ length: 1001 }, (_, at) => `c${at}`).join(','),
      'attendees.csv:1: the header has 1001 columns; 1,000 is the most.',
    ],
    [
      'when a row is longer than 1 MiB',
      `a,b\n1,${'x'.repeat(1_100_000)}\n`,
      'attendees.csv:2: this row is longer than 1 MiB.',
    ],
    [
      'when a quote stays open for more than 1 MiB',
      `a,b\n1,2\n1,"${'x\n'.repeat(600_000)}`,
      'attendees.csv:3: the double quote that opens here is never closed.',
    ],
  ])('%s', async (_, text, message) => {
    expect((await refusal(readString(text))).message).toBe(message);
  });

  test('with a hint that names the delimiter in use', async () => {
    const { hint } = await refusal(readString('a;b\n1;2\n1;2;3\n'));
    expect(hint).toBe(
      'A cell that holds the delimiter ";" or a line break must be in double quotes; another delimiter is chosen with --set delimiter.',
    );
  });

  test('with all pairs of equal names', async () => {
    const { details } = await refusal(readString('a,b,A,B\n'));
    expect(details).toEqual(['attendees.csv:1: columns 2 ("b") and 4 ("B") have the same name.']);
  });
});
