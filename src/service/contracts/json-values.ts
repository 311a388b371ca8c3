/** A JSON object. */
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
