import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { type BookRules, bookWriter, readBook } from './json-book.ts';

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

/** Pairs, not an object: a header may be called `__proto__`. */
const mappingSchema = z.strictObject({
  key: z.string(),
  map: z.array(z.tuple([z.string(), z.string()])),
  ignore: z.array(z.string()),
});
const bookSchema = z.strictObject({ mappings: z.array(mappingSchema) });

const RULES: BookRules<z.infer<typeof bookSchema>> = {
  schema: bookSchema,
  whenDamaged: () => ({
    hint: 'Remove it: the columns are asked for again. --no-saved-mapping does without it.',
  }),
};

/** What is remembered for such files, if anything. Throws UsageError when the file is damaged. */
export function readMapping(configDir: string, key: MappingKey): KeptMapping | undefined {
  return mappingReader(configDir)(key);
}

/** As `readMapping`, for many keys: the file is read once, at the first of them. */
export function mappingReader(configDir: string): (key: MappingKey) => KeptMapping | undefined {
  let mappings: ReturnType<typeof readMappings> | undefined;
  return (key) => {
    mappings ??= readMappings(fileIn(configDir));
    // Nothing to compare a digest with, and records have as many sets of keys as they like.
    if (mappings.length === 0) return undefined;
    const hash = hashKey(key);
    const saved = mappings.find((one) => one.key === hash);
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
  const file = fileIn(configDir);
  const others = readMappings(file).filter((one) => one.key !== hash);
  const all = [...others, { key: hash, map: [...map], ignore: [...ignore] }];
  const write = await bookWriter(file, RULES);
  write({ mappings: all.slice(-MOST_MAPPINGS) });
}

function fileIn(configDir: string): string {
  return join(configDir, 'mappings.json');
}

/** Only a digest: what a file holds is nobody’s business but its owner’s. */
function hashKey({ service, event, headers }: MappingKey): string {
  const names = headers.map((name) => name.normalize('NFKC').trim().toLowerCase().split(/\s+/).join(' '));
  const text = JSON.stringify([service, event, ...names.sort()]);
  return createHash('sha256').update(text).digest('hex');
}

function readMappings(file: string) {
  return readBook(file, RULES)?.mappings ?? [];
}
