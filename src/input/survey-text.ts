import { InputError } from '../errors.ts';
import type { ChoiceQuestion } from '../registration/model/question.ts';
import { firstNonBlank } from './source/file-kind.ts';
import {
  askDelimiter,
  type CsvDialect,
  readDelimiterFlag,
  readQuoteFlag,
  readSepLine,
  refuseSameSigns,
} from './csv/csv-dialect.ts';
import { splitCsv } from './csv/split-csv.ts';
import { decodedChunks, printable, showLine } from './text/decoded-chunks.ts';
import { electDelimiters } from './csv/elect-delimiter.ts';
import { detectEncoding, knownEncoding } from './text/detect-encoding.ts';
import type { Encoding } from './text/encoding.ts';
import { QuestionError } from './source/question-error.ts';
import type { StoredInput } from './source/stored-input.ts';
import type { TableRecords } from './source/table-record.ts';
import { extname } from 'node:path';
import { LIST_NAMES } from './json/json-list.ts';

/** What the flags say about a text. Undefined is found out. */
export interface TextOptions {
  format: TextFormat | undefined;
  encoding: string | undefined;
  /** One character, or `tab`. */
  delimiter: string | undefined;
  /** One sign, or `none`; `"` unless given. */
  quote: string | undefined;
}

/** How a text is written. */
export interface TextSurvey {
  format: TextFormat;
  encoding: Encoding;
  /** Of CSV; undefined for the other formats. */
  dialect: CsvDialect | undefined;
  /** What was found out and may surprise, each a sentence. */
  remarks: readonly string[];
}

/** Bytes in which the delimiter shows itself; what a file begins as it goes on. */
const VOTING_BYTES = 512 * 1024;

/**
 * Finds out how a text is written, from all of it. Throws an InputError naming the line where it is no
 * text, and a QuestionError where it may be read in more than one way.
 */
export async function surveyText(input: StoredInput, options: TextOptions): Promise<TextSurvey> {
  const known = await knownEncoding(input, options.encoding);
  const { head, whole } = await readHead(
    known === undefined ? input.chunks() : decodedChunks(input, known.encoding),
    showsFormat,
  );
  if (whole) refuseBlank(head, input.file);
  const format = options.format ?? detectFormat(head, input.file);
  const found = known ?? (await detectEncoding(input));
  const { encoding, remarks } = found;
  if (format !== 'csv') {
    refuseOpen([found.question]);
    return { format, encoding, dialect: undefined, remarks };
  }
  const { dialect, question } = await findDialect(input, encoding, options);
  refuseOpen([found.question, question]);
  return { format, encoding, dialect, remarks };
}

/** Every record of a CSV text, the header and what stands above it included, with cells as they stand. */
export async function* csvRecords(input: StoredInput, survey: TextSurvey): TableRecords {
  const { dialect, encoding } = survey;
  if (dialect === undefined) throw new Error(`${input.file} is no CSV text.`);
  yield* splitCsv(decodedChunks(input, encoding), input.file, dialect, (line) =>
    showLine(input, encoding, line),
  );
}

/** The beginning of a text, as much of it as is enough, and whether that is all. */
async function readHead(
  chunks: AsyncGenerator<Buffer>,
  enough: (head: Buffer) => boolean,
): Promise<{ head: Buffer; whole: boolean }> {
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    if (enough(head)) return { head, whole: false };
  }
  return { head, whole: true };
}

function refuseBlank(head: Buffer, file: string): void {
  if (firstNonBlank(head) < head.length) return;
  const what = head.length === 0 ? 'the file is empty.' : 'the file holds nothing but white space.';
  throw new InputError(`${file}: ${what}`, {
    hint: 'Check that this is the right file and that it was saved.',
  });
}

async function findDialect(
  input: StoredInput,
  encoding: Encoding,
  options: TextOptions,
): Promise<{ dialect: CsvDialect; question: ChoiceQuestion | undefined }> {
  const quote = options.quote === undefined ? '"' : readQuoteFlag(options.quote);
  const { head, whole } = await readHead(
    decodedChunks(input, encoding),
    (bytes) => bytes.length - firstNonBlank(bytes) >= VOTING_BYTES,
  );
  const text = head.subarray(0, whole ? head.length : head.lastIndexOf(LF) + 1 || head.length).toString();
  const sepLine = readSepLine(text);
  const below = sepLine === undefined ? text : text.slice(text.search(/[\r\n]/));
  const elect = (): readonly string[] => electDelimiters(below, quote);
  const told = options.delimiter === undefined ? undefined : readDelimiterFlag(options.delimiter);
  const elected = told === undefined ? withSepLine(sepLine?.delimiter, elect, firstLine(below)) : [told];
  const [delimiter = ',', ...others] = elected;
  refuseSameSigns(delimiter, quote, input.file);
  return {
    dialect: {
      delimiter,
      quote,
      skipBytes: sepLine?.length ?? 0,
      firstLine: sepLine === undefined ? 1 : 2,
    },
    question:
      others.length === 0
        ? undefined
        : askDelimiter(elected, input.file, printable(firstLine(below)), sepLine?.delimiter),
  };
}

/** A `sep=` line decides, but where the headings have none of it, and are parted by something else: that is a question. */
function withSepLine(
  told: string | undefined,
  elect: () => readonly string[],
  headings: string,
): readonly string[] {
  if (told !== undefined && headings.includes(told)) return [told];
  const elected = elect();
  return told === undefined ? elected : [...elected.filter((one) => headings.includes(one)), told];
}

function firstLine(text: string): string {
  return /^[\r\n]*([^\r\n]*)/.exec(text)?.[1] ?? '';
}

function refuseOpen(questions: readonly (ChoiceQuestion | undefined)[]): void {
  const open = questions.filter((question) => question !== undefined);
  if (open.length > 0) throw new QuestionError(open);
}

/** The formats that are text. */
type TextFormat = 'csv' | 'json' | 'ndjson';

const LONGEST_LINE = 1024 * 1024;
const LF = 10;

/** Whether the head shows all that `detectFormat` needs. */
function showsFormat(head: Buffer): boolean {
  const start = firstNonBlank(head);
  if (head.length - start > LONGEST_LINE) return true;
  if (start === head.length) return head.length > LONGEST_LINE;
  const first = head[start];
  if (first === 0x5b) return firstNonBlank(head, start + 1) < head.length;
  return first !== 0x7b || head.indexOf(LF, start) !== -1;
}

/**
 * What the beginning of a text says it is, in UTF-8 or another encoding that leaves ASCII alone. The extension decides only where the content leaves it open.
 */
function detectFormat(head: Buffer, file: string): TextFormat {
  const start = firstNonBlank(head);
  const extension = extname(file).toLowerCase();
  if (head[start] === 0x5b) return 'json';
  if (head[start] === 0x7b) return objectFormat(head, start, extension);
  if (extension === '.json') return 'json';
  return extension === '.ndjson' || extension === '.jsonl' ? 'ndjson' : 'csv';
}

/** NDJSON when the first line is an object of its own that is not a list in a wrapper. */
function objectFormat(head: Buffer, start: number, extension: string): TextFormat {
  const end = head.indexOf(LF, start);
  if (end === -1 && head.length - start > LONGEST_LINE) return 'json';
  const line = head
    .subarray(start, end === -1 ? head.length : end)
    .toString()
    .trim();
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    return LIST_NAMES.some((name) => Array.isArray(value[name])) ? 'json' : 'ndjson';
  } catch {
    const wholeLine = line.endsWith('}');
    return wholeLine || extension === '.ndjson' || extension === '.jsonl' ? 'ndjson' : 'json';
  }
}
