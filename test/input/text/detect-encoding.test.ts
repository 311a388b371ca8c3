import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { encodeText, type Encoding } from '../../../src/input/text/encoding.ts';
import { QuestionError } from '../../../src/input/source/question-error.ts';
import { readRecords, survey } from '../open-records.ts';
import { refusal } from '../open-text.ts';
import { choice } from '../../support/choice-question.ts';

const ENCODINGS: readonly Encoding[] = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'macintosh',
];
const SAVE_AS_UTF8 =
  'Save it again as UTF-8: in Excel, File > Save As > "CSV UTF-8 (Comma delimited) (*.csv)".';

/** The words, one a line, below a header. */
function listOf(words: string): string {
  return `Name\n${words.split(' ').join('\n')}\n`;
}

describe('the encoding', () => {
  test.each<[Encoding, string]>([
    ['utf-8', 'José Łódź 山田'],
    ['utf-16le', 'José Łódź Ann'],
    ['utf-16be', 'José Łódź Ann'],
    ['utf-16be', 'Ānna Ann'],
    ['windows-1252', 'José Müller Peña'],
    ['windows-1252', 'José Köln Müller Peña'],
    ['windows-1252', 'Hélène François Benoît l’été'],
    ['windows-1252', 'João Conceição Simões'],
    ['windows-1252', 'Sørensen Jørgensen Åse Björn'],
    ['windows-1252', 'MÜLLER Große ÅSE PEÑA'],
    ['windows-1252', 'RENé FRANçOIS'],
    ['windows-1252', 'Guðrún Þór'],
    ['windows-1252', '5€ O’Brien “Ann” – ½ 1º Ann\u00A0Lee'],
    ['windows-1252', 'Kovács José'],
    ['windows-1250', 'Zieliński Łódź Wójcik'],
    ['windows-1250', 'Zieliński Gdańsk Kučera Müller'],
    ['windows-1250', 'Dvořák Příští Němec'],
    ['windows-1250', 'Kovačić Petrović Đorđević'],
    ['windows-1250', 'Szőke Kovács Fűrész'],
    ['windows-1250', 'Măriuţa Bălan Ionuţ'],
    ['macintosh', 'José Köln Müller Peña'],
    ['macintosh', 'Hélène François Benoît l’été'],
    ['macintosh', 'García María'],
    ['macintosh', 'João Conceição'],
    ['macintosh', 'Åse Sørensen Björn'],
  ])('%s of %s is found, or one that reads the same', async (encoding, words) => {
    const bytes = encodeText(listOf(words), encoding);
    const { records } = await readRecords(bytes, { delimiter: ',' });
    expect(records.flatMap(([, ...cells]) => cells)).toEqual(['Name', ...words.split(' ')]);
  });

  test('that was guessed is told with words and the first line', async () => {
    const bytes = encodeText('Name;City\r\n"Ann\r\nLee";Ulm\r\nJosé;Ulm\r\nMüller;1,5€\r\n', 'windows-1252');
    expect(await survey(bytes)).toMatchObject({
      encoding: 'windows-1252',
      remarks: ['Read as Windows-1252: "José", "Müller", "5€" (line 4 is the first).'],
    });
    expect((await survey(encodeText('a,b\n', 'utf-16le'))).remarks).toEqual([
      'Read as UTF-16 LE, without a byte order mark.',
    ]);
  });

  test.each([
    ['Hélène', 'windows-1252', ['windows-1252', 'windows-1250'], '"Hélène"', '"Hélčne"'],
    ['it’s', 'windows-1252', ['windows-1252', 'macintosh'], '"it’s"', '"itís"'],
    ['RENé', 'macintosh', ['windows-1252', 'macintosh'], '"RENŽ"', '"RENé"'],
  ] as const)('of %s in %s is asked for', async (word, encoding, [first, second], one, other) => {
    const error: unknown = await survey(encodeText(listOf(word), encoding)).catch(
      (reason: unknown) => reason,
    );
    if (!(error instanceof QuestionError)) throw new Error('no question', { cause: error });
    const question = choice(error.questions[0]);
    expect(question.text).toMatch(/^a\.csv:2: this file is not UTF-8; it may be .* or /);
    expect(question.answers).toMatchObject([
      { flag: `--set encoding=${first}`, option: 'encoding', value: first },
      { flag: `--set encoding=${second}`, option: 'encoding', value: second },
    ]);
    expect(question.answers[0]?.label).toContain(one);
    expect(question.answers[1]?.label).toContain(other);
  });

  test('is found out from the last word too, and from one of any length', async () => {
    for (const text of ['Name\nPe\xf1a', `Name\n${'a'.repeat(400)}\xf1a\nPe\xf1a\n`]) {
      const { encoding, remarks } = await survey(Buffer.from(text, 'latin1'));
      expect([encoding, remarks[0]]).toEqual(['windows-1252', expect.stringContaining('ña" (line 2 is')]);
    }
  });

  test('is not decided by a byte order mark inside the text', async () => {
    const { records } = await readRecords('a,b\n\uFEFF1,2\n');
    expect(records).toEqual([
      [1, 'a', 'b'],
      [2, '\uFEFF1', '2'],
    ]);
  });
});

describe('--set encoding', () => {
  test.each<[string, Encoding]>([
    ['latin1', 'windows-1252'],
    ['ISO-8859-1', 'windows-1252'],
    ['CP1252', 'windows-1252'],
    ['cp1250', 'windows-1250'],
    ['Mac', 'macintosh'],
    ['utf8', 'utf-8'],
    ['UTF-16LE', 'utf-16le'],
    ['utf-16be', 'utf-16be'],
  ])('%s reads %s', async (flag, encoding) => {
    const { records, survey } = await readRecords(encodeText('a,é\n', encoding), { encoding: flag });
    expect(records).toEqual([[1, 'a', 'é']]);
    expect(survey).toMatchObject({ encoding, remarks: [] });
  });

  test('that is not known is refused', async () => {
    await expect(survey('a,b\n', { encoding: 'utf-7' })).rejects.toThrow(UsageError);
  });

  test.each([
    ['utf-8', Buffer.from('a\nJos\xe9\n', 'latin1'), '2: this file is not UTF-8:'],
    [
      'windows-1252',
      Buffer.from('a\rb\r\x81\n', 'latin1'),
      '3: this file is not Windows-1252: the byte 0x81',
    ],
    ['windows-1250', Buffer.from('a\r\n\r\n\x83\n', 'latin1'), '3: this file is not Windows-1250:'],
    ['utf-16le', Buffer.from('a\n', 'utf16le').subarray(0, 3), '1: this UTF-16 text is damaged:'],
    ['windows-1252', Buffer.from('a\n\0\n'), '2: this line holds a NUL byte'],
  ])('%s is refused where it does not fit, naming the line', async (encoding, bytes, message) => {
    expect((await refusal(survey(bytes, { encoding }))).message).toContain(`a.csv:${message}`);
  });

  test('is refused with the right line, wherever the text is cut', async () => {
    const reading = readRecords(Buffer.from('a\nb\n\x81', 'latin1'), { encoding: 'latin1' }, [2, 3]);
    expect((await refusal(reading)).message).toMatch(/^a\.csv:3: /);
  });

  test('that contradicts the byte order mark is refused', async () => {
    expect(await refusal(survey('\uFEFFa,b\n', { encoding: 'latin1' }))).toMatchObject({
      message: 'a.csv: this file says with its first bytes that it is UTF-8, not Windows-1252.',
      hint: 'Leave --set encoding out.',
    });
  });
});

describe('a text is refused, naming the first line in question,', () => {
  test('when most of it is UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('a\nJosé Müller\n'), Buffer.from('Peña\n', 'latin1')]);
    expect((await refusal(survey(bytes))).message).toBe(
      'a.csv:3: this file mixes encodings: much of it is UTF-8, but this line holds a character in another one.',
    );
  });

  test('when UTF-8 ends inside a character', async () => {
    const bytes = Buffer.from('José,Müller\nAnn,Ö');
    expect((await refusal(survey(bytes.subarray(0, -1)))).message).toMatch(/^a\.csv:2: this file mixes/);
  });

  test('when a mass of words is followed by a byte that stands for nothing', async () => {
    const words = Array.from({ length: 6000 }, (_, at) => `José${at}`).join('\n');
    const bytes = Buffer.from(`a\n${words}\n\x81\n`, 'latin1');
    expect((await refusal(survey(bytes))).message).toMatch(/^a\.csv:2: this file is not UTF-8:/);
  });

  test('when UTF-8 follows on a mass of words in another encoding', async () => {
    const words = Array.from({ length: 6000 }, (_, at) => `José${at}`).join('\n');
    const bytes = Buffer.concat([Buffer.from(`a\n${words}\n`, 'latin1'), Buffer.from('Müller\n')]);
    expect((await refusal(survey(bytes))).message).toMatch(/^a\.csv:2: this file is not UTF-8:/);
  });

  test('when its words make sense in no encoding', async () => {
    const cyrillic = Buffer.from([0xd1, 0xe5, 0xf0, 0xe3, 0xe5, 0xe9]);
    const bytes = Buffer.concat([Buffer.from('a\n\n'), cyrillic, Buffer.from('\n')]);
    expect(await refusal(survey(bytes))).toEqual({
      message: 'a.csv:3: this file is not UTF-8: this line holds a character in another encoding.',
      hint: `${SAVE_AS_UTF8} Or name its encoding with --set encoding, where it is one of these: utf-16le, utf-16be, windows-1252, windows-1250, macintosh.`,
      details: [],
    });
  });

  test.each([
    ['a\nb\n\0\n', 3],
    ['ab\0cd', 1],
    ['\0\0\0\0', 1],
  ])('when it holds a NUL byte: %j', async (text, line) => {
    expect((await refusal(survey(text))).message).toBe(
      `a.csv:${line}: this line holds a NUL byte, so the file is damaged or is not text.`,
    );
  });
});

test.each(ENCODINGS)('%s reads the same, cut at every byte and byte by byte', async (encoding) => {
  const mark = encoding.startsWith('utf-16') ? '\uFEFF' : '';
  const text = `${mark}sep=;\r\nNäme;"Nöte ""x"""\r\n\r\n"Björn\r\n\r\nÖse";"a;""b"\r\nJosé;Müller`;
  const bytes = encodeText(text, encoding);
  const whole = await readRecords(bytes);
  expect(whole.survey.dialect).toMatchObject({ delimiter: ';', skipBytes: 7, firstLine: 2 });
  expect(whole.records).toEqual([
    [2, 'Näme', 'Nöte "x"'],
    [3, ''],
    [4, 'Björn\r\n\r\nÖse', 'a;"b'],
    [7, 'José', 'Müller'],
  ]);
  for (let cut = 1; cut < bytes.length; cut++) {
    expect(await readRecords(bytes, {}, [cut]), `cut at ${cut}`).toEqual(whole);
  }
  expect(await readRecords(bytes, {}, [...bytes.keys()])).toEqual(whole);
});
