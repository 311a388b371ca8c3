import type { FieldChange } from '../../registration/changes/field-change.ts';
import type { FieldValue } from '../../registration/model/registration.ts';

/**
 * How a service that takes updates can still list the old value. `spelling`: it writes what was sent its own
 * way, with nothing lost, which is what it lists. `dropped`: it may keep only a part of the value, or none, or
 * does not empty.
 */
export type Spelling = 'spelling' | 'dropped';

/** How the service's own way would explain that a change has not come about; undefined: not at all. */
export function spellingOf({ field, before, after }: FieldChange): Spelling | undefined {
  // That messages are wanted need not be kept.
  if (field === 'enable_comms') return 'dropped';
  const listed = textsOf(before, folded);
  const wanted = textsOf(after, folded);
  if (isSpelling(before, after)) return 'spelling';
  if (wanted.length === 0) return 'dropped';
  const isPart = listed.every((part) => wanted.some((text) => text.startsWith(part)));
  return isPart ? 'dropped' : undefined;
}

/** The one way that would explain all changes: dropping, if any of them takes that. */
export function spellingOfAll(changes: readonly FieldChange[]): Spelling | undefined {
  const ways = new Set(changes.map(spellingOf));
  if (ways.has(undefined)) return undefined;
  return ways.has('dropped') ? 'dropped' : 'spelling';
}

/** Whether two values differ in nothing but spelling, case, spaces, order of a list, or a time of zero. */
export function isSpelling(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  const texts = textsOf(one, spelt);
  return texts.length > 0 && JSON.stringify(texts) === JSON.stringify(textsOf(other, spelt));
}

function textsOf(value: FieldValue | undefined, form: (text: string) => string): string[] {
  const texts = value === undefined ? [] : typeof value === 'string' ? [value] : value;
  return texts
    .map(form)
    .filter((text) => text !== '')
    .sort();
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi;
const ZERO_TIME = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00)?(?:\.0+)?(?:Z|\+00:?00)?$/i;

/** One text for all spellings of it: no letter, digit or sign is lost. */
function spelt(text: string): string {
  return text
    .replace(ENTITY, (entity, name?: string, decimal?: string, hex?: string) =>
      name === undefined ? characterOf(decimal, hex) : (NAMED[name.toLowerCase()] ?? entity),
    )
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/gu, "'")
    .replace(/[“”]/gu, '"')
    .replace(/[‐-―]/gu, '-')
    .trim()
    .replace(ZERO_TIME, '$1')
    .replace(/\s/gu, '');
}

/** So few digits are a character's. */
function characterOf(decimal: string | undefined, hex: string | undefined): string {
  return String.fromCodePoint(Number(decimal ?? `0x${hex}`));
}

/** Letters and digits alone, whatever their case and accents. */
function folded(text: string): string {
  const letters = spelt(text).normalize('NFKD');
  const plain = letters.replace(/[^\p{L}\p{N}]/gu, '');
  // Signs alone, such as a "+", are told apart as they are.
  return plain === '' ? letters : plain;
}
