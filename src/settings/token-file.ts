import * as z from 'zod';
import { type BookRules, parseBook } from './json-book.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const RULES: BookRules<{ tokens: Record<string, string> }> = {
  schema: z.strictObject({ tokens: z.record(z.string(), z.string()) }),
  whenDamaged: () => ({ hint: 'Remove it, then run `eventreg login` again for each profile.' }),
};

/**
 * Tokens by account (`profile@origin`); none when there is no file.
 * Throws UsageError for a damaged file and for one that is no plain file.
 */
export function readTokens(file: string): Map<string, string> {
  const text = readPrivateFile(file);
  return text === undefined ? new Map() : new Map(Object.entries(parseBook(text, file, RULES).tokens));
}

/** Replaces the file by one with these tokens, readable by its owner only. */
export function writeTokens(file: string, tokens: ReadonlyMap<string, string>): void {
  writePrivateFile(file, `${JSON.stringify({ tokens: Object.fromEntries(tokens) }, undefined, 2)}\n`);
}
