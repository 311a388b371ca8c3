import { extname } from 'node:path';
import * as z from 'zod';

/** Formats of files that commands write, as the ends of their names. */
export const WRITTEN_FORMATS = ['xlsx', 'csv', 'json', 'ndjson'] as const;
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

/** The value of `--to`: a file whose name says how it is written. */
export const writtenFile = z
  .string()
  .refine(
    (file) => writtenFormat(file) !== undefined,
    `takes the name of a file that ends in ${WRITTEN_FORMATS.map((format) => `.${format}`).join(', ')}`,
  );

/** The format that the name of a file asks for; undefined when it asks for none that is known. */
export function writtenFormat(file: string): WrittenFormat | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  return WRITTEN_FORMATS.find((format) => format === extension);
}
