import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ErrorFacts, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { isReservedName, RESERVED } from '../options/written-file.ts';
import { requireYes, type Call } from './terminal.ts';

/** A file that a command is asked to write. */
interface WantedFile {
  /** `--rejects` */
  flag: string;
  /** As it was given. */
  file: string;
  /** Files that the command reads, `-` for standard input: it is none of them. */
  inputs: readonly string[];
  /** What it would be overwritten with, as the end of a question: `with the plan`. */
  content: string;
}

/**
 * Checks the place of a file before anything is read, and returns its path. Never one of the files that
 * are read; what is there already may be somebody's work, so replacing it needs a yes. Throws UsageError,
 * or GuardError without the yes.
 */
export async function settleOutputFile(
  { flag, file, inputs, content }: WantedFile,
  call: Call,
): Promise<string> {
  const { runtime } = call;
  const path = resolve(runtime.cwd, file);
  const wrong = (problem: string, facts?: ErrorFacts) => new UsageError(`${flag} ${file} ${problem}.`, facts);
  if (file === '-') throw new UsageError(`${flag} needs a file name.`);
  if (isReservedName(file)) {
    throw wrong(RESERVED, { hint: 'Choose another name.' });
  }
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw wrong('is in a folder that does not exist', { hint: 'Make the folder first.' });
  }
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return path;
  if (!found.isFile()) throw wrong('is not a plain file');
  if (inputs.some((input) => input !== '-' && identify(resolve(runtime.cwd, input)) === identify(path))) {
    throw wrong('is one of the files that are read', {
      hint: 'Choose another name: it would be overwritten.',
    });
  }
  const question = `${visible(file)} is there already. Overwrite it ${content}?`;
  await requireYes(call, question, 'Nothing was done.');
  return path;
}

/** What a path leads to, so that two names of one file are known as such; the path itself when there is nothing. */
export function identify(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? path : `${found.dev}:${found.ino}`;
}
