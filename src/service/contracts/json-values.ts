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
