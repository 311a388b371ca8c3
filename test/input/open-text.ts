import { Readable } from 'node:stream';
import { InputError } from '../../src/errors.ts';
import { QuestionError } from '../../src/input/source/question-error.ts';
import { type InputOptions, type OpenedInput, openInput } from '../../src/input/read-input.ts';
import type { InputSource } from '../../src/input/source/input-source.ts';
import { storeInput } from '../../src/input/source/stored-input.ts';
import type { Reject, SourceRow } from '../../src/registration/model/row.ts';
import { FOUND_OUT } from '../support/found-out.ts';

/** What a whole input held. */
export interface WholeInput {
  format: string;
  delimiter: string | undefined;
  rows: SourceRow[];
  rejects: Reject[];
  remarks: readonly string[];
}

/** A source of these chunks, called `file`. */
export function sourceOf(chunks: readonly Uint8Array[], file: string): InputSource {
  return { file, open: () => Readable.from(chunks.map((chunk) => Buffer.from(chunk))) };
}

/** Reads a source to its end three times, which has to give the same: what was read may be kept for the next time. */
export async function readAll(source: InputSource, options: Partial<InputOptions> = {}): Promise<WholeInput> {
  const stored = await storeInput(source);
  try {
    const opened = await openInput(stored, { ...FOUND_OUT, knows: () => false, ...options });
    const first = await readOnce(opened);
    const questions = opened.questions();
    if (questions.length > 0) throw new QuestionError(questions);
    for (const which of ['second', 'third'])
      if (JSON.stringify(await readOnce(opened)) !== JSON.stringify(first))
        throw new Error(`read otherwise the ${which} time`);
    const { style } = opened;
    const delimiter = style.format === 'csv' ? style.delimiter : undefined;
    return { format: style.format, delimiter, remarks: opened.remarks(), ...first };
  } finally {
    await stored.close();
  }
}

async function readOnce(opened: OpenedInput): Promise<Pick<WholeInput, 'rows' | 'rejects'>> {
  const rows: SourceRow[] = [];
  const rejects: Reject[] = [];
  for await (const batch of opened.batches()) {
    rows.push(...batch.rows);
    rejects.push(...batch.rejects);
  }
  return { rows, rejects };
}

/** Reads a text to its end. */
export function readString(
  text: string | Uint8Array,
  file = 'attendees.csv',
  options: Partial<InputOptions> = {},
): Promise<WholeInput> {
  return readAll(sourceOf([typeof text === 'string' ? Buffer.from(text) : text], file), options);
}

/** The lines and cells of an input, for comparing. */
export function linesAndCells(input: WholeInput): unknown[] {
  return input.rows.map((row) => [row.place.line, ...row.cells]);
}

/** The InputError that reading ends in, as message, hint and details. */
export async function refusal(
  reading: Promise<unknown>,
): Promise<{ message: string; hint: string | undefined; details: readonly string[] }> {
  const error: unknown = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof InputError)) throw new Error('no InputError', { cause: error });
  return { message: error.message, hint: error.hint, details: error.details };
}
