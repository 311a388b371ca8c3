import { hasTrait, type ValueKind } from '../model/persona.ts';

const BEYOND_ASCII = /[\u0080-\uFFFF]/;
/** What spreadsheets and web pages put in for their own layout: fixed, thin and wide spaces. */
const ODD_SPACES = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;
/** Joiners and zero-width spaces, soft hyphens, and marks, embeddings and isolates of direction. */
const INVISIBLE = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** Full-width forms of the visible ASCII characters, each 0xFEE0 above its own. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

/** Whether there is nothing to clean: ASCII only, and no white space at the ends. */
export function isClean(text: string): boolean {
  return text.charCodeAt(0) > 0x20 && text.charCodeAt(text.length - 1) > 0x20 && !BEYOND_ASCII.test(text);
}

/**
 * Takes off what nobody sees. In names and other texts only white space at the ends goes and odd
 * spaces become plain ones; letters, case, accents and emoji are never touched.
 */
export function cleanText(text: Mended, kind: ValueKind): Mended {
  if (isClean(text.value)) return text;
  const inside = BEYOND_ASCII.test(text.value) ? cleanInside(text, kind) : text;
  return mend(inside, trimEnds(inside.value), 'spaces at the ends removed');
}

function cleanInside(text: Mended, kind: ValueKind): Mended {
  // The ends first, so that spaces there are told as what they are.
  const trimmed = mend(text, trimEnds(text.value), 'spaces at the ends removed');
  const spaced = mend(
    trimmed,
    trimmed.value.replace(ODD_SPACES, ' '),
    'no-break spaces written as plain spaces',
  );
  if (hasTrait(kind, 'free')) return spaced;
  const visible = mend(spaced, spaced.value.replace(INVISIBLE, ''), 'invisible characters removed');
  return mend(
    visible,
    visible.value.replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET)),
    'full-width characters written as plain ones',
  );
}

/**
 * Without white space, zero-width characters and byte order marks at the ends, or whatever else is to go there. Linear,
 * unlike a regular expression.
 */
export function trimEnds(text: string, goes: (code: number) => boolean = isEdge): string {
  let start = 0;
  let end = text.length;
  while (start < end && goes(text.charCodeAt(start))) start += 1;
  while (end > start && goes(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Whether nothing is left of the text without white space and zero-width characters. */
export function isEmptyText(text: string): boolean {
  return text === '' || (isEdge(text.charCodeAt(0)) && trimEnds(text) === '');
}

function isEdge(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0xa0) return false;
  return EDGE.has(code);
}

/** White space beyond ASCII as `String.trim` knows it, and characters without width. */
const EDGE: ReadonlySet<number> = new Set(
  Array.from(
    '\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A' +
      '\u200B\u200C\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF',
    (character) => character.charCodeAt(0),
  ),
);

/** A value on its way from the cell to what is sent, and what was done to it so far. */
export interface Mended<Value = string> {
  value: Value;
  /** Clauses in order: `spaces at the ends removed`. Empty as long as nothing is changed. */
  done: readonly string[];
}

/** The text as the cell has it. */
export function unchanged(value: string): Mended {
  return { value, done: NOTHING };
}

/** The value after one more repair; the same object when the repair changed nothing. */
export function mend(before: Mended, value: string, repair: string): Mended {
  return value === before.value ? before : { value, done: [...before.done, repair] };
}

const NOTHING: readonly string[] = [];
