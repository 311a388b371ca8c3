import type { Aspect } from '../../registration/changes/aspect.ts';
import type { FieldChange } from '../../registration/changes/field-change.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';

/**
 * Whether a service that takes a change may list the old value still: it writes what was sent its own way, keeps a part of
 * it or nothing, or does not empty.
 */
export function mayStay({ field, before, after }: FieldChange): boolean {
  // That messages are wanted need not be kept.
  if (field === 'enable_comms' || isSpelling(before, after)) return true;
  const wanted = textsOf(after, folded);
  return (
    wanted.length === 0 ||
    textsOf(before, folded).every((part) => wanted.some((text) => text.startsWith(part)))
  );
}

/**
 * Whether a value that is listed differs from another in nothing but spelling, case, spaces, order of a list, a time of
 * zero, or signs that are masked.
 */
export function isSpelling(listed: FieldValue | undefined, other: FieldValue | undefined): boolean {
  const [texts, others] = [textsOf(listed, spelt), textsOf(other, spelt)];
  if (texts.length === 0 || texts.length !== others.length) return false;
  return texts.every((text, at) => text === others[at] || isMaskOf(text, others[at] ?? ''));
}

/** Whether the service lists a value of a registration as what was sent of it, but for spelling. */
export const isSpelt = ({ of }: Aspect, sent: RecordImage | Registration, listed: RecordImage): boolean =>
  isSpelling(plainValue(of(listed)), plainValue(of(sent)));

/** A text of which signs are masked. */
export const MASK = /[*•●]{3}|^\s*[•●]+\s*$/u;

function isMaskOf(text: string, whole: string): boolean {
  const parts = text.split(/[*•●]+/u).map((part) => part.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`));
  return MASK.test(text) && new RegExp(`^${parts.join('.+')}$`, 's').test(whole);
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
      name === undefined
        ? String.fromCodePoint(Number(decimal ?? `0x${hex}`))
        : (NAMED[name.toLowerCase()] ?? entity),
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

/** Letters and digits alone, whatever their case and accents. */
function folded(text: string): string {
  const letters = spelt(text).normalize('NFKD');
  const plain = letters.replace(/[^\p{L}\p{N}]/gu, '');
  // Signs alone, such as a "+", are told apart as they are.
  return plain === '' ? letters : plain;
}
