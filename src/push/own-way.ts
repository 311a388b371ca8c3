import type { FieldChange } from '../registration/field-change.ts';
import type { FieldValue } from '../registration/registration.ts';

/**
 * How a service that takes updates can still list the old value. `spelling`: it writes what was sent its own
 * way, which is what it lists. `dropped`: it may keep only a part of the value, or none, or does not empty.
 */
export type OwnWay = 'spelling' | 'dropped';

/** How the service's own way would explain that a change has not come about; undefined: not at all. */
export function ownWayOf({ field, before, after }: FieldChange): OwnWay | undefined {
  // That messages are wanted need not be kept.
  if (field === 'enable_comms') return 'dropped';
  const listed = foldedTexts(before);
  const wanted = foldedTexts(after);
  if (listed.length === 0 || wanted.length === 0) return 'dropped';
  if (JSON.stringify(listed) === JSON.stringify(wanted)) return 'spelling';
  const isPart = listed.every((part) => wanted.some((text) => text.startsWith(part)));
  return isPart ? 'dropped' : undefined;
}

/** The one way that would explain all changes: dropping, if any of them takes that. */
export function ownWayOfAll(changes: readonly FieldChange[]): OwnWay | undefined {
  const ways = new Set(changes.map(ownWayOf));
  if (ways.has(undefined)) return undefined;
  return ways.has('dropped') ? 'dropped' : 'spelling';
}

/** Letters and digits alone, whatever their case, accents and escapes for HTML; without what is empty then. */
function foldedTexts(value: FieldValue | undefined): string[] {
  const texts = value === undefined ? [] : typeof value === 'string' ? [value] : value;
  return texts
    .map(folded)
    .filter((text) => text !== '')
    .sort();
}

const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[\da-f]+);/gi;

function folded(text: string): string {
  const letters = text.replace(ENTITY, '').normalize('NFKD').toLowerCase();
  const plain = letters.replace(/[^\p{L}\p{N}]/gu, '');
  // Signs alone, such as a "+", are told apart as they are.
  return plain === '' ? text.trim() : plain;
}
