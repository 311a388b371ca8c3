/** No service nests deeper, and far more than this machine could not take apart again. */
const MOST_LEVELS = 512;
/** 15 digits always survive a round trip through a double. */
const SAFE_DIGITS = 15;

/** In words, for errors. */
export const TOO_DEEP = `JSON nested more than ${MOST_LEVELS} levels deep`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * `JSON.parse`, but integers too long for a double come out as strings with all their digits:
 * barcodes and ids must never be rounded. A byte order mark in front is dropped, as some services
 * send one. Throws SyntaxError on anything that is not JSON, or is nested more than 512 levels deep.
 */
export function parseJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const { longIntegers, tooDeep } = scan(json);
  if (tooDeep) throw new SyntaxError(TOO_DEEP);
  if (longIntegers.length === 0) return JSON.parse(json);
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of longIntegers) {
    parts.push(json.slice(done, start), '"', json.slice(start, end), '"');
    done = end;
  }
  return JSON.parse(parts.join('') + json.slice(done));
}

/** As `parseJson`; undefined for what is no JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Why a text that begins like JSON is none that can be read, in words. */
export function describeBadJson(text: string): string {
  return isTooDeep(text) ? TOO_DEEP : 'JSON that is cut off or broken';
}

export const isTooDeep = (text: string): boolean => scan(text).tooDeep;

interface Scan {
  longIntegers: [start: number, end: number][];
  tooDeep: boolean;
}

/** Looks at brackets and numbers outside strings, by hand: texts of a service can be of any size and form. */
function scan(json: string): Scan {
  const longIntegers: [number, number][] = [];
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) depth -= 1;
    else if (isDigit(code) || code === MINUS) {
      const end = endOfNumber(json, at);
      if (isLongInteger(json, at, end)) longIntegers.push([at, end]);
      at = end - 1;
    }
    if (depth > MOST_LEVELS) return { longIntegers, tooDeep: true };
  }
  return { longIntegers, tooDeep: false };
}

/** The index of the closing quote, or of the end where there is none. */
function endOfString(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
}

function endOfNumber(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && '0123456789.eE+-'.includes(json.charAt(at))) at += 1;
  return at;
}

/** A number of digits only. A leading zero is no JSON. */
function isLongInteger(json: string, start: number, end: number): boolean {
  const first = json.charCodeAt(start) === MINUS ? start + 1 : start;
  if (end - first <= SAFE_DIGITS || json.charCodeAt(first) === ZERO) return false;
  for (let at = first; at < end; at += 1) if (!isDigit(json.charCodeAt(at))) return false;
  return true;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of a string, number or boolean; undefined of anything else and of the empty string. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The first of these keys that holds a text. */
export function firstText(source: Json, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = text(source[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text that was read of an object, as the object has it: an integer stays one. */
export function asWritten(
  read: string | undefined,
  source: Json,
  keys: readonly string[],
): string | number | undefined {
  const written = keys
    .map((key) => source[key])
    .find((value) => typeof value === 'number' && String(value) === read);
  return typeof written === 'number' ? written : read;
}

function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function firstCount(source: Json, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const found = count(source[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** No service wraps deeper; a hostile one cannot make us dig for ever. */
export const DEEPEST = 4;

/** The object itself, or the one it is wrapped in: `{"data": {…}}`, `[{…}]`, `{"data": [{…}]}`. */
export function unwrap(
  value: unknown,
  wrappers: readonly string[],
  isIt: (object: Json) => boolean,
): unknown {
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
