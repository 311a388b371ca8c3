import type { Registration, RegistrationRecord } from './registration.ts';

/**
 * Slugs of the fields in which a listed record differs from what was (or will be) sent; empty when
 * everything sent is there. Undefined when the record does not show its fields.
 */
export function differingFields(
  registration: Registration,
  record: RegistrationRecord,
): string[] | undefined {
  const { fields } = record;
  if (fields === undefined) return undefined;
  return Object.entries(registration.fields)
    .filter(
      ([slug, sent]) =>
        comparable(sent) !== comparable(Object.hasOwn(fields, slug) ? fields[slug] : undefined),
    )
    .map(([slug]) => slug);
}

/** One text for a value however the service types it: 5 and "5", ["a"] and "a", null and "". */
function comparable(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(comparable).sort().join('\n');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  const option = value as Record<string, unknown>;
  return comparable(
    option['value'] ?? option['slug'] ?? option['id'] ?? option['label'] ?? JSON.stringify(value),
  );
}
