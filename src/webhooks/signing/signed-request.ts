import type { Way } from './scheme.ts';

/** A delivery as it came: every header with its value, in any case and more than once, and the bytes of the body. */
export interface SignedRequest {
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** The address as the service calls it, where it is known: few sign it. */
  url?: string | undefined;
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** All values of a header that are not empty. `name` is in lower case. */
export function headerValues(request: Pick<SignedRequest, 'headers'>, name: string): string[] {
  return request.headers.flatMap(([one, value]) => {
    const trimmed = value.trim();
    return one.toLowerCase() === name && trimmed !== '' ? [trimmed] : [];
  });
}

/** The timestamp as it was written; undefined when it is not there. */
export function timestampOf(
  request: SignedRequest,
  { timestamp }: Pick<Way, 'timestamp'>,
): string | undefined {
  if (timestamp === undefined) return undefined;
  const values = headerValues(request, timestamp.header);
  const { key } = timestamp;
  if (key === undefined) return values[0];
  const parts = values.flatMap((value) => value.split(/[\s,;]+/));
  return parts.find((part) => part.startsWith(`${key}=`))?.slice(key.length + 1);
}

/** Seconds or milliseconds since 1970, or an ISO 8601 time, as milliseconds; undefined when it is none. */
export function readTimestamp(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000;
  if (/^\d{12,14}$/.test(text)) return Number(text);
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The parts of a header that may each be a signature. A prefix with a comma has spaces between its parts. */
export function partsOf(value: string, prefix: string): string[] {
  return value
    .split(prefix.endsWith(',') ? /\s+/ : /[\s,;]+/)
    .flatMap((part) => (part.startsWith(prefix) && part !== prefix ? [part.slice(prefix.length)] : []));
}
