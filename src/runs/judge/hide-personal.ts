import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { isPersonal } from '../../registration/rules/rules.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { mask } from '../../report/words/mask.ts';

/** Shorter values are too often part of other words to tell anything, or to be told. */
const MIN_CHARACTERS = 3;
/** Up to this length a value is hidden only as a word: `Ali` is in `invalid`. */
const WORD_CHARACTERS = 5;
/** So much of the beginning of a value is no chance: the rest was left out. */
const PART_CHARACTERS = 20;
/** Nobody says so much without need: a text of this length may have been cut. */
const CUT_CHARACTERS = 100;
/** Where a service is says nothing of a person, though one may be called like it. */
const HOST = /https?:\/\/[^\s/?#]+/giu;

/**
 * A text of the service without what it quotes of a row: values that may identify a person are masked, as
 * they were sent and as JSON writes them, whatever their case, and their beginnings where they were cut.
 */
export function hidePersonal(
  text: string,
  { registration, before }: { registration: Registration; before?: RecordImage | undefined },
  fields: FieldsOf,
): string {
  const values = new Set([
    ...personalValues(registration.fields, fields(registration.persona)),
    ...personalValues(before?.fields ?? {}, fields(registration.persona)),
  ]);
  // What is longer than the text is not in it as a whole, however long it is.
  const spellings = [...values].flatMap((value) => spellingsOf(value.slice(0, text.length + 1)));
  const byFirst = new Map<string, string[]>();
  for (const spelling of spellings) {
    const first = folded(spelling.charAt(0));
    byFirst.set(first, [...(byFirst.get(first) ?? []), spelling]);
  }
  const hosts = new Map(Array.from(text.matchAll(HOST), ({ index, 0: { length } }) => [index, length]));
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const candidates = byFirst.get(folded(text.charAt(at))) ?? [];
    // The longest: what is left of a value that holds another would tell it.
    const quoted = candidates.reduce((most, one) => Math.max(most, quotedLength(text, at, one)), 0);
    const piece = text.slice(at, at + (quoted || (hosts.get(at) ?? 1)));
    shown += quoted > 0 ? mask(unescaped(piece)) : piece;
    at += piece.length;
  }
  return shown;
}

/** How much of a value the text quotes from here on; 0 when what is alike says nothing. */
function quotedLength(text: string, from: number, spelling: string): number {
  let length = 0;
  while (length < spelling.length && isAlike(text.charAt(from + length), spelling.charAt(length)))
    length += 1;
  const end = from + length;
  if (length === spelling.length) return length > WORD_CHARACTERS || isWord(text, from, end) ? length : 0;
  return length >= PART_CHARACTERS || (length >= MIN_CHARACTERS && isCutAt(text, end)) ? length : 0;
}

const isAlike = (one: string, other: string): boolean => folded(one) === folded(other);

/** In lower case, by way of capitals: there is more than one small sigma. */
function folded(unit: string): string {
  const upper = unit.toUpperCase();
  return (upper.length === 1 ? upper : unit).toLowerCase();
}

/** Neither letters nor digits stand around it, unless they belong to an escape. */
function isWord(text: string, from: number, end: number): boolean {
  const before = text.slice(Math.max(0, from - 2), from);
  const begins = !/[\p{L}\p{N}]$/u.test(before) || /\\[bfnrt]/.test(before);
  return begins && !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2));
}

function isCutAt(text: string, end: number): boolean {
  return /^(?:…|\.\.\.)/.test(text.slice(end, end + 3)) || (end === text.length && end >= CUT_CHARACTERS);
}

function personalValues(values: Readonly<Record<string, unknown>>, own: readonly Field[]): string[] {
  return Object.entries(values).flatMap(([slug, value]) => {
    // Of a field that the persona does not have nothing is known.
    const field = own.find((one) => one.slug === slug);
    // A date may be that of a birth: it is said in what is wrong with a file, but not in what a service quotes.
    if (field !== undefined && !isPersonal(field.kind) && field.kind !== 'date') return [];
    return [plainValue(value) ?? []]
      .flat()
      .map((one) => one.trim())
      .filter((one) => one.length >= MIN_CHARACTERS);
  });
}

/** A value, and as JSON may write it: with or without escapes for slashes and for all but ASCII. */
function spellingsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const slashed = json.replaceAll('/', '\\/');
  // White space may have been drawn together on the way.
  return [...new Set([value, value.replace(/\s+/gu, ' '), json, slashed, toAscii(json), toAscii(slashed)])];
}

const toAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Digits of an escape would tell the letter. */
const unescaped = (found: string): string =>
  found.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
