import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { InputError, InterruptedError } from '../../../src/errors.ts';
import { asInputError, readBytes } from '../../../src/input/source/input-source.ts';

/** A stream of so many chunks, each made when it is asked for. */
function chunks(count: number): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < count; at++) yield Buffer.alloc(1024, at);
    })(),
    { highWaterMark: 1 },
  );
}

describe('the bytes of a source', () => {
  test('are let go of when they are read, however long the signal lives', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { signal } = new AbortController();
    const seen: WeakRef<Buffer>[] = [];
    let kept = 0;
    for await (const chunk of readBytes({ file: '-', open: () => chunks(50), stopping: signal })) {
      seen.push(new WeakRef(chunk));
      // While it is still being read: at the end everything goes anyway.
      if (seen.length < 50) continue;
      await setImmediate();
      collect();
      kept = seen.filter((one) => one.deref() !== undefined).length;
    }
    expect(seen).toHaveLength(50);
    expect(kept).toBeLessThan(10);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('end at once when the signal aborts, though the source says nothing', async () => {
    const abort = new AbortController();
    const silent = new Readable({ read: () => undefined });
    const next = readBytes({ file: '-', open: () => silent, stopping: abort.signal }).next();
    abort.abort(new InterruptedError());
    await expect(next).rejects.toThrow(InterruptedError);
    expect(silent.destroyed).toBe(true);
    const after = readBytes({ file: '-', open: () => chunks(1), stopping: abort.signal }).next();
    await expect(after).rejects.toThrow(InterruptedError);
  });
});

/** What the file system answers. */
const refusal = (code: string): Error =>
  Object.assign(new Error(`${code}: open 'guests.xlsx'`), { code, syscall: 'open' });

test.each([
  // What Windows says of a list that is open in Excel.
  ['EBUSY', 'guests.xlsx: another program has this file open.', 'Close it there.'],
  ['EPERM', 'guests.xlsx: no permission to read this file.', 'close it in other programs'],
  ['EACCES', 'guests.xlsx: no permission to read this file.', 'close it in other programs'],
  ['ENOENT', 'guests.xlsx: there is no such file.', 'a name with spaces must be in quotes'],
  ['EISDIR', 'guests.xlsx: this is a folder, not a file.', 'Name the file inside the folder.'],
  ['ENAMETOOLONG', 'guests.xlsx: the file cannot be read (ENAMETOOLONG).', ''],
])('a list that cannot be read for %s is told of in a sentence', (code, sentence, hint) => {
  const told = asInputError(refusal(code), 'guests.xlsx') as InputError;
  expect(told).toBeInstanceOf(InputError);
  expect([told.message, told.hint ?? '']).toEqual([sentence, expect.stringContaining(hint)]);
});

test('what is no refusal of the file system stays what it is', () => {
  const error = new TypeError('a mistake of ours');
  expect(asInputError(error, 'guests.xlsx')).toBe(error);
});
