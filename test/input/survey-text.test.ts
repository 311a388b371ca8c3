import { describe, expect, test } from 'vitest';
import { decodedChunks } from '../../src/input/text/decoded-chunks.ts';
import { surveyText } from '../../src/input/survey-text.ts';
import { readRecords, storedBytes, survey } from './open-records.ts';
import { refusal } from './open-text.ts';

const FOUND_OUT = { format: undefined, encoding: undefined, delimiter: undefined, quote: undefined };

describe('a survey', () => {
  test('of JSON knows the encoding and no dialect', async () => {
    expect(await survey(Buffer.from('\uFEFF[{"a":"é"}]'), {}, 'a.json')).toEqual({
      format: 'json',
      encoding: 'utf-8',
      dialect: undefined,
      remarks: [],
    });
    expect(await survey(Buffer.from('[{"a":"José Müller Peña"}]', 'latin1'))).toMatchObject({
      format: 'json',
      encoding: 'windows-1252',
    });
  });

  test('of JSON asks for the encoding all the same', async () => {
    const { message } = await refusal(survey(Buffer.from('[{"a":"Hélène"}]', 'latin1')));
    expect(message).toContain('Windows-1252 or Windows-1250');
  });

  test('takes the format from --set format', async () => {
    expect((await survey('{"a",b\n', { format: 'csv' })).format).toBe('csv');
  });

  test('is not deceived by a delimiter inside a byte order mark of UTF-16 or its characters', async () => {
    // U+2C3B holds the bytes of both a comma and a semicolon.
    const bytes = Buffer.from('\uFEFFa;\u2C3B\n\u2C3B;\u2C3B\u2C3B\n', 'utf16le');
    expect((await readRecords(bytes)).records).toEqual([
      [1, 'a', '\u2C3B'],
      [2, '\u2C3B', '\u2C3B\u2C3B'],
    ]);
  });

  test('looks at the end of the text too', async () => {
    const bytes = Buffer.concat([Buffer.from('a,b\n'.repeat(50_000)), Buffer.from('Pe\xf1a,b\n', 'latin1')]);
    expect(await survey(bytes)).toMatchObject({
      encoding: 'windows-1252',
      remarks: ['Read as Windows-1252: "Peña" (line 50001 is the first).'],
    });
  });

  test('refuses a NUL byte far below before anything is read', async () => {
    const input = storedBytes(Buffer.from(`${'a,b\n'.repeat(50_000)}\0`), [65_536]);
    expect((await refusal(surveyText(input, FOUND_OUT))).message).toMatch(/^a\.csv:50001: .* NUL byte/);
  });

  test.each([
    ['', 'the file is empty.'],
    ['\uFEFF \r\n\t', 'the file holds nothing but white space.'],
    [Buffer.from('\uFEFF \r\n', 'utf16le'), 'the file holds nothing but white space.'],
  ])('of nothing is refused: %j', async (text, message) => {
    expect((await refusal(survey(text))).message).toBe(`a.csv: ${message}`);
  });

  test('finds a table below a megabyte of blank lines', async () => {
    const { records } = await readRecords(`${'\n'.repeat(1_100_000)}a;b\n1;2\n`, {}, [65_536, 1_090_000]);
    expect(records.slice(-2)).toEqual([
      [1_100_001, 'a', 'b'],
      [1_100_002, '1', '2'],
    ]);
  });
});

test('Decoded chunks are UTF-8 without mark, cut between characters, and can be had again', async () => {
  const input = storedBytes(Buffer.from('\uFEFFé💥'), [4, 6, 7]);
  const { encoding } = await surveyText(input, FOUND_OUT);
  for (let time = 0; time < 2; time++) {
    const pieces: string[] = [];
    for await (const piece of decodedChunks(input, encoding)) pieces.push(piece.toString());
    expect(pieces).toEqual(['é', '💥']);
  }
});

test('A mark of another encoding is text like any other', async () => {
  const pieces: string[] = [];
  for await (const piece of decodedChunks(storedBytes(Buffer.from('\uFEFFa')), 'windows-1252')) {
    pieces.push(piece.toString());
  }
  expect(pieces.join('')).toBe('ï»¿a');
});
