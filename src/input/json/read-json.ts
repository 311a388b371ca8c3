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
  const shapes = new ShapeCache();
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of text) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LF) + 1;
    const lines = bytes.subarray(0, end).toString().split('\n').slice(0, -1);
    yield* toBatch(elementsOf(lines, line, file), file, shapes);
    line += lines.length;
    rest = bytes.subarray(end);
    if (rest.length > LONGEST_ELEMENT) throw tooLong(file, line);
  }
  const [last] = elementsOf([rest.toString()], line, file);
  if (last === undefined) return;
  // A blank is needed for a bare scalar to end; it is the row's own mistake, not a cut.
  if (new JsonValueScanner().scan(Buffer.from(`${last.text} `), 0) === -1) {
    throw new InputError(`${file}:${line}: the file ends inside what begins here.`, {
      hint: 'Write the file again with the program that made it.',
    });
  }
  yield* toBatch([last], file, shapes);
}

const LF = 10;

/** The lines that are not blank; `first` is the number of the first. */
function elementsOf(lines: readonly string[], first: number, file: string): JsonElement[] {
  return lines.flatMap((whole, at) => {
    if (Buffer.byteLength(whole) > LONGEST_ELEMENT) throw tooLong(file, first + at);
    const text = whole.trim();
    return text === '' ? [] : [{ text, line: first + at }];
  });
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
