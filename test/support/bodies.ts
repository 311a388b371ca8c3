/** A record of a list or of an answer, in whatever shape. */
export type Shown = Record<string, unknown>;

/** The answer with each record changed, or without it. */
export function withRecords(body: string, change: (record: Shown) => Shown | undefined): string {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk).filter((one) => one !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    if ('persona' in value) return change({ ...value });
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]));
  };
  return isJson(body) ? JSON.stringify(walk(JSON.parse(body))) : body;
}

/** What a create or update sends as an object, with other fields. */
export function withFields(body: string, change: (fields: Shown, sent: Shown) => Shown): string {
  if (!isJson(body)) return body;
  const sent = JSON.parse(body) as Shown;
  return JSON.stringify({ ...sent, fields: change({ ...(sent['fields'] as Shown) }, sent) });
}

const isJson = (body: string): boolean => body.startsWith('{') || body.startsWith('[');
