import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { QuestionError } from '../../../src/input/source/question-error.ts';
import { readRecords, survey } from '../open-records.ts';
import { refusal } from '../open-text.ts';

async function delimiterOf(text: string, flag?: string): Promise<string | undefined> {
  return (await survey(text, { delimiter: flag })).dialect?.delimiter;
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
    ['quotes that only one delimiter explains', 'a,b;c\n"1",2;3\n', ','],
    ['a comma in the header only', 'Name, first;E-mail;City\nAnn;a@x.org;Ulm\n', ';'],
    ['times in one column', 'time\n10:00:00\n', ','],
    ['spaces in a header', 'First name;Company name\nAnn;ACME Ltd\n', ';'],
    ['one column', 'email\na@example.com\n', ','],
    ['semicolons in some cells of one column', 'notes\na; b\nc\nd\n', ','],
    ['a header alone', 'a;b;c', ';'],
    ['a preamble', 'Attendees, all\n\na;b\n1;2\n3;4\n5;6\n', ';'],
    ['a preamble longer than the table', 'Fair\nHall 3\nMay\nUlm\n\na;b;c\n1;2;3\n', ';'],
    ['rows one of which is ragged', 'a,b;c\n1,2;3\n1,2,4;3\n', ';'],
    ['wider rows of equal agreement', 'a;b;c,d\n1;2;3,4\n', ';'],
    ['a preamble as long as the table', 'Fair\nUlm\na;b\n1;2\n', ';'],
    ['wider rows that not all rows are', 'a;b\n1,x,y;2\n3,x,y;4\n5;6\n', ';'],
    ['quotes that open behind one delimiter', 'a,b;c\n1,2;"x"\n', ';'],
    ['wide rows amid those of one column', 'notes\nx\ny\nz\na; b; c\ne; f; g\nd\n', ','],
    ['a wide row below those of one column', 'notes\nx\ny\na; b; c\n', ','],
    ['a quote that is never closed', 'a;b\n1;"2\n3,4\n', ';'],
    ['cells that change far below', `${'a,b;c\n'.repeat(40_000)}a;b\n`, ';'],
  ])('is found among %s', async (_, text, delimiter) => {
    expect(await delimiterOf(text)).toBe(delimiter);
  });

  test.each([
    [';', ';'],
    ['tab', '\t'],
    ['\\t', '\t'],
    ['§', '§'],
  ])('may be said with --set delimiter=%s', async (flag, delimiter) => {
    expect(await delimiterOf('a,b\n', flag)).toBe(delimiter);
  });

  test.each(['', ';;', '"', '\n'])('may not be said with --set delimiter=%j', async (flag) => {
    await expect(delimiterOf('a,b\n', flag)).rejects.toThrow(UsageError);
  });

  test('is asked for when two fit equally well', async () => {
    const error: unknown = await survey('name,city;country\nAnn,Ulm;DE\n').catch((reason: unknown) => reason);
    if (!(error instanceof QuestionError)) throw new Error('no question', { cause: error });
    const answers = [',', ';'].map((sign) => ({
      label: `cells are separated by "${sign}"`,
      flag: `--set delimiter="${sign}"`,
      option: 'delimiter',
      value: sign,
    }));
    const text = 'a.csv: the cells may be separated by "," or by ";": both fit equally well.';
    const details = ['by ",": [name] [city;country]', 'by ";": [name,city] [country]'];
    expect(error.questions).toEqual([{ text, details, answers }]);
  });

  test('is asked for together with the encoding', async () => {
    const bytes = Buffer.from('name\tHélène|x\nAnn\tUlm|DE\n', 'latin1');
    const { message, details } = await refusal(survey(bytes));
    expect(message).toContain('it may be Windows-1252 or Windows-1250');
    expect(details).toContain('  by tab: [name] [Hélène|x]');
    expect(details.filter((line) => line.startsWith('  --'))).toHaveLength(4);
  });

  test.each([
    ['sep=;\na,x;b,y\n1,1;2\n', ';', [2, 'a,x', 'b,y']],
    ['"sep=\t"\r\na\tb\r\n1\t2\r\n', '\t', [2, 'a', 'b']],
    ['SEP=,\na,b\n1,2\n', ',', [2, 'a', 'b']],
    ['\uFEFFsep=§\ra§b\r', '§', [2, 'a', 'b']],
    ['sep=|', '|', undefined],
  ])('is taken from a sep= line, which is no record: %j', async (text, delimiter, first) => {
    const { survey, records } = await readRecords(text);
    expect(survey.dialect?.delimiter).toBe(delimiter);
    expect(records[0]).toEqual(first);
  });

  test('of the flag wins over the sep= line, which is skipped all the same', async () => {
    const { records } = await readRecords('sep=;\na,b;c\n', { delimiter: ',' });
    expect(records).toEqual([[2, 'a', 'b;c']]);
  });
});

describe('--set quote', () => {
  test('may be another sign', async () => {
    const { records } = await readRecords("a,b\n'1,5','it''s'\n2,5\" pipe\n", { quote: "'" });
    expect(records).toEqual([
      [1, 'a', 'b'],
      [2, '1,5', "it's"],
      [3, '2', '5" pipe'],
    ]);
  });

  test('none takes quotes for characters', async () => {
    const { records, survey } = await readRecords('a;b\n"1;5" pipe\n', { quote: 'none' });
    expect(survey.dialect).toEqual({ delimiter: ';', quote: undefined, skipBytes: 0, firstLine: 1 });
    expect(records).toEqual([
      [1, 'a', 'b'],
      [2, '"1', '5" pipe'],
    ]);
  });

  test.each(['', '""', 'a', '«', '\n'])('may not be %j', async (quote) => {
    await expect(survey('a,b\n', { quote })).rejects.toThrow(UsageError);
  });

  test('may not be the delimiter', async () => {
    expect((await refusal(survey('sep=;\na;b\n', { quote: ';' }))).message).toBe(
      'a.csv: ";" cannot both separate the cells and enclose them.',
    );
  });
});
