import { chmodSync, createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeText } from '../../src/input/text/encoding.ts';
import { survey } from './open-records.ts';
import { readAll, readString, refusal, sourceOf } from './open-text.ts';

const SAVE_AS_XLSX =
  'Open it in Excel, choose File > Save As, and save it as "Excel Workbook (.xlsx)" or as "CSV UTF-8 (Comma delimited) (*.csv)".';
const GET_AGAIN =
  'Get the file once more; or open it in a spreadsheet program, save it under another name as "Excel Workbook (.xlsx)", and use that.';

describe('the format', () => {
  test.each([
    ['a list', '\n [ {"a":1}]', 'x.csv', 'json'],
    ['an empty list', '[]', 'x', 'json'],
    ['a broken list in a file called .json', '[id', 'x.json', 'json'],
    ['an object a line', '{"a":1}\n{"a":2}\n', 'x.json', 'ndjson'],
    ['a single object', '{"a":1}', 'x.txt', 'ndjson'],
    ['a bad first line of NDJSON', '{"a":nul}\n{"a":2}\n', 'x', 'ndjson'],
    ['a list in an object on many lines', '{\n"data": [{"a":1}]}', 'x', 'json'],
    ['a list in an object on one line', '{"data": [{"a":1}]}', 'x.ndjson', 'json'],
    ['words in a file called .json', 'hello', 'x.JSON', 'json'],
    ['words in a file called .jsonl', 'hello', 'x.jsonl', 'ndjson'],
    ['words', 'hello', '-', 'csv'],
  ])('of %s is told from the content', async (_, text, file, format) => {
    expect((await survey(text, {}, file)).format).toBe(format);
    const utf16 = encodeText(text, 'utf-16le');
    expect((await survey(utf16, {}, file)).format).toBe(format);
  });

  test('of --set format wins', async () => {
    const input = await readString('{"a",b\n1,2\n', 'x.json', { format: 'csv', delimiter: ',' }).catch(
      (error: Error) => error.message,
    );
    expect(input).toBe('x.json:1: a cell without quotes round it holds a double quote.');
  });
});

test.each([
  [
    'this workbook is damaged: its table of contents is cut off or makes no sense.',
    [0x50, 0x4b, 3, 4, 20, 0, 0, 0],
    GET_AGAIN,
  ],
  [
    'this is an old Excel workbook (.xls) or a workbook with a password.',
    [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0],
    `${SAVE_AS_XLSX} A password must be taken off.`,
  ],
  ['this is a PDF file.', [...Buffer.from('%PDF-1.7\n')], 'Ask for the list as a spreadsheet or as CSV.'],
  ['this is a gzip file.', [0x1f, 0x8b, 8, 0], 'Unpack it first, for example with "gunzip".'],
  ['the file is empty.', [], 'Check that this is the right file and that it was saved.'],
  [
    'the file holds nothing but white space.',
    [...Buffer.from('\uFEFF \r\n\t\n')],
    'Check that this is the right file and that it was saved.',
  ],
])('a file that is no text is refused with a remedy: %s', async (message, bytes, hint) => {
  const whole = await refusal(readString(Uint8Array.from(bytes)));
  expect(whole).toEqual({ message: `attendees.csv: ${message}`, hint, details: [] });
  const single = bytes.map((byte) => Uint8Array.of(byte));
  expect(await refusal(readAll(sourceOf(single, 'attendees.csv'), { format: 'json' }))).toEqual(whole);
});

describe('a path', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'input-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const open = (path: string) => readAll({ file: path, open: () => createReadStream(path) });

  test('is read', async () => {
    const path = join(folder, 'people.csv');
    writeFileSync(path, 'a,b\n1,2\n');
    expect((await open(path)).rows).toEqual([
      { place: { file: path, line: 2 }, columns: ['a', 'b'], cells: ['1', '2'] },
    ]);
  });

  test('that does not exist is refused', async () => {
    const path = join(folder, 'absent.csv');
    expect(await refusal(open(path))).toEqual({
      message: `${path}: there is no such file.`,
      hint: 'Check the name and the folder; a name with spaces must be in quotes.',
      details: [],
    });
  });

  test('of a folder is refused', async () => {
    expect(await refusal(open(folder))).toEqual({
      message: `${folder}: this is a folder, not a file.`,
      hint: 'Name the file inside the folder.',
      details: [],
    });
  });

  test('without permission is refused', async () => {
    const path = join(folder, 'locked.csv');
    writeFileSync(path, 'a,b\n');
    chmodSync(path, 0);
    // Root reads every file: there the error is made as the system would make it.
    const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' });
    const stream = new Readable({ read: (): void => void stream.destroy(denied) });
    const source = { file: path, open: () => stream };
    expect(await refusal(readAll(source))).toEqual({
      message: `${path}: no permission to read this file.`,
      hint: 'Change its permissions, and close it in other programs.',
      details: [],
    });
  });

  test('that fails half-way is refused with the code of the system', async () => {
    const failing = () =>
      Readable.from(
        (async function* (): AsyncGenerator<Buffer> {
          yield Buffer.from('a,b\n1,2\n'.repeat(10_000));
          throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' });
        })(),
      );
    const { message } = await refusal(readAll({ file: 'disk.csv', open: failing }));
    expect(message).toBe('disk.csv: the file cannot be read (EIO).');
  });
});

test('A list that is too large to be kept is read again, and gives the same', async () => {
  const lines = Array.from({ length: 6000 }, (_, n) => `${n},${'x'.repeat(1000)}`);
  const { rows } = await readString(`id,note\n${lines.join('\n')}\n`);
  expect(rows).toHaveLength(6000);
});
