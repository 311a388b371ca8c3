/**
 * The shapes of the service, all in one place. Requests are strict: they are documented. Answers are
 * read leniently: where the interface does not show a shape, every reasonable one is understood, and
 * unknown keys are kept. Readers never throw on data: they say what they could not read.
 */
import * as z from 'zod';
import { readFieldType } from '../../registration/model/field-kind.ts';
import type { EventInfo, Field, Persona } from '../../registration/model/persona.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { readChoices, readLabels } from './field-options.ts';
import { describeBadJson, isTooDeep, parseJson, TOO_DEEP } from './json.ts';
import { firstText, isObject, type Json, text } from './json-values.ts';

// ── Requests ────────────────────────────────────────────────────────────────────────────────────

/** Body of POST /registration. */
export const registrationBodySchema = z.object({
  persona: z.string().min(1),
  fields: z.record(z.string(), z.unknown()),
  barcode: z.string().min(1).optional(),
  parent_barcode: z.string().min(1).optional(),
  enable_comms: z.boolean().optional(),
});
export type RegistrationBody = z.infer<typeof registrationBodySchema>;

/** Body of POST {integ_url}/v1/webhooks. */
export const webhookBodySchema = z.object({
  event_id: z.number().int(),
  name: z.string().min(1),
  webhook_url: z.url(),
  triggers: z.array(z.string().min(1)).min(1),
  active: z.boolean(),
  config: z.record(z.string(), z.unknown()),
  signing_secret_encrypted: z.string(),
});
export type WebhookBody = z.infer<typeof webhookBodySchema>;

/** The body that is sent for a registration. Optional keys are left out, `enable_comms` unless true. */
export function registrationBody(registration: Registration): RegistrationBody {
  return {
    persona: registration.persona,
    fields: { ...registration.fields },
    ...(registration.barcode === undefined ? {} : { barcode: registration.barcode }),
    ...(registration.parentBarcode === undefined ? {} : { parent_barcode: registration.parentBarcode }),
    ...(registration.enableComms ? { enable_comms: true } : {}),
  };
}

// ── Small readers ───────────────────────────────────────────────────────────────────────────────

function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function firstCount(source: Json, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const found = count(source[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** No service wraps deeper; a hostile one cannot make us dig for ever. */
const DEEPEST = 4;

/** The object itself, or the one it is wrapped in: `{"data": {…}}`, `[{…}]`, `{"data": [{…}]}`. */
function unwrap(value: unknown, wrappers: readonly string[], isIt: (object: Json) => boolean): unknown {
  let inside = value;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    if (Array.isArray(inside) && inside.length === 1) inside = inside[0];
    if (!isObject(inside) || isIt(inside)) return inside;
    const holder: Json = inside;
    const key = wrappers.find((wrapper) => isObject(holder[wrapper]) || isListOfOne(holder[wrapper]));
    if (key === undefined) return inside;
    inside = holder[key];
  }
  return inside;
}

const isListOfOne = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 1 && isObject(value[0]);

// ── Event ───────────────────────────────────────────────────────────────────────────────────────

const id = z.union([z.string(), z.number()]).transform(String);

const fieldSchema = z.looseObject({
  id: id.nullish(),
  slug: z.string().min(1),
  /** A text, or one for each language. */
  label: z.unknown().optional(),
  type: z.string().nullish(),
  values: z.unknown().optional(),
});

const personaSchema = z.looseObject({
  id: id.nullish(),
  slug: z.string().min(1),
  /** A text, or one for each language. */
  name: z.unknown().optional(),
  fields: z.array(fieldSchema).nullish(),
});

/** Body of GET /event. */
export const eventSchema = z.looseObject({
  event_id: id,
  slug: z.string().nullish(),
  /** A text, or one for each language. */
  name: z.unknown().optional(),
  timezone: z.string().nullish(),
  start_date: z.string().nullish(),
  end_date: z.string().nullish(),
  personas: z.array(personaSchema).nullish(),
});

/** The event, or undefined with the reasons why the body is none. */
export function readEvent(body: unknown): { event: EventInfo } | { problems: string[] } {
  const parsed = eventSchema.safeParse(unwrap(body, ['data', 'event'], (object) => 'event_id' in object));
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`),
    };
  }
  const event = parsed.data;
  return {
    event: {
      eventId: event.event_id,
      slug: event.slug ?? '',
      name: readLabels(event.name)[0] ?? '',
      timezone: event.timezone ?? undefined,
      startDate: event.start_date ?? undefined,
      endDate: event.end_date ?? undefined,
      personas: (event.personas ?? []).map(readPersona),
    },
  };
}

function readPersona(persona: z.infer<typeof personaSchema>): Persona {
  return {
    id: persona.id ?? undefined,
    slug: persona.slug,
    name: readLabels(persona.name)[0] ?? persona.slug,
    fields: (persona.fields ?? []).map(readField),
  };
}

function readField(field: z.infer<typeof fieldSchema>): Field {
  const choices = readChoices(field.values);
  const [label = field.slug, ...otherLabels] = readLabels(field.label);
  const type = field.type ?? '';
  const reading = readFieldType(type, choices.length > 0);
  return {
    id: field.id ?? undefined,
    slug: field.slug,
    label,
    ...(otherLabels.length === 0 ? {} : { otherLabels }),
    type,
    ...reading,
    choices: reading.kind === 'choice' ? choices : [],
  };
}

// ── Registration records ────────────────────────────────────────────────────────────────────────

const ID_KEYS = ['registratoin_id', 'registration_id', 'id', 'uuid'];
const BARCODE_KEYS = ['barcode', 'qr_code', 'qrcode'];
const PARENT_KEYS = ['parent_barcode', 'parentBarcode'];
const PERSONA_KEYS = ['persona', 'persona_slug'];
/** Keys of a flat record that are not fields. */
const META_KEYS = new Set([
  ...ID_KEYS,
  ...BARCODE_KEYS,
  ...PARENT_KEYS,
  ...PERSONA_KEYS,
  'fields',
  'persona_id',
  'parent',
  'parent_id',
  'enable_comms',
  'event_id',
  'event',
  'status',
  'created_at',
  'updated_at',
  'deleted_at',
]);

/** Reads one record. A record that shows no fields has `fields: undefined`. */
export function readRecord(raw: Json): RegistrationRecord {
  // Its name would not do: what is filtered by is the slug.
  const persona = isObject(raw['persona']) ? firstText(raw['persona'], ['slug']) : undefined;
  const parent = isObject(raw['parent']) ? firstText(raw['parent'], BARCODE_KEYS) : undefined;
  const comms = raw['enable_comms'];
  return {
    id: firstText(raw, ID_KEYS),
    persona: persona ?? firstText(raw, PERSONA_KEYS),
    barcode: firstText(raw, BARCODE_KEYS),
    parentBarcode: parent ?? firstText(raw, PARENT_KEYS),
    enableComms: typeof comms === 'boolean' ? comms : undefined,
    fields: readFields(raw),
    raw,
  };
}

/** Fields nested as an object, nested as a list of entries, or flat among the record's own keys. */
function readFields(raw: Json): Json | undefined {
  const nested = raw['fields'];
  if (Array.isArray(nested)) {
    const entries = nested.filter(isObject).flatMap(readEntry);
    // Entries that cannot be read are not the same as no fields.
    return entries.length === 0 && nested.length > 0 ? undefined : Object.fromEntries(entries);
  }
  if (isObject(nested)) return nested;
  const flat = Object.entries(raw).filter(([key]) => !META_KEYS.has(key));
  return flat.length === 0 ? undefined : Object.fromEntries(flat);
}

/** `{"slug": "email", "value": "a@b.c"}`, its field as an object, or `{"email": "a@b.c"}`. */
function readEntry(entry: Json): (readonly [string, unknown])[] {
  if (!('value' in entry)) return Object.entries(entry);
  const field = isObject(entry['field']) ? entry['field'] : entry;
  const slug = firstText(field, ['slug', 'key', 'field', 'name']);
  return slug === undefined ? [] : [[slug, entry['value']]];
}

// ── List pages ──────────────────────────────────────────────────────────────────────────────────

/** One page of records, and what it says about the others. Undefined: the page does not say. */
export interface PageReading {
  records: RegistrationRecord[];
  total: number | undefined;
  lastPage: number | undefined;
  hasNext: boolean | undefined;
}

const LIST_KEYS = ['data', 'registrations', 'items', 'results', 'webhooks', 'records'];
const META_HOLDERS = ['meta', 'pagination', 'paging', 'page_info', 'links'];
const TOTAL_KEYS = ['total', 'total_count', 'totalCount', 'total_records', 'total_items'];
const LAST_KEYS = ['last_page', 'lastPage', 'total_pages', 'totalPages', 'pages', 'page_count'];
const NEXT_KEYS = ['next', 'next_page', 'next_page_url', 'nextPage'];
const MORE_KEYS = ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage'];

/** Finds the list in a body: the body itself, a known key, or one nested in `data`. */
function findList(body: unknown, depth = 0): { list: unknown[]; holder: Json } | undefined {
  if (Array.isArray(body)) return { list: body, holder: {} };
  if (!isObject(body) || depth === DEEPEST) return undefined;
  for (const key of LIST_KEYS) {
    const value = body[key];
    if (Array.isArray(value)) return { list: value, holder: body };
  }
  const inner = findList(body['data'], depth + 1);
  return inner && { list: inner.list, holder: { ...body, ...inner.holder } };
}

/** Reads a page of registrations from a body and its headers; undefined when there is no list in it. */
export function readPage(body: unknown, headers: Readonly<Record<string, string>>): PageReading | undefined {
  const found = findList(body);
  if (found === undefined || !found.list.every(isObject)) return undefined;
  const holders = META_HOLDERS.map((key) => found.holder[key]).filter(isObject);
  // Spread, not Object.assign: a key named __proto__ stays a plain name.
  const meta = holders.reduce((all, holder) => ({ ...all, ...holder }), found.holder);
  return {
    records: found.list.filter(isObject).map(readRecord),
    total: firstCount(meta, TOTAL_KEYS) ?? firstCount(headers, ['x-total-count', 'x-total', 'total']),
    lastPage: firstCount(meta, LAST_KEYS) ?? firstCount(headers, ['x-total-pages', 'x-last-page']),
    hasNext: readHasNext(meta, headers['link']),
  };
}

function readHasNext(meta: Json, link: string | undefined): boolean | undefined {
  for (const key of MORE_KEYS) {
    if (typeof meta[key] === 'boolean') return meta[key];
  }
  for (const key of NEXT_KEYS) {
    if (key in meta) return meta[key] !== null && meta[key] !== '' && meta[key] !== false;
  }
  if (link === undefined) return undefined;
  if (/;\s*rel\s*=\s*"?next\b/i.test(link)) return true;
  // Links about other things, such as a style sheet, say nothing of pages.
  return /;\s*rel\s*=\s*"?(?:prev|previous|first|last)\b/i.test(link) ? false : undefined;
}

// ── Create answers ──────────────────────────────────────────────────────────────────────────────

export type CreateReading =
  | { kind: 'record'; record: RegistrationRecord; action: 'created' | 'updated' | undefined }
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
  let json: unknown;
  try {
    json = parseJson(trimmed);
  } catch {
    return readNoJson(trimmed);
  }
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

const looksLikeRecord = (object: Json): boolean =>
  [...ID_KEYS, ...BARCODE_KEYS, ...PERSONA_KEYS, 'fields'].some((key) => key in object);

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

// ── Errors ──────────────────────────────────────────────────────────────────────────────────────

/** The service's own words about an error. */
export interface ErrorReading {
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
  let json: unknown;
  try {
    json = parseJson(trimmed);
  } catch {
    return { message: isTooDeep(trimmed) ? TOO_DEEP : oneLine(trimmed), details: [] };
  }
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
const HEAD_MAX = 10_000;

/** What is cut says so: whoever looks for a value in it has to know. */
function oneLine(words: string): string {
  const line = words.slice(0, HEAD_MAX).replace(/\s+/g, ' ').trim();
  return line.length <= MESSAGE_MAX ? line : `${line.slice(0, MESSAGE_MAX - 1)}…`;
}

function describePage(html: string): string {
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(html.slice(0, HEAD_MAX))?.[1];
  const words = oneLine(title ?? '');
  return words === '' ? 'a web page' : `a web page titled "${words}"`;
}

function readFindings(json: unknown): string[] {
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
function readMessage(json: Json, depth = 0): string | undefined {
  const { error } = json;
  const nested = isObject(error) && depth < DEEPEST ? readMessage(error, depth + 1) : undefined;
  const keys = ['detail', 'message', 'error_description', 'error', 'title', 'msg', 'errors'];
  return nested ?? keys.map((key) => json[key]).find(isWords);
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

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

// ── Webhooks ────────────────────────────────────────────────────────────────────────────────────

/** A webhook as the service returns it; the interface does not show the record. */
export interface WebhookRecord {
  id: string | undefined;
  name: string | undefined;
  url: string | undefined;
  triggers: readonly string[];
  active: boolean | undefined;
  raw: Json;
}

const WEBHOOK_KEYS = ['webhook_id', 'id', 'uuid', 'webhook_url', 'url'];

/** Reads one webhook, bare or wrapped. */
export function readWebhook(body: unknown): WebhookRecord | undefined {
  const raw = unwrap(body, ['data', 'webhook', 'result'], (object) =>
    WEBHOOK_KEYS.some((key) => key in object),
  );
  if (!isObject(raw)) return undefined;
  const triggers = raw['triggers'] ?? raw['events'];
  return {
    id: firstText(raw, ['webhook_id', 'id', 'uuid']),
    name: firstText(raw, ['name']),
    url: firstText(raw, ['webhook_url', 'url']),
    triggers: Array.isArray(triggers) ? triggers.map(String) : [],
    active: typeof raw['active'] === 'boolean' ? raw['active'] : undefined,
    raw,
  };
}
