import { constants, lstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GuardError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import type { GlobalOptions } from '../options/options.ts';
import { confirm } from '../terminal/terminal.ts';

/**
 * Writes a file that is not there yet; one that is there is replaced only after a yes. No link is followed.
 * Throws GuardError without the yes (exit 7), UsageError when the file cannot be written.
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
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`${visible(file)} is there already and is not a plain file.`, {
      hint: 'Choose another name: symbolic links are not followed.',
    });
  }
  if (!(await confirm(options, runtime, `${visible(file)} is there already. Overwrite it?`))) {
    throw new GuardError(`${visible(file)} is left as it is.`);
  }
  await writeFile(path, content, { flag: OVERWRITE }).catch((error: unknown) => {
    throw cannotWrite(file, error);
  });
}

/** The file itself, should a link have taken its place since. Windows does not know the flag. */
const OVERWRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}

function cannotWrite(file: string, cause: unknown): UsageError {
  return new UsageError(`${visible(file)} cannot be written (${codeOf(cause)}).`, {
    hint: 'Check the folder and its permissions.',
    cause,
  });
}
