import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type * as z from 'zod';
import { type ErrorFacts, UsageError } from '../errors.ts';
import { errorCode, makePrivateDirectory } from './private-file.ts';

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
