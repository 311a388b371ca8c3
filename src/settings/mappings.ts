import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { type BookRules, bookWriter, readBook } from './private-file.ts';

/** What was said of a column, by its heading. */
const columnSchema = z.strictObject({
  heading: z.string(),
  /** The kind of guest that the file was of; empty where rows say it themselves. */
  persona: z.string(),
  /** Slug, label or reserved name. */
  target: z.string().optional(),
  /** Pairs, not an object: a value may be called `__proto__`. */
  values: z.array(z.tuple([z.string(), z.string()])).optional(),
  /** The country of its numbers. */
  phones: z.string().optional(),
  /** Its values are left out where the kind of guest has no such field. */
  leaveOut: z.literal(true).optional(),
  /** All columns of its field, in the order in which they count. */
  order: z.array(z.string()).optional(),
});
export type KeptColumn = z.infer<typeof columnSchema>;

const eventSchema = z.strictObject({
  key: z.string(),
  columns: z.array(columnSchema),
  /** By digests of the headings of a file, what was said of all of it, such as the kind of guest and what is left out. */
  files: z.array(
    z.strictObject({
      headings: z.array(z.string()),
      said: z.record(z.string(), z.union([z.string(), z.boolean()])),
    }),
  ),
  /** By a digest of the names of all sheets, the one that is read. */
  sheets: z.array(z.strictObject({ names: z.string(), sheet: z.string() })),
});

/** What is remembered for the files of an event. */
export type Kept = Omit<z.infer<typeof eventSchema>, 'key'>;

/** Whose files they are. */
export interface KeptFor {
  /** Origin of the service, such as `https://events.example.com`. */
  service: string;
  event: string;
}

/** The oldest are forgotten beyond. */
const MOST_EVENTS = 200;
const MOST_COLUMNS = 2000;
const MOST_FILES = 200;

const bookSchema = z.strictObject({ events: z.array(eventSchema) });

const RULES: BookRules<z.infer<typeof bookSchema>> = {
  schema: bookSchema,
  whenDamaged: () => ({
    hint: 'Remove it: what it knew is asked for again. --no-saved-mapping does without it.',
  }),
};

/** What is remembered for an event; empty when nothing is. Throws UsageError when the file is damaged. */
export function readKept(configDir: string, target: KeptFor): Kept {
  const key = keyOf(target);
  const found = readEvents(fileIn(configDir)).find((one) => one.key === key);
  const { columns = [], files = [], sheets = [] } = found ?? {};
  return { columns, files, sheets };
}

/**
 * Remembers for an event what `change` makes of what was remembered; later entries last. Nothing is written where it
 * changes nothing. Throws UsageError when that fails.
 */
export async function writeKept(
  configDir: string,
  target: KeptFor,
  change: (before: Kept) => Kept,
): Promise<void> {
  const file = fileIn(configDir);
  const key = keyOf(target);
  const before = readKept(configDir, target);
  const { columns, files, sheets } = change(before);
  if (JSON.stringify({ columns, files, sheets }) === JSON.stringify(before)) return;
  const kept = {
    key,
    columns: columns.slice(-MOST_COLUMNS),
    files: files.slice(-MOST_FILES),
    sheets: sheets.slice(-MOST_FILES),
  };
  const write = await bookWriter(file, RULES);
  const others = readEvents(file).filter((one) => one.key !== key);
  write({ events: [...others, kept].slice(-MOST_EVENTS) });
}

/** Only a digest: what a file holds is nobody’s business but its owner’s. */
export function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

function keyOf({ service, event }: KeptFor): string {
  return digestOf([service, event]);
}

function fileIn(configDir: string): string {
  return join(configDir, 'mappings.json');
}

function readEvents(file: string) {
  return readBook(file, RULES)?.events ?? [];
}
