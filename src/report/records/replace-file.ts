import { type FileHandle, lstat, mkdtemp, open, opendir, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { EventregError, EXIT } from '../../errors.ts';
import { isHeldOpen, renameOver, syncFolder } from '../../put-in-place.ts';
import { visible } from '../words/escape.ts';

/**
 * Writes a file (mode 0600) that appears whole or not at all, replacing one of that name; it is on the
 * disk when this resolves. Until then it grows beside its place, in a folder that only its owner can
 * enter. Returns what `write` does; rejects as that does, and with a sentence where the file system refuses.
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
  const folder = await mkdtemp(join(dirname(path), DRAFT_FOLDER));
  try {
    await removeStaleDrafts(folder);
    const draft = join(folder, DRAFT);
    const file = await open(draft, 'wx', 0o600);
    const result = await writeAndClose(file, write);
    renameOver(draft, path);
    syncFolder(dirname(path));
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
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
  pieces: Iterable<string>,
  encode: (text: string) => Buffer = (text) => Buffer.from(text),
): Promise<void> {
  let pending = '';
  for (const piece of pieces) {
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

/** Begins the name of the folder in which a file of rejects grows; six characters follow. */
const DRAFT_FOLDER = '.rejects-';
/** The growing file in it. */
const DRAFT = 'draft';

const NAME = /^\.rejects-[A-Za-z0-9]{6}$/;
/** Nobody writes rejects for that long. */
const STALE_MS = 24 * 60 * 60_000;

/**
 * Removes the folders that killed pushes have left beside `own`, the folder of this one: those of the
 * same owner and mode, a day older, with a draft in them or nothing. Never fails, as tidying up is not
 * worth a file of rejects.
 */
async function removeStaleDrafts(own: string): Promise<void> {
  try {
    const parent = dirname(own);
    for await (const { name } of await opendir(parent)) {
      if (NAME.test(name) && name !== basename(own)) await removeIfStale(join(parent, name), own);
    }
  } catch {
    // A folder that may be written to but not be listed.
  }
}

async function removeIfStale(folder: string, own: string): Promise<void> {
  try {
    if (!(await isStale(folder, own))) return;
    const names = await readdir(folder);
    if (names.some((name) => name !== DRAFT)) return;
    // Neither follows a link, and a folder with anything else in it stays.
    for (const name of names) await unlink(join(folder, name));
    await rmdir(folder);
  } catch {
    // Another push has been faster.
  }
}

/** Measured against the newest folder: its time is that of the file system, which may be another machine's. */
async function isStale(folder: string, own: string): Promise<boolean> {
  const [found, newest] = await Promise.all([lstat(folder), lstat(own)]);
  // The mode holds the kind as well: links and files are none of ours.
  const isOurs = found.uid === newest.uid && found.mode === newest.mode;
  return isOurs && newest.mtimeMs - found.mtimeMs > STALE_MS;
}
