import * as z from 'zod';
import { INPUT_FORMATS } from '../../input/source/file-kind.ts';
import type { InputOptions } from '../../input/read-input.ts';
import { MERGED_ROWS } from '../../input/table/merged-cells.ts';
import type { Acceptable } from '../../registration/repairs/repair-options.ts';
import { wholeNumber } from './options.ts';

/** Flags of every command that reads files of rows. Undefined is found out, or asked. */
export const readingOptions = {
  format: z.enum(INPUT_FORMATS).optional(),
  encoding: z.string().min(1).optional(),
  delimiter: z.string().min(1).optional(),
  quote: z.string().min(1).optional(),
  extraCells: z.literal('blank', 'takes blank').optional(),
  sheet: z.string().min(1).optional(),
  headerRow: wholeNumber(0).optional(),
  includeHidden: z.boolean('takes true or false').optional(),
  merged: z.enum(MERGED_ROWS).optional(),
};

/** What they say, with the damage that is accepted. */
export type ReadingOptions = z.infer<z.ZodObject<typeof readingOptions>> & { accept: readonly Acceptable[] };

/** What the flags say about reading files. */
export function toInputOptions(options: ReadingOptions): Omit<InputOptions, 'knows'> {
  const { accept, ...said } = options;
  const { format, encoding, delimiter, quote, extraCells, sheet, headerRow, includeHidden, merged } = said;
  const reading = { format, encoding, delimiter, quote, extraCells, sheet, headerRow, includeHidden, merged };
  return { ...reading, accept: new Set(accept) };
}
