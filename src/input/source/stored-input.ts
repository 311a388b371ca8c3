import { open } from 'node:fs/promises';
import { InputError } from '../../errors.ts';
import { asInputError, type InputSource, readBytes } from './input-source.ts';

/** The bytes of an input, to be read more than once and at any place. */
export interface StoredInput {
  /** As the user gave it, `-` for stdin. */
  file: string;
  /** In bytes. */
  size: number;
  /** The bytes from `from` (0 unless given) up to `to` (the end unless given), chunk by chunk. */
  chunks(from?: number, to?: number): AsyncGenerator<Buffer>;
  /** Bytes `from` to `to`; fewer only at the end of the input. */
  bytes(from: number, to: number): Promise<Buffer>;
  /** Throws an InputError when the file was written to since it was opened. */
  checkUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** Small, so that the rows of a chunk are garbage before the collector sees them twice. */
const CHUNK_BYTES = 16 * 1024;
/** What is asked of a file at once: every request of the disk takes as long as splitting some rows. */
const BLOCK_BYTES = 16 * CHUNK_BYTES;
/** A stream that never ends must not fill the memory. */
const MOST_KEPT = 512 * 1024 ** 2;

/**
 * Opens an input for repeated reading: a plain file where it is, a stream by keeping its bytes in memory. Throws an
 * InputError when it cannot be read.
 */
export async function storeInput(source: InputSource): Promise<StoredInput> {
  return source.path === undefined ? await keepStream(source) : await openPlain(source.path, source);
}

async function openPlain(path: string, { file, stopping }: InputSource): Promise<StoredInput> {
  const explain = (error: unknown): never => {
    throw asInputError(error, file);
  };
  const handle = await open(path, 'r').catch(explain);
  const before = await handle.stat().catch(async (error: unknown) => {
    await handle.close();
    return explain(error);
  });
  const { size } = before;
  const bytes: StoredInput['bytes'] = async (from, to) => {
    stopping?.throwIfAborted();
    const length = Math.max(0, Math.min(to, size) - from);
    const buffer = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await handle.read(buffer, done, length - done, from + done).catch(explain);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return buffer.subarray(0, done);
  };
  return {
    file,
    size,
    bytes,
    async *chunks(from = 0, to = size) {
      for (let at = from; at < to; at += BLOCK_BYTES)
        yield* cut(await bytes(at, Math.min(at + BLOCK_BYTES, to)));
    },
    async checkUnchanged() {
      const now = await handle.stat().catch(explain);
      if (now.size === size && now.mtimeMs === before.mtimeMs) return;
      throw new InputError(`${file}: the file was changed while it was read.`, {
        hint: 'Close it in other programs and run the command again. Nothing was sent.',
      });
    },
    close: () => handle.close(),
  };
}

async function keepStream(source: InputSource): Promise<StoredInput> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of readBytes(source)) {
    kept.push(chunk);
    size += chunk.length;
    if (size <= MOST_KEPT) continue;
    throw new InputError(`${source.file}: this stream is longer than 512 MiB.`, {
      hint: 'Check what writes it; a file of that size can be named instead of a stream.',
    });
  }
  const all = Buffer.concat(kept);
  return {
    file: source.file,
    size,
    async *chunks(from = 0, to = size) {
      yield* cut(all.subarray(from, to));
    },
    bytes: async (from, to) => all.subarray(from, to),
    checkUnchanged: async () => undefined,
    close: async () => undefined,
  };
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
