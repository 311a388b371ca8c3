import { extname } from 'node:path';
import { firstNonBlank } from './source/file-kind.ts';
import { LIST_NAMES } from './json/json-list.ts';

/** The formats that are text. */
export type TextFormat = 'csv' | 'json' | 'ndjson';

const LONGEST_LINE = 1024 * 1024;
const LF = 10;

/** Whether the head shows all that `detectFormat` needs. */
export function showsFormat(head: Buffer): boolean {
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
export function detectFormat(head: Buffer, file: string): TextFormat {
  const start = firstNonBlank(head);
  const extension = extname(file).toLowerCase();
  if (head[start] === 0x5b) return looksLikeHeader(head, start, extension) ? 'csv' : 'json';
  if (head[start] === 0x7b) return objectFormat(head, start, extension);
  if (extension === '.json') return 'json';
  return extension === '.ndjson' || extension === '.jsonl' ? 'ndjson' : 'csv';
}

/** A header such as `[id],name` in a file that calls itself CSV. */
function looksLikeHeader(head: Buffer, start: number, extension: string): boolean {
  const next = String.fromCharCode(head[firstNonBlank(head, start + 1)] ?? 0x5d);
  return ['.csv', '.tsv', '.txt'].includes(extension) && !'{]'.includes(next);
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
