import { isObject, parseJson, text } from '../../service/contracts/json.ts';
import { BARCODE_KEYS } from '../../service/contracts/read-records.ts';
import { cellText } from '../../report/words/data-text.ts';

/** A call of a webhook that has come in full. */
export interface Arrival {
  /** Milliseconds since 1970. */
  atMs: number;
  /** Names and values in turn, as they came. */
  headers: readonly string[];
  body: Uint8Array;
}

/** What a delivery tells of itself. Nothing of it is documented, so nothing is required. */
export interface DeliveryFacts {
  /** The same at each attempt. */
  messageId: string | undefined;
  /** What fired it, for example `registration.updated`. */
  type: string | undefined;
  /** Of the first registration in it. */
  barcode: string | undefined;
  /** When what it tells of happened, in milliseconds since 1970. */
  occurredMs: number | undefined;
}

const MESSAGE_IDS = [
  'webhook-id',
  'svix-id',
  'x-webhook-delivery',
  'x-webhook-delivery-id',
  'x-delivery-id',
  'x-event-id',
  'x-message-id',
  'x-github-delivery',
  'x-shopify-event-id',
  'idempotency-key',
  'x-idempotency-key',
];
const TYPE_KEYS = ['event', 'type', 'trigger', 'event_type', 'topic', 'event_name', 'action'];
const TYPE_HEADER = /^x-(?:[a-z]+-)?(?:event|event-type|topic|trigger)$/;
const TIME_KEYS = ['occurred_at', 'updated_at', 'timestamp', 'delivered_at', 'sent_at', 'created_at', 'time'];
/** Longer is no id, and no type. */
const LONGEST = 200;
/** Where registrations are looked for: enough for any body that is meant to be read. */
const MOST_OBJECTS = 1000;

/** Reads what is there of it. `headers`: names and values in turn. */
export function readDelivery(headers: readonly string[], body: Uint8Array): DeliveryFacts {
  const content = parseBody(body);
  const objects = objectsIn(content);
  const first = (keys: readonly string[]): string | undefined => {
    for (const key of keys) {
      for (const object of objects) {
        const found = text(object[key]);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return {
    messageId: short(headerOf(headers, MESSAGE_IDS)),
    type: short(typeIn(objects[0]) ?? typeInHeaders(headers)),
    barcode: short(first(BARCODE_KEYS)),
    occurredMs: timeOf(first(TIME_KEYS)),
  };
}

const PING = /(?:^|[._:-])(?:ping|test|verify|verification|validation|handshake|challenge)$/i;

/** Whether it is a service trying out the address, and tells of no registration. */
export const isPing = ({ type, barcode }: Pick<DeliveryFacts, 'type' | 'barcode'>): boolean =>
  barcode === undefined && PING.test(type ?? '');

/** The body as JSON; undefined when it is none. */
export function parseBody(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** The first value of the first of these headers that is there; names in lower case. */
export function headerOf(headers: readonly string[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
    if (at >= 0) return headers[at + 1];
  }
  return undefined;
}

/** Whether it comes within the first of them, the outermost first. */
function objectsIn(content: unknown): Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  let level: unknown[] = [content];
  while (level.length > 0 && found.length < MOST_OBJECTS) {
    const objects = level.flat().filter(isObject);
    found.push(...objects.slice(0, MOST_OBJECTS - found.length));
    level = objects.slice(0, MOST_OBJECTS).flatMap((object) => Object.values(object));
  }
  return found;
}

function typeIn(outermost: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const key of TYPE_KEYS) {
    const value = outermost?.[key];
    const found = isObject(value) ? typeIn(value) : value;
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}

function typeInHeaders(headers: readonly string[]): string | undefined {
  const at = headers.findIndex((name, index) => index % 2 === 0 && TYPE_HEADER.test(name.toLowerCase()));
  return at < 0 ? undefined : headers[at + 1];
}

const short = (found: string | undefined): string | undefined => found?.slice(0, LONGEST) || undefined;

/** Seconds, milliseconds, or a text with a date. */
function timeOf(found: string | undefined): number | undefined {
  if (found === undefined) return undefined;
  const number = Number(found);
  const ms = Number.isFinite(number) ? number * (number < 1e11 ? 1000 : 1) : Date.parse(found);
  return ms > 1e12 && ms < 1e13 ? Math.round(ms) : undefined;
}

/** So many deliveries are kept, and no more bytes of them, for so long: the newest. */
export const KEPT = { deliveries: 10_000, bytes: 256 * 1024 * 1024, days: 30 };

/** `registration.barcode=EV-1`: a path in the body, or the name of a header, and what is to be there. */
interface Filter {
  path: string;
  value: string;
}

/** Whether a delivery is what all filters ask for. A path that is not in the body is taken for the name of a header. */
export function matches(
  { headers, body }: Pick<Arrival, 'headers' | 'body'>,
  filters: readonly Filter[],
): boolean {
  if (filters.length === 0) return true;
  const content = parseBody(body);
  return filters.every(({ path, value }) => {
    const found = atPath(content, path.split('.')) ?? headerOf(headers, [path.toLowerCase()]);
    return found !== undefined && cellText(found) === value;
  });
}

/** `items.0.barcode`; undefined where there is nothing. */
export function atPath(content: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return content;
  if (Array.isArray(content)) return /^\d{1,6}$/.test(key) ? atPath(content[Number(key)], rest) : undefined;
  return isObject(content) && Object.hasOwn(content, key) ? atPath(content[key], rest) : undefined;
}

/** Sets what is at a path, `items.0.barcode`, and makes objects on the way where there are none. */
export function setAtPath(content: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(content) && /^\d{1,6}$/.test(key)) {
    return content.map((item, at) => (at === Number(key) ? setAtPath(item, rest, value) : item) as unknown);
  }
  const entries = isObject(content) ? Object.entries(content) : [];
  const isThere = entries.some(([name]) => name === key);
  const all: [string, unknown][] = isThere ? entries : [...entries, [key, undefined]];
  return Object.fromEntries(
    all.map(([name, old]) => [name, name === key ? setAtPath(old, rest, value) : old] as const),
  );
}
