import { describe, expect, test } from 'vitest';
import { readRecords } from '../open-records.ts';
import { refusal } from '../open-text.ts';

test('Records are as they stand, with header, preamble, blank lines and exact lines', async () => {
  const { records } = await readRecords(' T \r\n\r\n\r\'=a,"x\r\ny\rz"\n , \n""\n1,2,3', { delimiter: ',' });
  expect(records).toEqual([
    [1, ' T '],
    [2, ''],
    [3, ''],
    [4, "'=a", 'x\r\ny\rz'],
    [7, ' ', ' '],
    [8, ''],
    [9, '1', '2', '3'],
  ]);
});

test.each([',', ';'])(
  'Cells such as ="4711" are one cell each, whatever is in them: %s',
  async (delimiter) => {
    const lines = ['a,b,c', '="4711",="x\ny",="a,b;c"', '="",="a""b",2'];
    const text = lines.join('\n').replaceAll(/,(?=[=2]|[bc]\b(?!;))/g, delimiter);
    const { records } = await readRecords(text);
    expect(records).toEqual([
      [1, 'a', 'b', 'c'],
      [2, '="4711"', '="x\ny"', '="a,b;c"'],
      [4, '=""', '="a""b"', '2'],
    ]);
  },
);

describe('wrong quotes are refused, naming and showing the line where they open:', () => {
  const DOUBLE_IT = 'Put the whole cell in double quotes, and write a double quote inside it twice ("").';
  const OPEN = 'the double quote that opens here is never closed.';
  const BEHIND = 'text follows the closing quote of the quoted cell that opens here.';
  const STRAY = 'a cell without quotes round it holds a double quote.';
  test.each([
    ['never closed', 'a,b\n1,2\n"x\ny","z\n3,4\n', 4, OPEN, '•","•'],
    ['text behind', 'a,b\n"x\ny"z,3\n4,5\n', 2, BEHIND, '"•'],
    ['a blank behind', 'a,b\n"x" ,3\n', 2, BEHIND, '"•" ,•'],
    ['a stray one', 'a,b\r\n1,5" pipe\t\u200b\r\n', 2, STRAY, String.raw`1,•" p•••\t\u{200b}`],
    ['text behind the text of a formula', 'a,b\n="x"&"y",3\n', 2, BEHIND, '="•"&"•",•'],
    ['a formula that holds more than a text', 'a,b\n==“x”,=A1&"y"\n', 2, STRAY, '==“•”,=••&"•"'],
  ])('%s', async (_, text, line, what, shown) => {
    expect(await refusal(readRecords(text))).toEqual({
      message: `a.csv:${line}: ${what}`,
      hint: DOUBLE_IT,
      details: [shown],
    });
  });

  test('single quotes are called so', async () => {
    const { message, hint } = await refusal(readRecords("a,b\nit's,2\n", { quote: "'" }));
    expect(message).toBe('a.csv:2: a cell without quotes round it holds a single quote.');
    expect(hint).toContain("single quotes, and write a single quote inside it twice ('')");
  });

  test('a long line is cut', async () => {
    const { details } = await refusal(readRecords(`a,b\n1,"${'é'.repeat(500)}"x\n`));
    expect(details).toEqual([`•,"é${'•'.repeat(54)}…`]);
  });
});

test.each([
  ['a.csv:2: this row is longer than 1 MiB.', `a,b\n1,${'x'.repeat(1_100_000)}\n`],
  ['a.csv:2: the double quote that opens here is never closed.', `a,b\n1,"${'x\n'.repeat(600_000)}`],
  ['a.csv:2: this row has more than 16,384 cells.', `a,b\n1${','.repeat(3_000_000)}\n`],
])('rows that no table has are refused: %s', async (message, text) => {
  const cuts = Array.from({ length: text.length / 65_536 }, (_, at) => at * 65_536);
  expect((await refusal(readRecords(text, { delimiter: ',' }, cuts))).message).toBe(message);
});
