import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../../make-directory.ts';
import { syncFolder } from '../../put-in-place.ts';

/**
 * Writes lines to a file that is not there yet, readable by the owner only. It is there as a whole or not at
 * all, and on the disk with its folder when this returns; one that is there already with just this content is
 * that. Throws as the file system does.
 */
export function writeDurably(file: string, lines: Iterable<string>): void {
  makeDirectory(dirname(file));
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeLines(temporary, lines);
    putInPlace(temporary, file);
    syncFolder(dirname(file));
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeLines(file: string, lines: Iterable<string>): void {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    for (const line of lines) writeWhole(descriptor, `${line}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A full disk shows as a short count first, and as an error only when nothing more can be written. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    const written = writeSync(descriptor, bytes, at);
    if (written === 0) throw new Error('the disk is full');
    at += written;
  }
}

/** What discs without hard links answer to being asked for one; EISDIR is the word of Windows for FAT. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EISDIR']);

/** Gives the file its name, unless that is taken by something else. A rename would replace it without a word. */
function putInPlace(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST' && sameContent(temporary, file)) return;
    if (!NO_LINKS.has(code)) throw error;
    copyFileSync(temporary, file, constants.COPYFILE_EXCL);
    sync(file);
  }
}

const sameContent = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other));

function sync(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
