import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A directory on a disk that a test can fill and make unwritable. */
export interface LimitedDisk {
  directory: string;
  grow(kilobytes: number): void;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives the room back that `fill` has taken. */
  makeRoom(): void;
  setWritable(writable: boolean): void;
}

const FILLER = '.filler';

/** A file system of its own in memory. It is unmounted with the test. */
export function mountedDisk(kilobytes: number): LimitedDisk {
  const directory = join(temporaryDirectory(), 'disk');
  mkdirSync(directory);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=0700`, 'tmpfs', directory]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', directory]);
  });
  return {
    directory,
    grow(kilobytes) {
      execFileSync('mount', ['-o', `remount,size=${kilobytes}k`, directory]);
    },
    fill: () => fill(join(directory, FILLER)),
    makeRoom: () => rmSync(join(directory, FILLER), { force: true }),
    setWritable(writable) {
      execFileSync('mount', ['-o', `remount,${writable ? 'rw' : 'ro'}`, directory]);
    },
  };
}

/** Whether this process may mount: only root may, and not in every container. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const directory = join('/tmp', `eventreg-mount-${process.pid}`);
  mkdirSync(directory);
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', directory], { stdio: 'ignore' });
    execFileSync('umount', [directory]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Takes away, or gives back, the right to write to a directory and what is in it. Does not bind root. */
export function setPermissions(directory: string, writable: boolean): void {
  if (writable) chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) setPermissions(path, writable);
    else chmodSync(path, writable ? 0o600 : 0o400);
  }
  if (!writable) chmodSync(directory, 0o500);
}

/** Writes until nothing more fits, at last byte by byte. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  for (let size = 65_536; size >= 1; ) {
    if (!fits(descriptor, size)) size = Math.floor(size / 2);
  }
  closeSync(descriptor);
}

/** A full disk takes a part of what is written without a word, or throws. */
function fits(descriptor: number, size: number): boolean {
  try {
    return writeSync(descriptor, Buffer.alloc(size, 1)) === size;
  } catch {
    return false;
  }
}
