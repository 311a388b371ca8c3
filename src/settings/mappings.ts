import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../errors.ts';
import { errorCode, makePrivateDirectory } from './private-file.ts';

/** What the columns of a set of headings become, as far as somebody had to say it. */
export interface KeptMapping {
  /** Header → slug, label or reserved name. */
  map: ReadonlyMap<string, string>;
  /** Headers that are left out. */
  ignore: readonly string[];
}

/** Files that a mapping is remembered for: of the same headings, for the same event. */
export interface MappingKey {
  /** Origin of the service, such as `https://events.example.com`. */
  service: string;
  /** Id of the event. */
  event: string;
  /** In any order; case and the amount of white space make no difference. */
  headers: readonly string[];
}

/** The oldest are forgotten beyond. */
const MOST_MAPPINGS = 500;
const NAME = 'mappings';

/** Pairs, not an object: a header may be called `__proto__`. */
const mappingSchema = z.strictObject({
  key: z.string(),
  map: z.array(z.tuple([z.string(), z.string()])),
  ignore: z.array(z.string()),
});
const bookSchema = z.strictObject({ mappings: z.array(mappingSchema) });
type MappingBook = z.infer<typeof bookSchema>;

/** What is remembered for such files, if anything. Throws UsageError when the file is damaged. */
export function readMapping(configDir: string, key: MappingKey): KeptMapping | undefined {
  return mappingReader(configDir)(key);
}

/** As `readMapping`, for many keys: the file is read once, at the first of them. */
export function mappingReader(configDir: string): (key: MappingKey) => KeptMapping | undefined {
  let book: MappingBook | undefined;
  return (key) => {
    book ??= readBook(fileIn(configDir));
    // Nothing to compare a digest with, and records have as many sets of keys as they like.
    if (book.mappings.length === 0) return undefined;
    const hash = hashKey(key);
    const saved = book.mappings.find((one) => one.key === hash);
    return saved === undefined ? undefined : { map: new Map(saved.map), ignore: saved.ignore };
  };
}

/** Remembers a mapping for such files, instead of what was. Throws UsageError when that fails. */
export async function writeMapping(
  configDir: string,
  key: MappingKey,
  { map, ignore }: KeptMapping,
): Promise<void> {
  const hash = hashKey(key);
  const others = readBook(fileIn(configDir)).mappings.filter((one) => one.key !== hash);
  const all = [...others, { key: hash, map: [...map], ignore: [...ignore] }];
  await writeBook(configDir, { mappings: all.slice(-MOST_MAPPINGS) });
}

function fileIn(configDir: string): string {
  return join(configDir, `${NAME}.json`);
}

/** Only a digest: what a file holds is nobody’s business but its owner’s. */
function hashKey({ service, event, headers }: MappingKey): string {
  const names = headers.map((name) => name.normalize('NFKC').trim().toLowerCase().split(/\s+/).join(' '));
  const text = JSON.stringify([service, event, ...names.sort()]);
  return createHash('sha256').update(text).digest('hex');
}

async function writeBook(configDir: string, book: MappingBook): Promise<void> {
  const file = fileIn(configDir);
  // Loaded late, as it takes longer than most commands run.
  const { default: Conf } = await import('conf');
  // Before conf, which would create it open to others.
  makePrivateDirectory(configDir);
  attempt(file, 'written', () => {
    const conf = new Conf<MappingBook>({
      cwd: configDir,
      configName: NAME,
      projectSuffix: '',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      deserialize: (text) => parseBook(text, file),
    });
    conf.store = book;
  });
}

function readBook(file: string): MappingBook {
  return attempt(file, 'read', () =>
    existsSync(file) ? parseBook(readFileSync(file, 'utf8'), file) : { mappings: [] },
  );
}

function parseBook(text: string, file: string): MappingBook {
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Wrong for the schema as well; the parser's own message quotes the file.
    raw = undefined;
  }
  const parsed = bookSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file} is damaged and is left as it is.`, {
    hint: 'Remove it: the columns are asked for again. --no-saved-mapping does without it.',
  });
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
