import type { Readable } from 'node:stream';
import { EventregError, InputError } from '../errors.ts';

/** Where the bytes of one input come from. */
export interface InputSource {
  /** As the user gave it, `-` for stdin. */
  file: string;
  /** Starts reading; called once. */
  open(): Readable;
}

/**
 * The bytes of a source, chunk by chunk. Throws an InputError when the file cannot be opened or read.
 * Ending the iteration early destroys the stream.
 */
export async function* readBytes(source: InputSource): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source.open() as AsyncIterable<Buffer | string>) {
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    }
  } catch (error) {
    throw asInputError(error, source.file);
  }
}

/** Errors of the file system become sentences; anything else stays what it is. */
function asInputError(error: unknown, file: string): unknown {
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
