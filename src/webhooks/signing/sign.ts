import { UsageError } from '../../errors.ts';
import { ALGORITHMS, ENCODINGS, KEY_FORMS, asToken } from './algorithms.ts';
import type { Scheme } from './scheme.ts';
import { contentOf } from './check-way.ts';

export interface Unsigned {
  /** The same at each attempt. */
  id: string;
  /** Milliseconds since 1970; the header has whole seconds. */
  timestampMs: number;
  body: Uint8Array;
  /** The address that is called. */
  url: string;
}

/**
 * The headers that prove a delivery: signature, and id and timestamp where the scheme has them. Throws a UsageError,
 * without the secret, when it is no key of the scheme.
 */
export function sign(scheme: Scheme, secret: string, unsigned: Unsigned): Record<string, string> {
  const way = scheme.ways.find(({ key }) => KEY_FORMS[key](secret) !== undefined) ?? scheme.ways[0];
  if (way.algorithm === 'token') return { [way.header]: asToken(way.header, secret) };
  const { id, url, body } = unsigned;
  const timestamp = String(Math.floor(unsigned.timestampMs / 1000));
  const content = contentOf(way.signed, { id, timestamp, url, body }) ?? [];
  const signature = signatureOf(way.algorithm, KEY_FORMS[way.key](secret), content);
  if (signature === undefined) throw new UsageError(`The secret is no key of the scheme ${scheme.name}.`);
  const headers: Record<string, string> = {};
  if (way.id !== undefined) headers[way.id] = id;
  if (way.timestamp !== undefined) {
    const { header, key } = way.timestamp;
    headers[header] = key === undefined ? timestamp : `${key}=${timestamp}`;
  }
  const part = `${way.prefix}${ENCODINGS[way.encoding].write(signature)}`;
  const before = headers[way.header];
  headers[way.header] = before === undefined ? part : `${before},${part}`;
  return headers;
}

function signatureOf(
  algorithm: keyof typeof ALGORITHMS,
  key: Buffer | undefined,
  content: readonly Uint8Array[],
): Buffer | undefined {
  if (key === undefined) return undefined;
  try {
    return ALGORITHMS[algorithm].sign(key, content);
  } catch {
    return undefined;
  }
}
