import { statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { type ErrorFacts, GuardError, UsageError } from '../errors.ts';
import { INPUT_FORMATS, type InputFormat, type InputSource } from '../input/read-input.ts';
import { visible } from '../report/escape.ts';
import type { Runtime } from '../runtime.ts';
import { toSource } from './file-source.ts';
import type { GlobalOptions } from './options.ts';
import type { PushCommandOptions } from './push-options.ts';
import { confirm } from './terminal.ts';

/** Where rejected rows go; the format is that of the input when undefined. */
export interface RejectsTarget {
  file: string;
  format: InputFormat | undefined;
}

/** The files of a push: those that are read, and the one that is written. */
export interface PushFiles {
  sources: InputSource[];
  rejects: RejectsTarget | undefined;
}

/** Checks which files are to be read and written, and opens none of them. */
export async function planFiles(options: PushCommandOptions, runtime: Runtime): Promise<PushFiles> {
  const { files, rejects, mapping } = options;
  const sources = toSources(files, runtime);
  if (rejects === undefined) return { sources, rejects: undefined };
  const inputs = mapping === undefined ? files : [...files, mapping];
  return { sources, rejects: await toRejectsTarget(rejects, inputs, options, runtime) };
}

/** The files of a push as sources. Throws UsageError when one is named twice: its people would be too. */
function toSources(files: readonly string[], runtime: Runtime): InputSource[] {
  const named = new Map<string, string>();
  return files.map((file) => {
    const identity = file === '-' ? '-' : identify(resolve(runtime.cwd, file));
    const before = named.get(identity);
    if (before !== undefined) {
      const what = before === file ? `${file} is named twice` : `${before} and ${file} are the same file`;
      throw new UsageError(`${what}.`, { hint: 'Name each file once.' });
    }
    named.set(identity, file);
    return toSource(file, runtime);
  });
}

/** What a path leads to, so that two names of one file are known as such; the path itself when there is nothing. */
function identify(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? path : `${found.dev}:${found.ino}`;
}

/**
 * Checks the place of the rejects file before anything is read. Never one of the files that are read;
 * what is there already may be somebody's mended work, so replacing it needs a yes.
 */
async function toRejectsTarget(
  file: string,
  inputs: readonly string[],
  options: GlobalOptions,
  runtime: Runtime,
): Promise<RejectsTarget> {
  const path = resolve(runtime.cwd, file);
  const wrong = (problem: string, facts?: ErrorFacts) =>
    new UsageError(`--rejects ${file} ${problem}.`, facts);
  if (file === '-') throw new UsageError('--rejects needs a file name.');
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw wrong('is in a folder that does not exist', { hint: 'Make the folder first.' });
  }
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) {
    if (!found.isFile()) throw wrong('is not a plain file');
    if (inputs.some((input) => input !== '-' && identify(resolve(runtime.cwd, input)) === identify(path))) {
      throw wrong('is one of the files that are read', {
        hint: 'Choose another name: it would be overwritten.',
      });
    }
    const question = `${visible(file)} is there already. Overwrite it with the rejected rows, if there are any?`;
    if (!(await confirm(options, runtime, question))) throw new GuardError('Nothing was done.');
  }
  const extension = extname(file).slice(1).toLowerCase();
  return { file: path, format: INPUT_FORMATS.find((format) => format === extension) };
}
