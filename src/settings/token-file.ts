import * as z from 'zod';
import { UsageError } from '../errors.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const tokensSchema = z.strictObject({ tokens: z.record(z.string(), z.string()) });

/**
 * Tokens by account (`profile@origin`); none when there is no file.
 * Throws UsageError for a damaged file and for one that is no plain file.
 */
export function readTokens(file: string): Map<string, string> {
  const text = readPrivateFile(file);
  return text === undefined ? new Map() : new Map(Object.entries(parseTokens(text, file)));
}

function parseTokens(text: string, file: string): Record<string, string> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    // Without a cause: the parser's message quotes the file, and the file holds tokens.
    raw = undefined;
  }
  const parsed = tokensSchema.safeParse(raw);
  if (parsed.success) return parsed.data.tokens;
  throw new UsageError(`${file} is damaged and is left as it is.`, {
    hint: 'Remove it, then run `eventreg login` again for each profile.',
  });
}

/** Replaces the file by one with these tokens, readable by its owner only. */
export function writeTokens(file: string, tokens: ReadonlyMap<string, string>): void {
  writePrivateFile(file, `${JSON.stringify({ tokens: Object.fromEntries(tokens) }, undefined, 2)}\n`);
}
