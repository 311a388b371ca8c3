import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { platform } from 'node:os';

/** What Windows answers while another program has one of the two files open. */
const HELD: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);
const TRIES = 50;
const PAUSE_MS = 20;

/** The system under the program, as it is unless a test has another. */
interface System {
  platform: string;
  rename(from: string, to: string): void;
  pause(): void;
}

const REAL: System = {
  platform: platform(),
  rename: renameSync,
  pause: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS),
};

/**
 * Renames a file over another. On Windows a virus scanner or an indexer may have it open for a moment: that is waited
 * for, a second at most. Throws as the file system does.
 */
export function renameOver(from: string, to: string, system: System = REAL): void {
  for (let left = TRIES; ; left -= 1) {
    try {
      system.rename(from, to);
      return;
    } catch (error) {
      if (!isHeldOpen(error, system.platform) || left === 0) throw error;
      system.pause();
    }
  }
}

/** Removes a folder with all that is in it, and waits as `renameOver` does for what is open elsewhere. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: PAUSE_MS });
}

/** Whether that may be because another program has the file open: elsewhere than on Windows it never is. */
export function isHeldOpen(error: unknown, system: string = platform()): boolean {
  return system === 'win32' && HELD.has((error as NodeJS.ErrnoException).code ?? '');
}

/** What systems answer that do not open folders, or do not sync them. */
const NO_FOLDER_SYNC: ReadonlySet<string> = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP']);

/** A new name is on the disk only when its folder is: without this a power cut may take it back. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!NO_FOLDER_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
