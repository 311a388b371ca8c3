import { jsonText } from './json-text.ts';

/**
 * Any value as the text of one cell: nothing for null and undefined, scalars as they are, an array
 * of scalars joined with `;`, everything else as JSON.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isScalar(value)) return String(value);
  if (Array.isArray(value) && value.every((item) => isScalar(item))) return value.join(';');
  return jsonText(value);
}

function isScalar(value: unknown): value is string | number | boolean | bigint {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
}
