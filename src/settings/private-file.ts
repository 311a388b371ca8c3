import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname, basename } from 'node:path';
import { UsageError, type ErrorFacts } from '../errors.ts';
import { makeDirectory } from '../make-directory.ts';
import { renameOver, syncFolder } from '../put-in-place.ts';
import type * as z from 'zod';

/** Bits that let group or others in. */
const OPEN_TO_OTHERS = 0o077;
const STICKY = 0o1000;
/** Far above any file of ours; keeps a misplaced huge file out of memory. */
const LARGEST_BYTES = 4 * 1024 * 1024;
/** Why a too open file may have to stay as it is: a read-only disk, or somebody else's file. */
const NOT_OURS_TO_CHANGE: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** The system's code of a failed call, for example EACCES; empty for any other error. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/**
 * Creates the directory, 0700, and closes one that is open to others. A shared place (sticky, as /tmp)
 * stays as it is: others use it, and the sticky bit keeps them off our files. Throws UsageError.
 */
export function makePrivateDirectory(directory: string): void {
  try {
    makeDirectory(directory);
    const { mode } = statSync(directory);
    if (isPosix() && (mode & OPEN_TO_OTHERS) !== 0 && (mode & STICKY) === 0) chmodSync(directory, 0o700);
  } catch (error) {
    throw new UsageError(`The directory ${directory} cannot be created or made private.`, {
      hint: 'Set EVENTREG_CONFIG_DIR to a directory of your own.',
      cause: error,
    });
  }
}

/**
 * Text of a private file, undefined when there is none. A file that is open to others is replaced by
 * a closed copy. Throws UsageError for a symbolic link, anything that is no file, and a failed read.
 */
export function readPrivateFile(file: string): string | undefined {
  try {
    if (!lstatSync(file).isFile()) throw notAFile(file);
    const { text, mode } = readWithoutFollowing(file);
    if (isPosix() && (mode & OPEN_TO_OTHERS) !== 0) closeToOthers(file, text);
    return text;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'ELOOP') throw notAFile(file);
    throw new UsageError(`${file} cannot be read.`, { cause: error });
  }
}

/**
 * Replaces a private file as a whole: after a crash it holds the old text or the new, and at no moment
 * can others read it. Throws UsageError, and leaves nothing behind, when that fails.
 */
export function writePrivateFile(file: string, text: string): void {
  makePrivateDirectory(dirname(file));
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    renameOver(temporary, file);
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`${file} cannot be written.`, { cause: error });
  }
}

function isPosix(): boolean {
  return platform() !== 'win32';
}

function notAFile(file: string): UsageError {
  return new UsageError(`${file} is not a plain file (a symbolic link is not followed here).`, {
    hint: 'Remove it, then run `eventreg login` again.',
  });
}

function readWithoutFollowing(file: string): { text: string; mode: number } {
  // The flag does not exist on Windows; there the lstat before has to do.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { mode, size } = fstatSync(descriptor);
    if (size > LARGEST_BYTES) throw new UsageError(`${file} is too large (${size} bytes) to be ours.`);
    return { text: readFileSync(descriptor, 'utf8'), mode };
  } finally {
    closeSync(descriptor);
  }
}

/** A copy, not chmod: whoever holds the old file open must not see what is written later. */
function closeToOthers(file: string, text: string): void {
  try {
    writePrivateFile(file, text);
  } catch (error) {
    const cause = error instanceof UsageError ? error.cause : error;
    if (!NOT_OURS_TO_CHANGE.has(errorCode(cause))) throw error;
  }
}

/** What a JSON file of ours may hold, and what to say of one that holds anything else. */
export interface BookRules<Content> {
  schema: z.ZodType<Content>;
  /** `findings` say what is wrong, and never quote the file: somebody may have put a token there. */
  whenDamaged(findings: readonly string[]): ErrorFacts;
}

/** What the file holds; undefined when there is none. Throws UsageError when it is damaged or cannot be read. */
export function readBook<Content>(file: string, rules: BookRules<Content>): Content | undefined {
  return attempt(file, 'read', () =>
    existsSync(file) ? parseMarked(readFileSync(file, 'utf8'), file, rules) : undefined,
  );
}

/** Replaces what the file holds. Throws UsageError when that fails; a damaged file is never overwritten. */
type WriteBook<Content> = (content: Content) => void;

/** Loaded late, as conf takes longer than most commands run. */
export async function bookWriter<Content extends Record<string, unknown>>(
  file: string,
  rules: BookRules<Content>,
): Promise<WriteBook<Content>> {
  const { default: Conf } = await import('conf');
  return (content) => {
    // Before conf, which would create it open to others.
    makePrivateDirectory(dirname(file));
    attempt(file, 'written', () => {
      const conf = new Conf<Content>({
        cwd: dirname(file),
        configName: basename(file, '.json'),
        projectSuffix: '',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        deserialize: (text) => parseMarked(text, file, rules),
      });
      conf.store = content;
    });
  };
}

/** What the text of the file says. Throws UsageError when it is damaged. */
export function parseBook<Content>(text: string, file: string, rules: BookRules<Content>): Content {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    // Without a cause: the parser's own message quotes the file.
    throw damaged(file, rules.whenDamaged([`it is no JSON${lineOf(text, error as Error)}`]));
  }
  const parsed = rules.schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw damaged(file, rules.whenDamaged(findingsOf(parsed.error)));
}

/** What a schema has against a value, a line each. */
export function findingsOf({ issues }: Pick<z.ZodError, 'issues'>): string[] {
  return issues.map((issue) => `${issue.path.map(String).join('.') || 'the file'}: ${issue.message}`);
}

/** Editors put a byte order mark in front. */
function parseMarked<Content>(text: string, file: string, rules: BookRules<Content>): Content {
  return parseBook(text.replace(/^\uFEFF/, ''), file, rules);
}

/** Where the parser stopped, where it says so. */
function lineOf(text: string, { message }: Error): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  return position === undefined ? '' : ` (line ${text.slice(0, Number(position)).split('\n').length})`;
}

function damaged(file: string, { details = [], ...facts }: ErrorFacts): UsageError {
  const what = details.length === 0 ? 'is damaged and' : `cannot be read: ${details.join('; ')}. It`;
  return new UsageError(`${file} ${what} is left as it is.`, facts);
}

function attempt<Result>(file: string, what: 'read' | 'written', action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = errorCode(error) || 'unknown reason';
    throw new UsageError(`${file} cannot be ${what} (${code}).`, { cause: error });
  }
}
