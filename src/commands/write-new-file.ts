import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GuardError, UsageError } from '../errors.ts';
import { visible } from '../report/escape.ts';
import type { Runtime } from '../runtime.ts';
import type { GlobalOptions } from './options.ts';
import { confirm } from './terminal.ts';

/**
 * Writes a file that is not there yet; one that is there is replaced only after a yes. Throws
 * GuardError without one (exit 7), UsageError when the file cannot be written.
 */
export async function writeNewFile(
  file: string,
  content: string | Uint8Array,
  options: GlobalOptions,
  runtime: Runtime,
): Promise<void> {
  const path = resolve(runtime.cwd, file);
  try {
    // The flag, not a look beforehand: whatever appears in between is not overwritten either.
    await writeFile(path, content, { flag: 'wx' });
    return;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw cannotWrite(file, error);
  }
  if (!(await confirm(options, runtime, `${visible(file)} is there already. Overwrite it?`))) {
    throw new GuardError(`${visible(file)} is left as it is.`);
  }
  await writeFile(path, content).catch((error: unknown) => {
    throw cannotWrite(file, error);
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}

function cannotWrite(file: string, cause: unknown): UsageError {
  return new UsageError(`${visible(file)} cannot be written (${codeOf(cause)}).`, {
    hint: 'Check the folder and its permissions.',
    cause,
  });
}
