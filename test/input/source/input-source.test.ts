import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import { readBytes } from '../../../src/input/source/input-source.ts';

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
