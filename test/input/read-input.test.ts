import { chmodSync, createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readInput } from '../../src/input/read-input.ts';
import { readAll, readString, refusal, sourceOf } from './open-text.ts';

const SAVE_AS_CSV =
  'Open it in Excel, choose File > Save As, and save it as "CSV UTF-8 (Comma delimited) (*.csv)".';
const SAVE_AS_UTF8 =
  'Save it again as UTF-8: in Excel, File > Save As > "CSV UTF-8 (Comma delimited) (*.csv)".';

describe('the format', () => {
  test.each([
    ['a list', '\n [ {"a":1}]', 'x.csv', 'json'],
    ['an empty list', '[]', 'x', 'json'],
    ['a CSV header in brackets', '[id],name\n1,2\n', 'x.csv', 'csv'],
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
    const opened = await readInput(sourceOf([Buffer.from(text)], file), {
      format: undefined,
      delimiter: undefined,
    });
    expect(opened.format).toBe(format);
  });

  test('of --format wins', async () => {
    const input = await readString('{"a",b\n1,2\n', 'x.json', { format: 'csv', delimiter: ',' }).catch(
      (error: Error) => error.message,
    );
    expect(input).toBe('x.json:1: a cell without quotes round it holds a double quote.');
  });
});

describe('a file that is no text is refused with a remedy:', () => {
  test.each([
    [
      'a workbook',
      [0x50, 0x4b, 3, 4, 20, 0, 0, 0],
      'this is an Excel workbook (.xlsx) or another zip file, not text.',
      SAVE_AS_CSV,
    ],
    ['an empty zip', [0x50, 0x4b, 5, 6, 0, 0, 0, 0], 'this is an empty zip file, not text.', SAVE_AS_CSV],
    [
      'an old workbook',
      [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0],
      'this is an old Excel workbook (.xls) or a workbook with a password, not text.',
      SAVE_AS_CSV,
    ],
    [
      'a PDF',
      [...Buffer.from('%PDF-1.7\n')],
      'this is a PDF file, not text.',
      'Ask for the list as a spreadsheet or as CSV.',
    ],
    [
      'a gzip file',
      [0x1f, 0x8b, 8, 0],
      'this is a gzip file, not text.',
      'Unpack it first, for example with "gunzip".',
    ],
    ['nothing', [], 'the file is empty.', 'Check that this is the right file and that it was saved.'],
    [
      'white space',
      [...Buffer.from('\uFEFF \r\n\t\n')],
      'the file holds nothing but white space.',
      'Check that this is the right file and that it was saved.',
    ],
  ])('%s', async (_, bytes, message, hint) => {
    const whole = await refusal(readString(Uint8Array.from(bytes)));
    expect(whole).toEqual({ message: `attendees.csv: ${message}`, hint, details: [] });
    const single = bytes.map((byte) => Uint8Array.of(byte));
    expect(await refusal(readAll(sourceOf(single, 'attendees.csv'), { format: 'json' }))).toEqual(whole);
  });
});

describe('text in another encoding is refused, naming the first line of it:', () => {
  const latin1 = Buffer.from('name,city\r\nAnn,Ulm\r\nJosé,Köln\r\n', 'latin1');
  const notUtf8 = {
    message: 'attendees.csv:3: this file is not UTF-8: this line holds a character in another encoding.',
    hint: SAVE_AS_UTF8,
    details: [],
  };

  test('Windows-1252, cut anywhere', async () => {
    for (let cut = 0; cut <= latin1.length; cut++) {
      const source = sourceOf([latin1.subarray(0, cut), latin1.subarray(cut)], 'attendees.csv');
      expect(await refusal(readAll(source))).toEqual(notUtf8);
    }
  });

  test('UTF-8 that ends inside a character', async () => {
    expect(await refusal(readString(Buffer.from('a,b\n1,2\n3,é').subarray(0, -1)))).toEqual(notUtf8);
  });

  test('UTF-16 without a byte order mark', async () => {
    expect(await refusal(readString(Buffer.from('a,b\n1,2\n', 'utf16le')))).toEqual({
      message:
        'attendees.csv:1: this line holds a NUL byte, so the file is not text, or it is UTF-16 without a byte order mark.',
      hint: SAVE_AS_UTF8,
      details: [],
    });
  });

  test('a NUL byte in the middle', async () => {
    const { message } = await refusal(readString('a,b\n1,2\n3,\0\n'));
    expect(message).toMatch(/^attendees\.csv:3: this line holds a NUL byte/);
  });

  test.each([
    ['a lone surrogate', Buffer.from('\uFEFFa,b\n1,\ud83d!\n', 'utf16le')],
    ['an odd byte at the end', Buffer.from('\uFEFFa,b\n1,2', 'utf16le').subarray(0, -1)],
  ])('UTF-16 with %s', async (_, bytes) => {
    const { message } = await refusal(readString(bytes));
    expect(message).toBe('attendees.csv:2: this UTF-16 text is damaged: this line holds half a character.');
  });
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

describe('the stream', () => {
  test.each([
    ['CSV', 'x.csv', 'a,b\n', '1,2\n'],
    ['JSON', 'x.json', '[{"a":0}', ',{"a":1}'],
    ['NDJSON', 'x.ndjson', '{"a":0}\n', '{"a":1}\n'],
  ])('of %s is closed when the consumer stops early', async (_, file, start, more) => {
    const stream = Readable.from(endless(start, more.repeat(20_000)));
    const opened = await readInput({ file, open: () => stream }, { format: undefined, delimiter: undefined });
    for await (const batch of opened.batches) if (batch.rows.length > 0) break;
    expect(stream.destroyed).toBe(true);
  });

  test('is closed when the input is refused at once', async () => {
    const stream = Readable.from(endless('a,b;c\n1,2;3\n', '1,2;3\n'.repeat(20_000)));
    const opening = readInput(
      { file: 'x.csv', open: () => stream },
      { format: undefined, delimiter: undefined },
    );
    expect((await refusal(opening)).message).toContain('both fit equally well');
    expect(stream.destroyed).toBe(true);
  });

  test('of JSON is read no further than the format needs before the first batch is asked for', async () => {
    let chunks = 0;
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of endless('[{"a":0}', ',{"a":1}'.repeat(10_000))) {
        chunks++;
        yield chunk;
      }
    };
    const stream = Readable.from(counted(), { highWaterMark: 1 });
    await readInput({ file: '-', open: () => stream }, { format: undefined, delimiter: undefined });
    expect(chunks).toBeLessThan(5);
    stream.destroy();
  });
});

async function* endless(start: string, more: string): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  while (true) yield Buffer.from(more);
}
