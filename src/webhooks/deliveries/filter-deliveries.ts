import { isObject } from '../../service/contracts/json.ts';
import { cellText } from '../../report/words/json-text.ts';
import type { Arrival } from './received-store.ts';
import { headerOf, parseBody } from './read-delivery.ts';

/** `registration.barcode=EV-1`: a path in the body, or the name of a header, and what is to be there. */
export interface Filter {
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
