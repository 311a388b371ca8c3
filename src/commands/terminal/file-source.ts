import { closeSync, constants, createReadStream, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { InputSource } from '../../input/source/input-source.ts';
import type { Runtime } from '../../runtime.ts';

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
  const isPipe = statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
  const stream = createReadStream(path);
  if (isPipe) stopping.addEventListener('abort', () => stream.pending && letGo(path));
  return stream;
}

const LET_GO_TRIES = 100;
const LET_GO_PAUSE_MS = 10;

/**
 * Opens the other end of a pipe for a moment. The thread that is to be let go may be about to open it only now: it
 * is waited for here, as the process may end before a timer comes.
 */
function letGo(path: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < LET_GO_TRIES; tries += 1) {
    try {
      closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') return;
      Atomics.wait(pause, 0, 0, LET_GO_PAUSE_MS);
    }
  }
}

/** All of standard input as text; a wrong file piped in is not read further than a little beyond `mostBytes`. */
export async function readStdin(stdin: AsyncIterable<string | Buffer>, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk);
    chunks.push(part);
    bytes += part.length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
