import type { Reject, SourceRow } from '../../registration/model/row.ts';
import type { InputBatch } from '../source/table-record.ts';
import { type JsonElement, JsonListSplitter, LONGEST_ELEMENT, tooLong } from './json-list.ts';
import { isReject, readJsonRow, ShapeCache } from './json-row.ts';
import { InputError } from '../../errors.ts';
import { JsonValueScanner } from './json-value-scanner.ts';

/** The rows of a JSON list. Throws an InputError, naming the line, where the list itself is wrong. */
export async function* readJson(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<InputBatch> {
  const splitter = new JsonListSplitter(file);
  const shapes = new ShapeCache();
  for await (const chunk of text) yield* toBatch(splitter.push(chunk), file, shapes);
  splitter.end();
}

/** The rows of NDJSON, one object a line. Throws an InputError when the last line is cut off. */
export async function* readNdjson(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<InputBatch> {
  const splitter = new NdjsonSplitter(file);
  const shapes = new ShapeCache();
  for await (const chunk of text) yield* toBatch(splitter.push(chunk), file, shapes);
  yield* toBatch(splitter.end(), file, shapes);
}

function toBatch(elements: readonly JsonElement[], file: string, shapes: ShapeCache): InputBatch[] {
  if (elements.length === 0) return [];
  const rows: SourceRow[] = [];
  const rejects: Reject[] = [];
  for (const { text, line } of elements) {
    const record = readJsonRow(text, { file, line }, shapes);
    if (isReject(record)) rejects.push(record);
    else rows.push(record);
  }
  return [{ rows, rejects }];
}

const LF = 10;

/** Cuts NDJSON into its lines, over chunks of bytes; blank lines are left out. */
class NdjsonSplitter {
  readonly #file: string;
  #parts: Buffer[] = [];
  #size = 0;
  #line = 1;

  constructor(file: string) {
    this.#file = file;
  }

  /** The lines that this chunk completes. Throws an InputError on a line of more than 1 MiB. */
  push(chunk: Buffer): JsonElement[] {
    const elements: JsonElement[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      this.#add(chunk.subarray(from, end));
      elements.push(...this.#takeLine());
      this.#line++;
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
    return elements;
  }

  /** The last line, when no line end follows it. Throws an InputError when it is cut off. */
  end(): JsonElement[] {
    const [last] = this.#takeLine();
    if (last === undefined) return [];
    // A blank is needed for a bare scalar to end; it is the row's own mistake, not a cut.
    if (new JsonValueScanner().scan(Buffer.from(`${last.text} `), 0) === -1) {
      throw new InputError(`${this.#file}:${last.line}: the file ends inside what begins here.`, {
        hint: 'Write the file again with the program that made it.',
      });
    }
    return [last];
  }

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > LONGEST_ELEMENT) throw tooLong(this.#file, this.#line);
    if (part.length > 0) this.#parts.push(part);
  }

  #takeLine(): JsonElement[] {
    const text = Buffer.concat(this.#parts).toString().trim();
    this.#parts = [];
    this.#size = 0;
    return text === '' ? [] : [{ text, line: this.#line }];
  }
}
