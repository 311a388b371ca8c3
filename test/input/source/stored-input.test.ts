import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type StoredInput, storeInput } from '../../../src/input/source/stored-input.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { refusal } from '../open-text.ts';

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function store(how: 'file' | 'stream', bytes: Buffer): Promise<StoredInput> {
  const path = join(temporaryDirectory(), 'guests.csv');
  writeFileSync(path, bytes);
  const open = () => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]);
  const input = await storeInput({ file: 'guests.csv', path: how === 'file' ? path : undefined, open });
  onTestFinished(() => input.close());
  return input;
}

describe.each(['file', 'stream'] as const)('from a %s', (how) => {
  test.each([1000, 9 * 1024 * 1024])(
    '%i bytes are read again and again, whole and in parts',
    async (size) => {
      const bytes = Buffer.alloc(size, 'abcdefghijklm');
      const input = await store(how, bytes);
      expect(input.size).toBe(size);
      for (let time = 0; time < 2; time += 1) expect((await all(input.chunks())).equals(bytes)).toBe(true);
      const range = fc.tuple(fc.nat(size), fc.nat(200_000));
      await fc.assert(
        fc.asyncProperty(range, async ([from, length]) => {
          const expected = bytes.subarray(from, from + length);
          expect((await input.bytes(from, from + length)).equals(expected)).toBe(true);
          expect((await all(input.chunks(from, Math.min(size, from + length)))).equals(expected)).toBe(true);
        }),
        { numRuns: 30 },
      );
      await input.checkUnchanged();
    },
  );

  test('nothing is nothing', async () => {
    const input = await store(how, Buffer.alloc(0));
    expect(input.size).toBe(0);
    expect(await all(input.chunks())).toHaveLength(0);
  });
});

test('A file that is written to while it is read is refused', async () => {
  const path = join(temporaryDirectory(), 'guests.csv');
  writeFileSync(path, 'a,b\n1,2\n');
  const input = await storeInput({ file: 'guests.csv', path, open: () => Readable.from([]) });
  onTestFinished(() => input.close());
  appendFileSync(path, '3,4\n');
  expect(await refusal(input.checkUnchanged())).toEqual({
    message: 'guests.csv: the file was changed while it was read.',
    hint: 'Close it in other programs and run the command again. Nothing was sent.',
    details: [],
  });
});

test('A file that is not there is refused', async () => {
  const path = join(temporaryDirectory(), 'absent.csv');
  const { message } = await refusal(storeInput({ file: 'absent.csv', path, open: () => Readable.from([]) }));
  expect(message).toBe('absent.csv: there is no such file.');
});

test('Reading a file ends when it is told to', async () => {
  const path = join(temporaryDirectory(), 'guests.csv');
  writeFileSync(path, 'a,b\n1,2\n');
  const stop = new AbortController();
  const open = () => Readable.from([]);
  const input = await storeInput({ file: 'guests.csv', path, open, stopping: stop.signal });
  onTestFinished(() => input.close());
  stop.abort(new Error('told to'));
  await expect(all(input.chunks())).rejects.toThrow('told to');
});

test('A stream without end is refused', async () => {
  const open = () => Readable.from(Array.from({ length: 9 }, () => Buffer.alloc(64 * 1024 ** 2)));
  expect((await refusal(storeInput({ file: '-', open }))).message).toBe(
    '-: this stream is longer than 512 MiB.',
  );
});
