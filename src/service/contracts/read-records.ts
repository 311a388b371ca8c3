import { madeOnce } from '../../registration/model/maps.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { RawRecord } from '../../registration/model/registration.ts';
import { DEEPEST, firstCount, firstText, isObject, type Json, text } from './json.ts';

// Answers are read leniently, here and in the files beside: where the interface does not show a shape, every reasonable
// one is understood, and unknown keys are kept. Readers never throw on data: they say what they could not read.

export const ID_KEYS = ['registratoin_id', 'registration_id', 'id', 'uuid'];
export const BARCODE_KEYS = ['barcode', 'qr_code', 'qrcode'];
const PARENT_KEYS = ['parent_barcode', 'parentBarcode'];
export const PERSONA_KEYS = ['persona', 'persona_slug'];
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
export function readRecord(raw: Json): RawRecord {
  // Its name would not do: what is filtered by is the slug.
  const persona = isObject(raw['persona']) ? firstText(raw['persona'], ['slug']) : undefined;
  const parent = isObject(raw['parent']) ? raw['parent'] : {};
  const parentBarcode = firstText(parent, BARCODE_KEYS) ?? firstText(raw, PARENT_KEYS);
  const parentId = firstText(parent, ID_KEYS) ?? firstText(raw, ['parent_id']);
  const comms = raw['enable_comms'];
  return {
    id: firstText(raw, ID_KEYS),
    persona: persona ?? firstText(raw, PERSONA_KEYS),
    barcode: firstText(raw, BARCODE_KEYS),
    parentBarcode,
    ...(parentBarcode === undefined && parentId !== undefined && { parentId }),
    enableComms: typeof comms === 'boolean' ? comms : undefined,
    fields: readFields(raw),
    raw,
  };
}

/** Undefined where no field is shown, be it blank: an empty object says no more of what there is than none does. */
function readFields(raw: Json): Json | undefined {
  const fields = findFields(raw);
  return fields === undefined || Object.keys(fields).length === 0 ? undefined : fields;
}

/** Fields nested as an object, nested as a list of entries, or flat among the record's own keys. */
function findFields(raw: Json): Json | undefined {
  const nested = raw['fields'];
  if (Array.isArray(nested)) {
    const entries = nested.filter(isObject).flatMap(readEntry);
    return Object.fromEntries(entries);
  }
  if (isObject(nested)) return nested;
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !META_KEYS.has(key)));
}

/** The fields by their slugs: some services key what they list by the labels of fields, or by their ids. */
export function keyedBySlug(fields: Json, own: readonly Field[]): Json {
  const slugs = madeOnce(slugsOf, own, () => slugsByName(own));
  const slugOf = (key: string): string => slugs.get(key) ?? key;
  if (Object.keys(fields).every((key) => slugOf(key) === key)) return fields;
  const isTaken = (key: string): boolean => slugOf(key) !== key && Object.hasOwn(fields, slugOf(key));
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [isTaken(key) ? key : slugOf(key), value]),
  );
}

const slugsOf = new WeakMap<readonly Field[], ReadonlyMap<string, string>>();

/** What may be several fields is the name of none. */
function slugsByName(own: readonly Field[]): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>();
  const shared = new Set<string>();
  for (const { slug, id = slug, label, otherLabels = [] } of own)
    for (const name of [label, ...otherLabels, String(id)]) {
      if ((slugs.get(name) ?? slug) !== slug) shared.add(name);
      slugs.set(name, slug);
    }
  for (const name of shared) slugs.delete(name);
  for (const { slug } of own) slugs.set(slug, slug);
  return slugs;
}

/** `{"slug": "email", "value": "a@b.c"}`, its field as an object, or `{"email": "a@b.c"}`. */
function readEntry(entry: Json): (readonly [string, unknown])[] {
  if (!('value' in entry)) return Object.entries(entry);
  const field = isObject(entry['field']) ? entry['field'] : entry;
  const slug = firstText(field, ['slug', 'key', 'field', 'name', 'label', 'field_id']);
  return slug === undefined ? [] : [[slug, entry['value']]];
}

/** One page of records, and what it says about the others. Undefined: the page does not say. */
export interface PageReading {
  records: RawRecord[];
  total: number | undefined;
  lastPage: number | undefined;
  hasNext: boolean | undefined;
  /** The address of the next page, where the body has one. */
  next?: string | undefined;
}

const LIST_KEYS = ['data', 'registrations', 'items', 'results', 'webhooks', 'records'];
const META_HOLDERS = ['meta', 'pagination', 'paging', 'page_info', 'links'];
const TOTAL_KEYS = ['total', 'total_count', 'totalCount', 'total_records', 'total_items'];
const LAST_KEYS = ['last_page', 'lastPage', 'total_pages', 'totalPages', 'pages', 'page_count'];
const NEXT_KEYS = ['next', 'next_page', 'next_page_url', 'nextPage', 'next_cursor', 'nextCursor'];
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
    next: NEXT_KEYS.flatMap((key) => text(meta[key]) ?? []).find((one) => /^(?:https?:\/\/|[/?])/.test(one)),
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
