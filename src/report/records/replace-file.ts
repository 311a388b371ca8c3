import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { EventregError, EXIT } from '../../errors.ts';
import { isHeldOpen, renameOver, syncFolder } from '../../put-in-place.ts';
import { visible } from '../words/escape.ts';

/**
 * Writes a file (mode 0600) that appears whole or not at all, replacing one of that name; it is on the
 * disk when this resolves. Until then it grows beside its place, under a hidden name. Returns what `write`
 * does; rejects as that does, and with a sentence where the file system refuses.
 */
export async function replaceFile<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await writeBeside(path, write);
  } catch (error) {
    throw isSystemError(error) ? refused(path, error) : error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function refused(path: string, cause: NodeJS.ErrnoException): EventregError {
  const hint =
    cause.syscall === 'rename' && isHeldOpen(cause)
      ? 'Close it in other programs, such as Excel, and run the command again.'
      : 'Make room there, mend the permissions, or choose another place.';
  return new EventregError(EXIT.failed, `${visible(path)} cannot be written: ${visible(cause.message)}.`, {
    hint,
    cause,
  });
}

async function writeBeside<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  const file = await open(draft, 'wx', 0o600);
  try {
    const result = await writeAndClose(file, write);
    renameOver(draft, path);
    syncFolder(dirname(path));
    return result;
  } catch (error) {
    await rm(draft, { force: true, maxRetries: 5 });
    throw error;
  }
}

/** A stream into the file, which stays open. One of the file's own would keep it from being closed once a write has failed. */
export function streamInto(file: FileHandle): Writable {
  const put = (bytes: Buffer, done: (error?: Error | null) => void): void => {
    file.writeFile(bytes).then(() => done(), done);
  };
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => put(chunk, done),
    writev: (chunks: { chunk: Buffer }[], done) => put(Buffer.concat(chunks.map(({ chunk }) => chunk)), done),
  });
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Writes a text that comes in pieces, many of them at once. */
export async function writePieces(
  file: FileHandle,
  pieces: Iterable<string> | AsyncIterable<string>,
  encode: (text: string) => Buffer = (text) => Buffer.from(text),
): Promise<void> {
  let pending = '';
  for await (const piece of pieces) {
    pending += piece;
    if (pending.length < CHUNK_CHARACTERS) continue;
    await file.writeFile(encode(pending));
    pending = '';
  }
  await file.writeFile(encode(pending));
}

async function writeAndClose<T>(file: FileHandle, write: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    const result = await write(file);
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}
