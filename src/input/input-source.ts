import type { Readable } from 'node:stream';
import { EventregError, InputError } from '../errors.ts';

/** Where the bytes of one input come from. */
export interface InputSource {
  /** As the user gave it, `-` for stdin. */
  file: string;
  /** Where a plain file is; undefined for standard input, pipes and devices. */
  path?: string | undefined;
  /** Starts reading; called once, and not at all for a plain file. */
  open(): Readable;
  /** Ends the reading at once when it aborts, also while the source says nothing. */
  stopping?: AbortSignal;
}

/**
 * The bytes of a source, chunk by chunk. Throws an InputError when the file cannot be opened or read.
 * Ending the iteration early destroys the stream.
 */
export async function* readBytes(source: InputSource): AsyncGenerator<Buffer> {
  const stream = source.open();
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  const stopped = untilAborted(source.stopping);
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), stopped.promise]);
      if (next.done === true) return;
      yield typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
    }
  } catch (error) {
    throw asInputError(error, source.file);
  } finally {
    stopped.release();
    // Not awaited: a pipe that nobody writes to may never let go.
    stream.destroy();
  }
}

/** Rejects with the signal's reason when it aborts; never resolves. */
function untilAborted(signal: AbortSignal | undefined): { promise: Promise<never>; release: () => void } {
  let release = (): void => undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) fail();
    signal?.addEventListener('abort', fail);
    release = () => signal?.removeEventListener('abort', fail);
  });
  promise.catch(() => undefined);
  return { promise, release };
}

/** Errors of the file system become sentences; anything else stays what it is. */
export function asInputError(error: unknown, file: string): unknown {
  if (error instanceof EventregError || !isSystemError(error)) return error;
  const cause = { cause: error };
  switch (error.code) {
    case 'ENOENT':
      return new InputError(`${file}: there is no such file.`, {
        ...cause,
        hint: 'Check the name and the folder; a name with spaces must be in quotes.',
      });
    case 'EISDIR':
      return new InputError(`${file}: this is a folder, not a file.`, {
        ...cause,
        hint: 'Name the file inside the folder.',
      });
    case 'EACCES':
    case 'EPERM':
      return new InputError(`${file}: no permission to read this file.`, {
        ...cause,
        hint: 'Change its permissions, and close it in other programs.',
      });
    default:
      return new InputError(`${file}: the file cannot be read (${error.code}).`, cause);
  }
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
