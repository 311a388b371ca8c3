import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory of the owner's own (0700) with those above it, where they are missing. Throws as the file
 * system does. Node's own way does not end where nothing can be made, as below /proc.
 */
export function makeDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  const above = dirname(directory);
  if (above !== directory) makeDirectory(above);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isDirectory(directory)) throw error;
  }
}

/** Throws what is wrong other than that there is nothing. */
const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
