import { DEEPEST, firstText, isObject, isTooDeep, type Json, readJson, text, TOO_DEEP } from './json.ts';

/** The service's own words about an error. */
interface ErrorReading {
  /** One line, never empty. */
  message: string;
  /** Further findings, for example one per field: `email: is not valid`. */
  details: string[];
}

/** Reads an error body: message, error, errors as list or map, RFC 9457 problem, HTML, plain text or empty. */
export function readError(status: number, body: string): ErrorReading {
  const trimmed = body.trim();
  if (trimmed === '') return { message: `HTTP ${status} without an explanation`, details: [] };
  if (trimmed.startsWith('<')) return { message: describePage(trimmed), details: [] };
  const json = readJson(trimmed);
  if (json === undefined) return { message: isTooDeep(trimmed) ? TOO_DEEP : oneLine(trimmed), details: [] };
  const findings = readFindings(json).map(oneLine);
  const message = isObject(json) ? readMessage(json) : undefined;
  return {
    message: message === undefined ? (findings[0] ?? `HTTP ${status}`) : oneLine(message),
    details: findings.slice(message === undefined ? 1 : 0, DETAILS_MAX),
  };
}

const MESSAGE_MAX = 300;
const DETAILS_MAX = 20;
/** Where the title of a page is looked for; beyond it, searching only costs time. */
export const HEAD_MAX = 10_000;

/** What is cut says so: whoever looks for a value in it has to know. */
export function oneLine(words: string): string {
  const line = words.slice(0, HEAD_MAX).replace(/\s+/g, ' ').trim();
  return line.length <= MESSAGE_MAX ? line : `${line.slice(0, MESSAGE_MAX - 1)}…`;
}

function describePage(html: string): string {
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(html.slice(0, HEAD_MAX))?.[1];
  const words = oneLine(title ?? '');
  return words === '' ? 'a web page' : `a web page titled "${words}"`;
}

export function readFindings(json: unknown): string[] {
  if (!isObject(json)) return readDetails(json);
  const { error } = json;
  const holders = isObject(error) ? [json, error] : [json];
  const lists = holders.flatMap((holder) =>
    ['errors', 'details', 'violations', 'detail'].map((key) => holder[key]),
  );
  const found = lists.find((value) => Array.isArray(value) || isObject(value));
  if (found !== undefined) return readDetails(found);
  const wordless = Array.isArray(error) || (isObject(error) && readMessage(error) === undefined);
  return wordless ? readDetails(error) : [];
}

/** Words only: `"error": true` is none. */
export function readMessage(json: Json, depth = 0): string | undefined {
  const { error } = json;
  const nested = isObject(error) && depth < DEEPEST ? readMessage(error, depth + 1) : undefined;
  const keys = ['detail', 'message', 'error_description', 'error', 'title', 'msg', 'errors'];
  return nested ?? keys.map((key) => json[key]).find(isWords);
}

export const isWords = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Errors as a list of strings or objects, or as a map of field to one or several messages. */
function readDetails(errors: unknown): string[] {
  if (Array.isArray(errors)) return errors.flatMap((entry) => readDetail(entry));
  if (!isObject(errors)) return text(errors) === undefined ? [] : [String(errors)];
  return Object.entries(errors).flatMap(([field, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).flatMap((message) =>
      readDetail(message).map((line) => `${field}: ${line}`),
    ),
  );
}

function readDetail(entry: unknown): string[] {
  if (!isObject(entry)) return text(entry) === undefined ? [] : [String(entry)];
  const where = Array.isArray(entry['loc']) ? entry['loc'].join('.') : undefined;
  const field = where ?? firstText(entry, ['field', 'slug', 'path', 'pointer', 'name', 'property']);
  const message = readMessage(entry) ?? firstText(entry, ['code', 'reason']);
  if (message === undefined) return [];
  return [field === undefined ? message : `${field}: ${message}`];
}
