import type { Readable } from 'node:stream';
import { EventregError, InputError } from '../../errors.ts';

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
  try {
    for (;;) {
      const next = await untilAborted(() => chunks.next(), source.stopping);
      if (next.done === true) return;
      yield typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
    }
  } catch (error) {
    throw asInputError(error, source.file);
  } finally {
    // Not awaited: a pipe that nobody writes to may never let go.
    stream.destroy();
  }
}

/** What the work gives, unless the signal aborts first: then its reason is thrown. */
async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work();
  signal.throwIfAborted();
  let abort = (): void => undefined;
  // A promise for each piece of work: one for all would keep every chunk that it was raced with.
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Errors of the file system become sentences; anything else stays what it is. */
export function asInputError(error: unknown, file: string): unknown {
  if (error instanceof EventregError || !isSystemError(error)) return error;
  const [what, hint] = SYSTEM_ERRORS[error.code] ?? [`the file cannot be read (${error.code}).`];
  return new InputError(`${file}: ${what}`, { ...(hint && { hint }), cause: error });
}

const NO_PERMISSION = [
  'no permission to read this file.',
  'Change its permissions, and close it in other programs.',
] as const;

/** What is wrong, and what to do about it, by the code of the system. */
const SYSTEM_ERRORS: Readonly<Record<string, readonly [what: string, hint?: string]>> = {
  ENOENT: ['there is no such file.', 'Check the name and the folder; a name with spaces must be in quotes.'],
  EISDIR: ['this is a folder, not a file.', 'Name the file inside the folder.'],
  // Windows says so of what a program keeps to itself.
  EBUSY: ['another program has this file open.', 'Close it there.'],
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
};

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
