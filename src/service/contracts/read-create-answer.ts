import type { RawRecord } from '../../registration/model/registration.ts';
import { BARCODE_KEYS, ID_KEYS, PERSONA_KEYS, readPage, readRecord } from './read-records.ts';
import { DEEPEST, describeBadJson, firstText, isObject, type Json, readJson, unwrap } from './json.ts';
import { HEAD_MAX, isWords, oneLine, readFindings, readMessage } from './read-error.ts';

export type CreateReading =
  | { kind: 'record'; record: RawRecord; action: 'created' | 'updated' | undefined }
  /** Nothing, or words that it worked. */
  | { kind: 'accepted' }
  /** No JSON: no answer of this service, or one that was cut off. */
  | { kind: 'unreadable'; why: string }
  /** JSON that is neither a registration nor says that it worked. */
  | { kind: 'unknown'; why: string }
  /** JSON that says that it failed, under a status that says that it did not. */
  | { kind: 'denied'; why: string };

/** Reads the body of a 2xx answer to POST /registration. */
export function readCreateAnswer(status: number, body: string): CreateReading {
  const trimmed = body.trim();
  if (trimmed === '') return { kind: 'accepted' };
  if (trimmed.startsWith('<')) return { kind: 'unreadable', why: 'an HTML page instead of a registration' };
  const json = readJson(trimmed);
  if (json === undefined) return readNoJson(trimmed);
  const denial = readDenial(json);
  if (denial !== undefined) return { kind: 'denied', why: denial };
  if (isList(json)) return { kind: 'unknown', why: 'a list instead of a registration' };
  const raw = unwrap(json, ['data', 'registration', 'result'], looksLikeRecord);
  if (isObject(raw) && looksLikeRecord(raw)) {
    return { kind: 'record', record: readRecord(raw), action: readAction(status, json, raw) };
  }
  return isHollow(json) || saysItWorked(json)
    ? { kind: 'accepted' }
    : { kind: 'unknown', why: 'JSON that is no registration' };
}

/** Plain text that says it worked; any other text may say anything. */
function readNoJson(body: string): CreateReading {
  if (/^[{["]/.test(body)) return { kind: 'unreadable', why: describeBadJson(body) };
  return areGoodWords(body) ? { kind: 'accepted' } : { kind: 'unreadable', why: `"${oneLine(body)}"` };
}

/** More than one record, or a page of the list: something has answered another request than ours. */
function isList(json: unknown): boolean {
  if (Array.isArray(json)) return json.length > 1;
  // A record may hold lists of its own.
  if (!isObject(json) || [json, json['data']].some((part) => isObject(part) && looksLikeRecord(part))) {
    return false;
  }
  const page = readPage(json, {});
  if (page === undefined) return false;
  return (
    page.records.length > 1 || [page.total, page.lastPage, page.hasNext].some((sign) => sign !== undefined)
  );
}

/** Nothing, in whatever form a service writes it: `null`, `{}`, `[]`, `{"data": null}`. */
function isHollow(json: unknown, depth = 0): boolean {
  if (json === null || json === '' || (Array.isArray(json) && json.length === 0)) return true;
  if (!isObject(json) || depth === DEEPEST) return false;
  return Object.entries(json).every(([key, value]) => key === 'data' && isHollow(value, depth + 1));
}

/** JSON that says in one of the usual ways that the request was done. */
function saysItWorked(json: unknown, depth = 0): boolean {
  if (json === true || (typeof json === 'string' && areGoodWords(json))) return true;
  if (!isObject(json) || depth === DEEPEST) return false;
  const flags = ['success', 'ok', 'created', 'updated'].map((key) => json[key]);
  const words = ['message', 'msg', 'detail', 'status', 'result', 'action'].map((key) => json[key]);
  const codes = ['status', 'statusCode', 'status_code', 'code'].map((key) => json[key]);
  return (
    flags.includes(true) ||
    words.some((word) => typeof word === 'string' && areGoodWords(word)) ||
    codes.some((code) => code === 200 || code === 201) ||
    saysItWorked(json['data'], depth + 1)
  );
}

const GOOD_WORD =
  /\b(?:ok|okay|done|true|success|successful|successfully|created|updated|accepted|saved|registered|received|queued)\b/i;
const BAD_WORD =
  /\b(?:not|no|never|already|cannot|fail(?:s|ed|ure)?|errors?|invalid|denied|refused|rejected)\b|n['’]t\b/i;

function areGoodWords(words: string): boolean {
  const head = words.slice(0, HEAD_MAX);
  return GOOD_WORD.test(head) && !BAD_WORD.test(head);
}

const KEYS_OF_RECORD = [...ID_KEYS, ...BARCODE_KEYS, ...PERSONA_KEYS, 'fields'];
const looksLikeRecord = (object: Json): boolean => KEYS_OF_RECORD.some((key) => key in object);

/** What a body says that failed although the status is a good one; undefined when it does not. */
export function readDenial(json: unknown): string | undefined {
  if (json === false) return 'false';
  if (!isObject(json)) return undefined;
  const { success, ok, status, error, errors } = json;
  const bad = typeof status === 'string' && /^(?:error|fail|failed|failure)$/i.test(status);
  const denies = success === false || ok === false || bad || isSomething(error) || isSomething(errors);
  if (!denies) return undefined;
  return readMessage(json) ?? readFindings(json)[0] ?? 'that it failed';
}

function isSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value > 0) || isWords(value);
}

function readAction(status: number, body: unknown, raw: Json): 'created' | 'updated' | undefined {
  for (const source of [body, raw].filter(isObject)) {
    const word = firstText(source, ['action', 'operation', 'result'])?.toLowerCase();
    if (word === 'created' || word === 'updated') return word;
    if (typeof source['created'] === 'boolean') return source['created'] ? 'created' : 'updated';
  }
  return status === 201 ? 'created' : undefined;
}
