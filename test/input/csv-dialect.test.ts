import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { detectDialect } from '../../src/input/csv-dialect.ts';
import { linesAndCells, readString, refusal } from './open-text.ts';

function delimiterOf(text: string, flag?: string): string {
  return detectDialect(Buffer.from(text), true, flag, 'attendees.csv').delimiter;
}

describe('the delimiter', () => {
  test.each([
    ['commas', 'a,b,c\n1,2,3\n', ','],
    ['semicolons, CRLF', 'a;b\r\n1;2\r\n', ';'],
    ['tabs', 'a\tb\n1\t2\n', '\t'],
    ['bars, bare CR', 'a|b\r1|2\r', '|'],
    ['decimal commas in a file of semicolons', 'name;price;sum\nA;1,5;2,5\nB;1,0;2,0\n', ';'],
    ['commas inside quotes', '"a";"b, c"\n"1, 2";"3"\n', ';'],
    ['semicolons inside quotes', '"x","a; b"\n"1","2; 3"\n', ','],
    ['line breaks inside quotes', 'a;b\n"1,\n2,3";4\n', ';'],
    ['doubled quotes', 'a;b\n"say ""a,b""";4\n', ';'],
    ['a comma in the header only', 'Name, first;E-mail;City\nAnn;a@x.org;Ulm\n', ';'],
    ['times in one column', 'time\n10:00:00\n', ','],
    ['spaces in a header', 'First name;Company name\nAnn;ACME Ltd\n', ';'],
    ['one column', 'email\na@example.com\n', ','],
    ['a header alone', 'a;b;c', ';'],
    ['a last line cut by the sample', `a;b\n${'1,2;3\n'.repeat(20_000)}`, ';'],
  ])('is found among %s', (_, text, delimiter) => {
    expect(delimiterOf(text)).toBe(delimiter);
  });

  test.each([
    [';', ';'],
    ['tab', '\t'],
    ['\\t', '\t'],
    ['§', '§'],
  ])('may be said with --delimiter %s', (flag, delimiter) => {
    expect(delimiterOf('a,b\n', flag)).toBe(delimiter);
  });

  test.each(['', ';;', '"', '\n'])('may not be said with --delimiter %j', (flag) => {
    expect(() => delimiterOf('a,b\n', flag)).toThrow(UsageError);
  });

  test('is asked for when two fit equally well', async () => {
    expect(await refusal(readString('name,city;country\nAnn,Ulm;DE\n'))).toEqual({
      message: 'attendees.csv: the cells may be separated by "," or by ";": both fit equally well.',
      hint: 'Say which with --delimiter, for example --delimiter ",".',
      details: [],
    });
  });

  test('is not decided by the row that the end of the sample cuts', async () => {
    const { message } = await refusal(readString(`a,b;c\n${'11,2;3\n'.repeat(20_000)}`));
    expect(message).toContain('both fit equally well');
  });

  test.each([
    ['sep=;\na,x;b,y\n1,1;2\n', ';', [[3, '1,1', '2']]],
    ['"sep=\t"\r\na\tb\r\n1\t2\r\n', '\t', [[3, '1', '2']]],
    ['SEP=,\na,b\n1,2\n', ',', [[3, '1', '2']]],
  ])('is taken from a sep= line, which is no row: %j', async (text, delimiter, rows) => {
    const input = await readString(text);
    expect(input.delimiter).toBe(delimiter);
    expect(linesAndCells(input)).toEqual(rows);
  });

  test('of the flag wins over the sep= line, which is skipped all the same', async () => {
    const input = await readString('sep=;\na,b;c\n1,2;3\n', 'a.csv', { delimiter: ',' });
    expect(input.rows.map((row) => [row.columns, row.cells])).toEqual([
      [
        ['a', 'b;c'],
        ['1', '2;3'],
      ],
    ]);
  });
});
