import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import type { FieldValue } from '../../src/sandbox/store/stored-row.ts';

/** What a create or update asked for. */
export interface SentBody {
  barcode: string | undefined;
  comms: boolean;
  fields: Readonly<Record<string, FieldValue>>;
}

/** Undefined for a request that sends no registration. */
export function readBody({ method, body }: Pick<RequestLogEntry, 'method' | 'body'>): SentBody | undefined {
  if (method !== 'POST' || body === undefined) return undefined;
  const sent = JSON.parse(body) as Record<string, unknown>;
  const fields = Array.isArray(sent['fields'])
    ? Object.fromEntries(
        (sent['fields'] as { slug: string; value: FieldValue }[]).map((one) => [one.slug, one.value]),
      )
    : ((sent['fields'] ?? {}) as Record<string, FieldValue>);
  return { barcode: sent['barcode'] as string | undefined, comms: sent['enable_comms'] === true, fields };
}
