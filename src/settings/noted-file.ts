import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { writePrivateFile } from './private-file.ts';

/** What a file of a convenience says; undefined where it cannot be read. */
export function readNoted<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Writes a file of a convenience, where it can be written: nobody is helped by an error about it. */
export function writeNoted(file: string, value: unknown): void {
  try {
    writePrivateFile(file, JSON.stringify(value));
  } catch {
    // The next command that has something to note tries again.
  }
}
