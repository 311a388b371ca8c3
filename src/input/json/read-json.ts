import type { Reject, SourceRow } from '../../registration/model/row.ts';
import type { InputBatch } from '../source/table-record.ts';
import { type JsonElement, JsonListSplitter } from './json-list.ts';
import { isReject, readJsonRow, ShapeCache } from './json-row.ts';
import { NdjsonSplitter } from './ndjson-lines.ts';

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
