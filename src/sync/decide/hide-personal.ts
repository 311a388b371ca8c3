import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { type Field, hasTrait } from '../../registration/model/persona.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { hideContacts } from '../../registration/rules/contacts.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { mask } from '../../registration/evidence/mask.ts';

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
 * they were sent and as JSON, addresses, pages and base64 write them, whatever their case, and their beginnings where
 * they were cut. Addresses and phone numbers are masked whoever they belong to: a service may name somebody else.
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
  const hide = hiderOf(values, text.length + 1);
  const plain = decoded(text).replace(PACKED, (token) =>
    unpacked(token).some((one) => hide(one) !== one) ? '•••' : token,
  );
  return hideShapes(hide(plain), values);
}

/** Masks values in texts; of longer values than `most` characters their beginnings. */
function hiderOf(values: ReadonlySet<string>, most: number): (text: string) => string {
  const byFirst = new Lookup<string, string>();
  for (const spelling of [...values].flatMap((value) => spellingsOf(value.slice(0, most))))
    byFirst.add(folded(spelling.charAt(0)), spelling);
  return (text) => hideValues(text, byFirst);
}

function hideValues(text: string, byFirst: Lookup<string, string>): string {
  const hosts = new Map(Array.from(text.matchAll(HOST), ({ index, 0: { length } }) => [index, length]));
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const candidates = byFirst.of(folded(text.charAt(at)));
    // The longest: what is left of a value that holds another would tell it.
    const quoted = candidates.reduce((most, one) => Math.max(most, quotedLength(text, at, one)), 0);
    const piece = text.slice(at, at + (quoted || (hosts.get(at) ?? 1)));
    shown += quoted > 0 ? mask(unescaped(piece)) : piece;
    at += piece.length;
  }
  return shown;
}

/** As addresses, pages and JSON write characters that they need not write so. */
const ESCAPED = /(?:%[0-9a-f]{2})+|&#(?:x[0-9a-f]{1,6}|\d{1,7});|\\u00[2-7][0-9a-f]/gi;

function decoded(text: string): string {
  return text.replace(ESCAPED, (found) => {
    if (found.startsWith('%')) return decodedAddress(found);
    const digits = found.replace(/^(?:&#x?|\\u)|;$/gi, '');
    const code = Number.parseInt(digits, /^&#\d/.test(found) ? 10 : 16);
    return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : found;
  });
}

function decodedAddress(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** What may be base64 or hex. */
const PACKED = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

const unpacked = (token: string): string[] => [
  Buffer.from(token, 'base64').toString(),
  ...(/^(?:[0-9a-f]{2})+$/i.test(token) ? [Buffer.from(token, 'hex').toString()] : []),
];

/** Digits as phone numbers and dates are written. */
const NUMBER = /(?<![\p{L}\p{N}_-])\+?\(?\d(?:[\s()./-]{0,2}\d){5,}/gu;
/** So many digits of a phone number are no chance. */
const PHONE_DIGITS = 7;

/** Addresses and international numbers, and those of the row in another form than it has them. */
function hideShapes(text: string, values: ReadonlySet<string>): string {
  const numbers = [...values].filter((value) => /^[\d\s()+./-]+$/.test(value));
  const endings = numbers
    .map((value) => value.replace(/\D/g, '').slice(-PHONE_DIGITS))
    .filter(({ length }) => length === PHONE_DIGITS);
  const dates = new Set(numbers.map(sortedParts));
  return hideContacts(text, mask).replace(NUMBER, (found) => {
    const digits = found.replace(/\D/g, '');
    const isPhone = endings.some((ending) => digits.endsWith(ending));
    return isPhone || dates.has(sortedParts(found)) ? mask(found) : found;
  });
}

/** The same for a date however its parts are ordered. */
const sortedParts = (text: string): string => (text.match(/\d+/g) ?? []).sort().join(' ');

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

const isCutAt = (text: string, end: number): boolean =>
  /^(?:…|\.\.\.)/.test(text.slice(end, end + 3)) || (end === text.length && end >= CUT_CHARACTERS);

function personalValues(values: Readonly<Record<string, unknown>>, own: readonly Field[]): string[] {
  return Object.entries(values).flatMap(([slug, value]) => {
    // Of a field that the persona does not have nothing is known.
    const field = own.find((one) => one.slug === slug);
    // A date may be that of a birth: it is said in what is wrong with a file, but not in what a service quotes.
    if (field !== undefined && !hasTrait(field.kind, 'personal') && field.kind !== 'date') return [];
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
  // White space may have been drawn together on the way, and accents lost.
  const spaced = value.replace(/\s+/gu, ' ');
  const [, name = value] = /^([^@\s]{6,})@[^@\s]+$/u.exec(value) ?? [];
  const others = [withoutAccents(spaced), withoutAccents(toUmlautPairs(spaced)), name];
  return [...new Set([value, spaced, json, slashed, toAscii(json), toAscii(slashed), ...others])];
}

const withoutAccents = (value: string): string => value.normalize('NFD').replace(/\p{M}/gu, '');

const toUmlautPairs = (value: string): string => value.replace(/([äöüÄÖÜ])/g, '$1e').replaceAll('ß', 'ss');

const toAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Digits of an escape would tell the letter. */
const unescaped = (found: string): string =>
  found.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
