import { InputError } from '../errors.ts';
import { DIALECT_SAMPLE, detectDialect } from './csv-dialect.ts';
import { firstNonBlank } from './blank.ts';
import { detectFormat, type InputFormat, showsFormat } from './detect-format.ts';
import type { InputBatch } from './input-batch.ts';
import type { InputSource } from './input-source.ts';
import { type Peeked, peek } from './peek.ts';
import { readCsv } from './read-csv.ts';
import { readJson, readNdjson } from './read-json.ts';
import { readText } from './read-text.ts';

export type { InputFormat } from './detect-format.ts';
export type { InputBatch } from './input-batch.ts';
export type { InputSource } from './input-source.ts';

export interface InputOptions {
  /** From `--format`. */
  format: InputFormat | undefined;
  /** From `--delimiter`: one character, or `tab`. */
  delimiter: string | undefined;
}

export interface OpenedInput {
  format: InputFormat;
  /** Of CSV; undefined for the other formats. */
  delimiter: string | undefined;
  /** To be iterated once. Leaving the loop early closes the file. */
  batches: AsyncIterable<InputBatch>;
}

/**
 * Opens a file of rows. Returns as soon as its format is known; memory stays flat whatever its size.
 * Throws an InputError naming file, line, fault and remedy: here when the file cannot be opened or is
 * no text, and while iterating the batches when its content is wrong.
 */
export async function readInput(source: InputSource, options: InputOptions): Promise<OpenedInput> {
  const text = readText(source);
  try {
    const formatOf = (head: Buffer) => options.format ?? detectFormat(head, source.file);
    const opening = await peek(
      text,
      (head) => showsFormat(head) && (formatOf(head) !== 'csv' || head.length >= DIALECT_SAMPLE),
    );
    refuseBlank(opening.head, source.file);
    return openRows(formatOf(opening.head), opening, source.file, options);
  } catch (error) {
    await text.return(undefined);
    throw error;
  }
}

function openRows(format: InputFormat, opening: Peeked, file: string, options: InputOptions): OpenedInput {
  if (format === 'json') return { format, delimiter: undefined, batches: readJson(opening.all, file) };
  if (format === 'ndjson') return { format, delimiter: undefined, batches: readNdjson(opening.all, file) };
  const dialect = detectDialect(opening.head, opening.ended, options.delimiter, file);
  return { format, delimiter: dialect.delimiter, batches: readCsv(opening.all, file, dialect) };
}

function refuseBlank(head: Buffer, file: string): void {
  if (firstNonBlank(head) < head.length) return;
  const what = head.length === 0 ? 'the file is empty.' : 'the file holds nothing but white space.';
  throw new InputError(`${file}: ${what}`, {
    hint: 'Check that this is the right file and that it was saved.',
  });
}
