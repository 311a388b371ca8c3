import type { Command } from 'commander';
import * as z from 'zod';
import { INPUT_FORMATS, type InputOptions } from '../input/read-input.ts';
import type { Acceptable } from '../registration/repair-options.ts';
import { type AddFlag, flagGroup, wholeNumber } from './options.ts';

/** Flags of every command that reads files of rows. Undefined is found out, or asked. */
export const readingOptions = {
  format: z.enum(INPUT_FORMATS).optional(),
  encoding: z.string().min(1).optional(),
  delimiter: z.string().min(1).optional(),
  quote: z.string().min(1).optional(),
  sheet: z.string().min(1).optional(),
  headerRow: wholeNumber(1).optional(),
  includeHidden: z.boolean().optional(),
};

/** What they say, with the damage that is accepted. */
export type ReadingOptions = z.infer<z.ZodObject<typeof readingOptions>> & { accept: readonly Acceptable[] };

/** Adds the flags of `readingOptions` to a command, under a heading of their own; returns what adds more to it. */
export function addReadingFlags(command: Command): AddFlag {
  const add = flagGroup(command, 'How the file is written (found out unless given):');
  add('--format <format>', `${INPUT_FORMATS.join(', ')}; for texts that look otherwise`);
  add('--sheet <name>', 'sheet of a workbook, by name or number');
  add('--header-row <number>', 'line, or row of the sheet, with the names of the columns');
  add('--include-hidden', 'read hidden rows and columns as well');
  add('--no-include-hidden', 'leave hidden rows and columns out');
  add('--encoding <name>', 'utf-8, utf-16, windows-1252, windows-1250 or macintosh');
  add('--delimiter <character>', 'what separates the cells of a CSV file; tab for a tab');
  add('--quote <character>', 'what quotes cells of a CSV file; none for nothing');
  return add;
}

/** What the flags say about reading files. */
export function toInputOptions(options: ReadingOptions): Omit<InputOptions, 'knows'> {
  const { format, encoding, delimiter, quote, sheet, headerRow, includeHidden, accept } = options;
  const reading = { format, encoding, delimiter, quote, sheet, headerRow, includeHidden };
  return { ...reading, accept: new Set(accept) };
}
