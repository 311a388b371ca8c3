import { hash } from 'node:crypto';
import type { Registration } from './registration.ts';

/** What tells registrations apart: equal ones have the same. */
export const hashOf = (registration: Registration): string =>
  hash('sha256', canonicalRegistration(registration), 'base64url');

/**
 * The registration as canonical JSON: keys in code unit order, no white space, absent barcodes left
 * out, texts as they are (no Unicode normalisation). Equal registrations give equal strings, whatever
 * file and order of columns they come from; the string serves as content identity, for example hashed.
 */
export function canonicalRegistration(registration: Registration): string {
  const { persona, fields, barcode, parentBarcode, leavesGroup, enableComms } = registration;
  return canonicalObject([
    ['persona', JSON.stringify(persona)],
    ['fields', canonicalObject(Object.entries(fields).map(([slug, value]) => [slug, JSON.stringify(value)]))],
    ['enable_comms', JSON.stringify(enableComms)],
    ...(barcode === undefined ? [] : [['barcode', JSON.stringify(barcode)] as const]),
    ...(parentBarcode === undefined ? [] : [['parent_barcode', JSON.stringify(parentBarcode)] as const]),
    ...(leavesGroup === true ? [['parent_barcode', 'null'] as const] : []),
  ]);
}

/** Joins members that are JSON already. Written as text, because objects order keys like `10` first. */
function canonicalObject(members: readonly (readonly [key: string, json: string])[]): string {
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return `{${sorted.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}
