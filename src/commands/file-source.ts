import { closeSync, constants, createReadStream, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { InputSource } from '../input/read-input.ts';
import type { Runtime } from '../runtime.ts';

/** A file named on the command line, `-` for standard input; reading it ends at once on Ctrl-C. */
export function toSource(file: string, runtime: Runtime): InputSource {
  const { stopping, stdin, cwd } = runtime;
  if (file === '-') return { file, open: () => stdin, stopping };
  const path = resolve(cwd, file);
  return { file, path: isPlainFile(path) ? path : undefined, open: () => openFile(path, stopping), stopping };
}

/**
 * False also where nothing can be said: opening it will tell why. Some systems tell what they know in
 * files that say to be empty; those are read as streams.
 */
function isPlainFile(path: string): boolean {
  try {
    const found = statSync(path);
    return found.isFile() && found.size > 0;
  } catch {
    return false;
  }
}

/**
 * Opening a pipe that nobody writes to blocks a thread that even the end of the process waits for;
 * opening its other end lets it go.
 */
function openFile(path: string, stopping: AbortSignal): Readable {
  stopping.throwIfAborted();
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() === true) {
    stopping.addEventListener('abort', () => letGo(path, LET_GO_TRIES));
  }
  return createReadStream(path);
}

const LET_GO_TRIES = 100;
const LET_GO_PAUSE_MS = 10;

/** Opens the other end of a pipe for a moment. The thread that is to be let go may be about to open it only now. */
function letGo(path: string, tries: number): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO' || tries === 0) return;
    setTimeout(() => letGo(path, tries - 1), LET_GO_PAUSE_MS).unref();
  }
}
